internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Measures the time for opening an archive and for reading a tile, with a thousand and a million tiles of
/// 400 bytes. Temporarily needs about 1 GB in the temporary folder.
func archiveRows() -> [BenchRow] {
    var template = Array("/tmp/rhumb-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return [] }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { rmdir(folder) }
    return ArchiveBuilder.allCases.flatMap { builder in
        [1000, 1_000_000].flatMap { count -> [BenchRow] in
            let path = folder + "/archive"
            defer { unlink(path) }
            guard (try? builder.write(count, to: path)) != nil else { return [] }
            return rows("\(builder.rawValue), \(count) tiles", path, count)
        }
    }
}

private func rows(_ name: String, _ path: String, _ count: Int) -> [BenchRow] {
    let opening = Timing(runs: 20) { _ = try? Archive.open(path) }
    guard let archive = try? Archive.open(path) else { return [] }
    let zoom = ArchiveBuilder.zoom(count)
    var random = SystemRandomNumberGenerator()
    func scattered() -> [TileID] {
        (0..<20_000).compactMap { _ in ArchiveBuilder.tile(Int.random(in: 0..<count, using: &random), zoom) }
    }
    let warming = scattered()
    for tile in warming + scattered() { _ = try? archive.tile(tile) }
    func microseconds(_ tiles: [TileID]) -> Double {
        Timing(runs: 3) { for tile in tiles { _ = try? archive.tile(tile) } }.best * 1000
            / Double(tiles.count)
    }
    return [
        BenchRow(name: "open \(name)", value: opening.best, unit: "ms", anchor: ""),
        BenchRow(
            name: "read a tile anywhere, \(name)", value: microseconds(scattered()), unit: "µs",
            anchor: count > 1000 ? "at most twice that of 1000 tiles" : ""),
    ]
}

/// Writes archives of distinct bodies, tile by tile along the PMTiles curve of one zoom.
private enum ArchiveBuilder: String, CaseIterable {
    case mbtiles = "MBTiles"
    case pmtiles = "PMTiles"

    static func zoom(_ count: Int) -> Int { count > 4096 ? 10 : 5 }

    static func tile(_ index: Int, _ zoom: Int) -> TileID? {
        TileID(hilbertID: TileID.firstHilbertID(zoom: zoom) + UInt64(index))
    }

    func write(_ count: Int, to path: String) throws {
        switch self {
        case .mbtiles: try writeMBTiles(count, path)
        case .pmtiles: writePMTiles(count, path)
        }
    }

    private func body(_ index: Int) -> [UInt8] {
        (0..<400).map { UInt8(truncatingIfNeeded: index >> ($0 % 4 * 8)) }
    }

    private func writeMBTiles(_ count: Int, _ path: String) throws {
        let connection = try Connection(path, .readWrite)
        try connection.execute(
            """
            PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            BEGIN
            """, to: "make the tables")
        let insert = try connection.prepare("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)", to: "add a tile")
        for index in 0..<count {
            guard let tile = Self.tile(index, Self.zoom(count)) else { continue }
            try insert.bind(1, tile.zoom)
            try insert.bind(2, tile.x)
            try insert.bind(3, tile.tmsRow)
            try insert.bind(4, body(index))
            try insert.step()
        }
        try connection.execute(
            "CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row); COMMIT", to: "make the index"
        )
    }

    private func writePMTiles(_ count: Int, _ path: String) {
        let first = TileID.firstHilbertID(zoom: Self.zoom(count))
        let entries = (0..<count).map {
            PMTilesDirectory.Entry(id: first + UInt64($0), run: 1, length: 400, offset: UInt64($0) * 400)
        }
        var leaves: [UInt8] = []
        var root = entries
        if count > 4096 { root = split(entries, &leaves) }
        let packedRoot = Gzip.packed(PMTilesDirectory(root).encoded)
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: UInt64(packedRoot.count))
        header.leaves = .init(offset: 127 + header.root.length, length: UInt64(leaves.count))
        header.tiles = .init(offset: header.leaves.offset + header.leaves.length, length: UInt64(count * 400))
        header.minZoom = UInt8(Self.zoom(count))
        header.maxZoom = header.minZoom
        guard let file = fopen(path, "wb") else { return }
        defer { fclose(file) }
        for part in [header.bytes, packedRoot, leaves] { fwrite(part, 1, part.count, file) }
        for index in 0..<count { fwrite(body(index), 1, 400, file) }
    }

    private func split(
        _ entries: [PMTilesDirectory.Entry], _ leaves: inout [UInt8]
    ) -> [PMTilesDirectory.Entry] {
        stride(from: 0, to: entries.count, by: 4096).map { start in
            let leaf = Array(entries[start..<min(start + 4096, entries.count)])
            let packed = Gzip.packed(PMTilesDirectory(leaf).encoded)
            defer { leaves += packed }
            return .init(id: leaf[0].id, run: 0, length: UInt32(packed.count), offset: UInt64(leaves.count))
        }
    }
}
