internal import Glibc
public import RhumbCore
internal import RhumbEngine

extension TileFolder {
    /// Inspects all tiles.
    public func inspect(decode: TileDecode?) throws(ArchiveFailure) -> ArchiveInspection {
        var census = ArchiveScan(probe: probe, decode: decode, expectsPictures: refusal == nil)
        var files: Set<FileIdentity> = []
        let zooms = try FolderListing(path: path).zooms()
        var seen = 0
        eachFile(zooms) { tile, file in
            WorkProgress.report(seen, of: nil)
            seen += 1
            count(tile, file, &census, &files)
        }
        let description = ArchiveDescription(metadata: metadata)
        return census.result(
            .init(
                file: path, format: "folder", info: info, metadata: metadata,
                declaredZooms: description.zooms, declaredBounds: description.bounds))
    }

    /// Calls `body` for each tile.
    public func eachTile(_ body: (TileID) throws -> Void) throws {
        var last: TileID?
        try eachFile(FolderListing(path: path).zooms()) { tile, _ in
            // A tile may exist with two extensions.
            if tile != last { try body(tile) }
            last = tile
        }
    }

    /// Calls a function with the size of each tile's file.
    public func eachStoredSize(_ body: (StoredTileSize) throws -> Void) throws {
        var last: TileID?, done = 0
        try eachFile(FolderListing(path: path).zooms()) { tile, file in
            try Task.checkCancellation()
            WorkProgress.report(done, of: nil)
            done += 1
            // A tile may exist with two extensions.
            guard tile != last else { return }
            last = tile
            let id = tile.pmtilesID
            if let bytes = Folder.size(of: file) {
                try body(StoredTileSize(ids: id..<id + 1, bytes: bytes, place: nil))
            }
        }
    }

    /// The properties in the JSON file.
    public var declaredContent: DeclaredContent { DeclaredContent(metadata) }

    /// Checks the JSON file, and that each tile has one file.
    public func checkStructure(_ report: (VerificationFault) -> Void) throws {
        if metadata.object?.isEmpty ?? true {
            report(VerificationFault(.metadata, "there is no valid metadata.json"))
        }
        var last: TileID?
        try eachFile(FolderListing(path: path).zooms()) { tile, _ in
            try Task.checkCancellation()
            if tile == last {
                report(VerificationFault(.duplicate, .tile(tile), "it has two files"))
            }
            last = tile
        }
    }

    private func eachFile(_ zooms: [Int], _ body: (TileID, _ file: String) throws -> Void) rethrows {
        let listing = FolderListing(path: path)
        for zoom in zooms {
            for column in listing.columns(zoom) {
                for (row, name) in listing.tiles(zoom, column) {
                    let y = scheme == .tms ? (1 << zoom) - 1 - row : row
                    guard let tile = TileID(zoom: zoom, x: column, y: y) else { continue }
                    try body(tile, "\(path)/\(zoom)/\(column)/\(name)")
                }
            }
        }
    }

    private func count(
        _ tile: TileID, _ path: String, _ census: inout ArchiveScan, _ files: inout Set<FileIdentity>
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

/// The identity of a file, which links to it share and copies don't.
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
