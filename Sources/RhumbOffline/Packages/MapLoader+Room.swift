internal import RhumbCore
internal import RhumbOpening
internal import RhumbStore

/// The space that is free for regions.
struct RegionRoom: Sendable {
    /// The free bytes.
    let free: Int
    /// The quota in bytes if it leaves less than the disk; nil if the disk is the limit.
    let quota: Int?

    /// Measures the space; nil if it is unknown.
    init?(_ regions: Regions) {
        let disk = regions.freeDisk,
            quota = regions.store.quota.map { (all: $0, left: max($0 - regions.store.bytesOnDisk, 0)) }
        if let quota, quota.left <= disk ?? .max {
            self.init(free: quota.left, quota: quota.all)
        } else if let disk {
            self.init(free: disk, quota: nil)
        } else {
            return nil
        }
    }

    init(free: Int, quota: Int?) { (self.free, self.quota) = (free, quota) }

    /// The free bytes and their limit, such as "3 GB free" or "0 B left of the region quota of 1 MB".
    var text: String {
        let bytes = AmountText.bytes(free)
        return quota.map { "\(bytes) left of the region quota of \(AmountText.bytes($0))" } ?? "\(bytes) free"
    }
}

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
        guard let room, needed > room.free else { return }
        let size = "\(subject) up to \(AmountText.bytes(needed))"
        if room.quota != nil {
            throw MapLoaderFailure(
                .insufficientStorage, "\(size), but only \(room.text)", .raiseRegionQuota)
        }
        throw MapLoaderFailure(
            .insufficientStorage,
            "\(size) on the disk, but only \(AmountText.bytes(room.free)) are free; free some space, or \(advice)"
        )
    }

    /// The space that is free for packages; nil if unknown.
    nonisolated var room: RegionRoom? { RegionRoom(regions) }

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
        if let patch = archive.patch {
            let changed = try await convertingAsync(
                await archive.bytes(of: patch.new.changed(since: patch.old))
            ) { (error: SupplyFailure) in
                MapLoaderFailure(.connectionFailed, "\(package.id): \(error.message)")
            }
            bytes = archive.stored(changed)
        } else if package.edition == nil {
            bytes = archive.stored(await archive.tileBytes)
        }
        let there = old.coming.reduce(0) { $0 + $1.bytes }
        try requireRoom(of: bytes - there, for: "the update of \(package.id) needs", "remove a package")
    }
}
