public import RhumbCore
public import RhumbStore

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
