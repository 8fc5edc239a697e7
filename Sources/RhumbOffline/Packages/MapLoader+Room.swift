internal import RhumbCore
internal import RhumbOpening
internal import RhumbStore

/// Checks before downloads that they fit the disk and the quota.
extension MapLoader {
    /// Checks that the packages fit into the space that is free now.
    func requireRoom(for plan: PackagePlan) throws(MapLoaderFailure) {
        try requireRoom(of: plan.storedBytes, for: "the packages need", "install fewer")
    }

    /// Checks that a number of bytes can be stored now.
    private func requireRoom(
        of needed: Int, for subject: String, _ advice: String
    ) throws(MapLoaderFailure) {
        guard let free = freeBytes, needed > free else { return }
        throw MapLoaderFailure(
            .insufficientStorage,
            "\(subject) up to \(AmountText.bytes(needed)) on the disk, but only \(AmountText.bytes(free)) are free; "
                + "free some space, or \(advice)")
    }

    /// Checks that the tiles of an opened package can be stored. The plan knows only packages with editions
    /// without a request.
    func requireRoom(
        for package: CatalogPackage, _ source: RegionSource, _ loaded: LoadedCatalog
    ) async throws(MapLoaderFailure) {
        guard package.edition == nil else { return }
        let size = try await size(of: package, source, loaded).stored
        // The margin of an estimate counts for the user.
        let needed = size.bytes - size.margin - (try installed(loaded)[package.id]?.record.bytes ?? 0)
        try requireRoom(of: needed, for: "\(package.id) needs", "install another package")
    }

    /// Checks that the tiles of an update can be stored beside the installed edition.
    func requireRoom(
        for package: CatalogPackage, _ source: PackageSource, over old: RegionRecord
    ) async throws(MapLoaderFailure) {
        guard let archive = source.archive else { return }
        var bytes = package.edition?.bytes(with: features) ?? 0
        if let patch = archive.known {
            do throws(SupplyFailure) {
                bytes = archive.stored(try await archive.bytes(of: patch.new.changed(since: patch.old)))
            } catch {
                throw MapLoaderFailure(.connectionFailed, "\(package.id): \(error.message)")
            }
        } else if package.edition == nil {
            bytes = archive.stored(await archive.tileBytes)
        }
        let there = old.coming.reduce(0) { $0 + $1.bytes }
        try requireRoom(of: bytes - there, for: "the update of \(package.id) needs", "remove a package")
    }
}
