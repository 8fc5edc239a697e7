internal import RhumbCore
package import RhumbEngine

/// The bodies of an archive, and the list of their hashes.
extension PMTilesArchive {
    /// Goes through all tiles by their ids, those in a row that have the same body together.
    /// - Parameter body: told the ids, and the bytes that the archive has of each.
    /// - Throws: `ArchiveFailure` where the archive is damaged, or what `body` throws.
    package func eachRun(_ body: (_ tiles: Range<UInt64>, _ stored: [UInt8]) throws -> Void) throws {
        var end: UInt64 = 0
        for found in PMTilesEntries(file) {
            guard case .tiles(let entry) = found else {
                if case .fault(let problem) = found { throw damaged(problem) }
                continue
            }
            let run = UInt64(entry.run), limit = TileID.firstPMTilesID(zoom: TileID.maximumZoom + 1)
            guard entry.id >= end, run <= limit, entry.id <= limit - run else {
                throw damaged("entry \(entry.id) is out of order, or beyond the deepest zoom")
            }
            end = entry.id + run
            do { try body(entry.id..<end, try file.stored(entry, "\(entry.id)")) } catch let failure
                as TileFailure
            {
                throw damaged(failure.message)
            }
        }
    }

    private func damaged(_ problem: String) -> ArchiveFailure {
        ArchiveFailure(file.name, .damaged, problem, "recreate the archive")
    }

    /// A stored body as it is drawn, without its wrapper.
    /// - Throws: `TileFailure`
    package func plain(_ stored: [UInt8], _ tile: String) throws(TileFailure) -> [UInt8] {
        try file.index.body(stored, tile)
    }

    /// An empty list of hashes of this archive.
    package func hashes(version: String) throws(TileFailure) -> TileHashes {
        let count = Int(min(file.bytes.size, UInt64(PMTilesIndex.startLength)))
        return TileHashes(version: version, beginning: try file.bytes.read(offset: 0, count: count))
    }
}
