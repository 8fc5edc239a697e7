package import RhumbCore

extension RegionStore {
    /// Replaces a damaged store by one with its readable rows. The damaged file is renamed.
    /// - Returns: The new path of the damaged file, and sentences about the parts that can't be read.
    /// - Throws: `RegionStoreFailure`. The store is unchanged then.
    package static func recover(
        _ path: String, at now: UnixSeconds
    ) throws(RegionStoreFailure) -> (aside: String, faults: [String]) {
        let aside = "\(path).damaged-\(now.value)"
        do throws(StoreFailure) {
            return (aside, try layout.recover(path, movingTo: aside).faults)
        } catch {
            throw .store(error)
        }
    }

    /// Enters the packs of a region that are missing.
    /// - Throws: `RegionStoreFailure`
    package func complete(
        _ region: Int, with packs: [(origin: TileOrigin, packs: any Sequence<TilePack>)]
    ) throws(RegionStoreFailure) {
        try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "complete a region") { () throws(StoreFailure) in
                try writer.set(packs, of: region)
            }
        }
    }
}
