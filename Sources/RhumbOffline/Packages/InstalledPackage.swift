internal import RhumbCore
public import RhumbStore

/// A package that is installed as a region. The region's id contains those of the catalogue and the package.
/// Its metadata contains the edition.
struct InstalledPackage: Sendable {
    let record: RegionRecord

    /// Returns the id of the package's region. Regions that users create have other ids.
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

    /// The installed edition; nil before the first complete download.
    var edition: PackageVersion? { record.packageEdition }

    /// True if the installation is queued, but not started.
    var isQueued: Bool { record.parts.isEmpty }

    /// True if every tile of an edition is stored or known to be absent.
    var isWhole: Bool {
        !record.parts.isEmpty && record.parts.allSatisfy { $0.failed == 0 && $0.settled == $0.planned }
    }

    /// True if the pending update is activated together with those of other packages.
    var isTogether: Bool { record.pendingUpdate == true }

    var features: Set<String> { Set(record.definition?.features ?? []) }
}

extension RegionRecord {
    /// True for a package that is completely stored.
    public var isInstalledPackage: Bool { package != nil && InstalledPackage(record: self).isWhole }
}
