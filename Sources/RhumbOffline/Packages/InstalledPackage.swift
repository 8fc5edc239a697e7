internal import RhumbCore
public import RhumbStore

/// A region that a package was installed as. Its id tells catalogue and package, its metadata the edition.
struct InstalledPackage: Sendable {
    let record: RegionRecord

    /// The id of the region, which no region of a person's should have.
    static func regionID(_ package: String, of catalog: PackageCatalog) throws(MapLoaderFailure) -> RegionID {
        do throws(RegionIDFailure) {
            return try RegionID(PackageName(package, of: catalog.id).regionID)
        } catch {
            throw MapLoaderFailure(.invalidParameters, "package \(package): \(error)")
        }
    }

    static func metadata(_ edition: PackageVersion?, of loaded: LoadedCatalog) -> JSON {
        [
            "package": [
                "catalog": .string(loaded.catalog.id), "address": .string(loaded.address),
                "edition": edition.map { .string("\($0)") } ?? .null,
            ]
        ]
    }

    /// Nil before all of it was there for the first time.
    var edition: PackageVersion? { record.packageEdition }

    /// True if the package is queued and nothing of it was fetched.
    var isQueued: Bool { record.parts.isEmpty }

    /// True if all tiles of an edition are stored.
    var isWhole: Bool {
        !record.parts.isEmpty && record.parts.allSatisfy { $0.failed == 0 && $0.settled == $0.planned }
    }

    /// True if its update replaces the old edition together with the updates of others.
    var isTogether: Bool { record.pendingUpdate == true }

    var features: Set<String> { Set(record.definition?.features ?? []) }
}

extension RegionRecord {
    /// True for a package with an edition that is stored in full.
    public var isInstalledPackage: Bool { package != nil && InstalledPackage(record: self).isWhole }
}
