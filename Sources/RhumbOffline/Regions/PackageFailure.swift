public import RhumbCore
public import RhumbStore

/// The kind of an operation on packages.
public enum PackageOperation: String, Sendable {
    case install, uninstall, update
    /// Continues interrupted installations and updates.
    case resume
    /// Fetches missing and damaged tiles.
    case repair
    /// Removes all packages.
    case clear
    /// Updates the data groups of packages to the selected ones.
    case normalise

    fileprivate var word: String { rawValue + (rawValue.hasSuffix("e") ? "d" : "ed") }
}

/// The failure of an operation on packages.
public struct MapLoaderFailure: RecoverableError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Reason: String, Sendable, CaseIterable {
        /// The request is not possible, or names something that the catalogue doesn't contain.
        case invalidParameters
        /// The user cancelled the operation. Not an error.
        case operationCancelled
        /// The store of regions or the stored catalogue can't be used.
        case initializationFailed
        /// A server could not be reached, or its response is unusable.
        case connectionFailed
        /// The operation ended, but some tiles could not be fetched.
        case incomplete
        /// No package covers the location or has the name.
        case searchFailed
        /// The disk or the quota has too little space.
        case insufficientStorage
        /// The provider does not allow the download, or the user has not confirmed that it does.
        case notPermitted
        /// The packages need more tile packs than the source's limit leaves.
        case packLimitExceeded
        /// The signature of the catalogue is missing or wrong, or data differ from the signed catalogue.
        case untrusted
    }

    /// The kind of the failure.
    public let reason: Reason
    /// A sanitised sentence that states the problem, its location and the next step.
    public let message: String
    /// A command that may help; nil if there is none.
    public let remedy: RecoverySuggestion?
    /// The obstacle to reading from a server; nil for other failures.
    var obstacle: ArchiveFailure.Obstacle?

    /// Creates a failure. Sanitises the message, so that it is safe to print.
    public init(_ reason: Reason, _ message: String, _ remedy: RecoverySuggestion? = nil) {
        self.reason = reason
        self.message = SafeText.sanitised(message, limit: 300)
        self.remedy = remedy
    }

    public var description: String { message }
}

/// The error when an operation can't start because another one is running.
public struct MapLoaderBusy: Error, Sendable, Equatable, CustomStringConvertible {
    /// The running operation; nil if unknown.
    public let operation: PackageOperation?
    /// The id of the process that runs it, possibly this one; nil if unknown.
    public let process: Int?

    public var description: String {
        let what = operation.map { "being \($0.word)" } ?? "being changed"
        return
            "packages are \(what)\(process.map { " by process \($0)" } ?? ""); wait until that is finished, or "
            + "cancel it"
    }
}

/// The identity of the package that a region stores.
public struct PackageName: Hashable, Sendable, CustomStringConvertible {
    /// The id of the catalogue. Contains no full stop.
    public let catalog: String
    /// The package's id in the catalogue.
    public let package: String

    private static let prefix = "package-"

    init(_ package: String, of catalog: String) { (self.package, self.catalog) = (package, catalog) }

    /// Parses the id of a region. Returns nil for a region that the user created.
    public init?(regionID: String) {
        guard regionID.hasPrefix(PackageName.prefix) else { return nil }
        let parts = regionID.dropFirst(PackageName.prefix.count).split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(String(parts[1]), of: String(parts[0]))
    }

    /// The id of the package's region. Regions that users create have other ids.
    var regionID: String { "\(PackageName.prefix)\(catalog).\(package)" }

    public var description: String { "\(package) of the catalogue \(catalog)" }
}

extension RegionRecord {
    /// The package that the region stores; nil if the user created the region.
    public var package: PackageName? { PackageName(regionID: id) }

    /// The installed edition of the package; nil before the first complete download.
    public var packageEdition: PackageVersion? {
        (definition?.metadata["package"]?["edition"]?.string).flatMap(PackageVersion.init)
    }

    /// The address or file of the package's catalogue.
    public var packageCatalog: String? { definition?.metadata["package"]?["address"]?.string }

    /// True for a package whose download can be resumed, because it is unfinished or has gaps.
    public var isUnfinishedPackage: Bool { package != nil && (isPending || isBroken) }

    /// Checks that the region is not a package, because only the package commands may change packages.
    /// - Throws: `OfflineFailure.isPackage`
    public func requireNoPackage() throws(OfflineFailure) {
        if let package { throw .isPackage(package) }
    }
}
