internal import RhumbCore
package import RhumbEngine

/// Access to the stored bodies of an archive, and the list of their hashes.
extension PMTilesArchive {
    /// Reads all tiles in the order of their ids, with consecutive tiles of one entry together.
    /// - Parameter body: Receives the ids and their stored bytes.
    /// - Throws: `ArchiveFailure` if the archive is damaged, or an error of `body`.
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

    /// Returns a stored body decompressed.
    /// - Throws: `TileFailure`.
    package func plain(_ stored: [UInt8], _ tile: String) throws(TileFailure) -> [UInt8] {
        try file.index.body(stored, tile)
    }

    /// Returns an empty list of hashes for this archive.
    package func hashes(version: String) throws(TileFailure) -> TileHashes {
        let count = Int(min(file.bytes.size, UInt64(PMTilesIndex.startLength)))
        return TileHashes(version: version, beginning: try file.bytes.read(offset: 0, count: count))
    }
}
