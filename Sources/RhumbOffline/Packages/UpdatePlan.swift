internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// The packages and bytes that an update would fetch.
public struct UpdatePlan: Sendable, Equatable {
    /// A package to update.
    public struct Package: Sendable, Equatable, Identifiable {
        /// The installed edition and the new one.
        public let update: CatalogUpdateInfo.Package
        /// The number of changed tiles to fetch; nil if all tiles are fetched.
        public let tiles: Int?
        /// An upper limit for the number of bytes to fetch.
        public let bytes: Int
        /// The number of bytes that need not be fetched, because the tiles are already stored.
        public let saved: Int
        /// The reason why all tiles are fetched; empty if only changed ones are. Safe to print.
        public let reason: String

        /// The package's id in the catalogue.
        public var id: String { update.id }
    }

    /// The catalogue's id.
    public let catalog: String
    /// The packages to update, in the catalogue's order.
    public let packages: [Package]

    /// An upper limit for the number of bytes to fetch.
    public var bytes: Int { packages.reduce(0) { $0 + $1.bytes } }
    /// The number of bytes that need not be fetched.
    public var saved: Int { packages.reduce(0) { $0 + $1.saved } }
}

extension MapLoader {
    /// Plans an update from the hash lists and directories of the archives. Fetches them; the update itself
    /// then reuses them.
    /// - Throws: `MapLoaderFailure`
    public func planUpdate() async throws(MapLoaderFailure) -> UpdatePlan {
        let loaded = try await catalog(isReload: true), installed = try installed(loaded)
        var packages: [UpdatePlan.Package] = []
        for update in try updates(loaded).packages {
            guard let old = installed[update.id] else { continue }
            packages.append(try await plan(update, loaded.package(update.id), old.record))
        }
        return UpdatePlan(catalog: loaded.catalog.id, packages: packages)
    }

    private func plan(
        _ update: CatalogUpdateInfo.Package, _ package: CatalogPackage, _ old: RegionRecord
    ) async throws(MapLoaderFailure) -> UpdatePlan.Package {
        func whole(_ reason: String) -> UpdatePlan.Package {
            UpdatePlan.Package(update: update, tiles: nil, bytes: update.bytes, saved: 0, reason: reason)
        }
        let wholeFile = "its server sends whole files only", offered: PackageSource
        do throws(MapLoaderFailure) { offered = try await self.offered(package, asking) } catch {
            if error.obstacle == .wholeFilesOnly { return whole(wholeFile) }
            throw error
        }
        if (offered.source.layer.source as? RemotePMTiles)?.needsCopy == true { return whole(wholeFile) }
        let source = try MapLoader.storing { () throws(RegionStoreFailure) in
            try offered.since(old, regions.store)
        }
        guard let archive = source.archive, let known = archive.known else { return whole(source.problem) }
        guard update.missingFeatures.isEmpty else { return whole("all tiles get new data groups") }
        let changed = known.new.changed(since: known.old)
        do throws(SupplyFailure) {
            let bytes = try await archive.bytes(of: changed)
            return UpdatePlan.Package(
                update: update, tiles: changed.count, bytes: bytes,
                saved: max(await archive.tileBytes - bytes, 0), reason: "")
        } catch {
            throw MapLoaderFailure(.connectionFailed, "\(package.id): \(error.message)")
        }
    }

    /// A copy of the opener that accepts documents only if their servers return or confirm them now.
    var asking: WebSourceOpener {
        var asking = opener
        asking.reloadsDocuments = true
        asking.loader.requiresServer = true
        return asking
    }
}
