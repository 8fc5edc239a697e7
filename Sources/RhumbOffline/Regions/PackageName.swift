public import RhumbCore
public import RhumbStore

/// Which package a region was installed as.
public struct PackageName: Hashable, Sendable, CustomStringConvertible {
    /// The id of the catalogue, which has no point.
    public let catalog: String
    /// Its id in the catalogue.
    public let package: String

    private static let prefix = "package-"

    init(_ package: String, of catalog: String) { (self.package, self.catalog) = (package, catalog) }

    /// Nil where a region of that id is a person's own.
    public init?(regionID: String) {
        guard regionID.hasPrefix(PackageName.prefix) else { return nil }
        let parts = regionID.dropFirst(PackageName.prefix.count).split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(String(parts[1]), of: String(parts[0]))
    }

    /// The id of its region, which no region of a person's may have.
    var regionID: String { "\(PackageName.prefix)\(catalog).\(package)" }

    public var description: String { "\(package) of the catalogue \(catalog)" }
}

extension RegionRecord {
    /// The package that it is; nil where a person made it.
    public var package: PackageName? { PackageName(regionID: id) }

    /// The edition of the package that is installed; nil before all of one was there.
    public var packageEdition: PackageVersion? {
        (definition?.metadata["package"]?["edition"]?.string).flatMap(PackageVersion.init)
    }

    /// The address or file of the catalogue that the package came from.
    public var packageCatalog: String? { definition?.metadata["package"]?["address"]?.string }

    /// True for a package that was interrupted or lacks tiles, so that it can be resumed.
    public var isUnfinishedPackage: Bool { package != nil && (isPending || isBroken) }

    /// - Throws: `RegionFailure.isPackage`, for packages are changed as such.
    public func requireNoPackage() throws(RegionFailure) {
        if let package { throw .isPackage(package) }
    }
}
