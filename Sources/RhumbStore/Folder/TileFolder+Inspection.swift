internal import Glibc
internal import RhumbCore
internal import RhumbEngine

extension TileFolder {
    public func inspect(decode: TileDecode?) throws(ArchiveFailure) -> ArchiveInspection {
        let listing = FolderListing(path: path)
        var census = Census(probe: probe, decode: decode, expectsPictures: true)
        var files: Set<FileIdentity> = []
        for zoom in try listing.zooms() {
            for column in listing.columns(zoom) {
                for (row, name) in listing.tiles(zoom, column) {
                    let y = scheme == .tms ? (1 << zoom) - 1 - row : row
                    guard let tile = TileID(zoom: zoom, x: column, y: y) else { continue }
                    count(tile, "\(path)/\(zoom)/\(column)/\(name)", &census, &files)
                }
            }
        }
        let description = ArchiveDescription(metadata: metadata)
        return census.result(
            .init(
                file: path, format: "folder", info: info, metadata: metadata,
                declaredZooms: description.zooms, declaredBounds: description.bounds))
    }

    private func count(
        _ tile: TileID, _ path: String, _ census: inout Census, _ files: inout Set<FileIdentity>
    ) {
        guard let bytes = TileFolder.contents(path, limit: Gzip.limit) else {
            return census.add(.unreadable, "\(tile)")
        }
        if files.insert(FileIdentity(path)).inserted {
            census.stored.count += 1
            census.stored.bytes += bytes.count
        }
        census.add(tile.pmtilesID..<tile.pmtilesID + 1, census.body(bytes))
    }
}

/// Tells links to one file from copies of it.
private struct FileIdentity: Hashable {
    let device: UInt
    let node: UInt

    init(_ path: String) {
        var facts = stat()
        _ = stat(path, &facts)
        device = UInt(facts.st_dev)
        node = UInt(facts.st_ino)
    }
}
