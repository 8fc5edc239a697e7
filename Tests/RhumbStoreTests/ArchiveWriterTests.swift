import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct ArchiveWriterTests {
    let folder = TemporaryFolder()
    let tile = TileID(zoom: 3, x: 4, y: 2)!

    private var label: ExportLabel {
        var label = ExportLabel(name: "A \"map\"")
        label.attribution = "© someone"
        label.summary = "of something"
        label.more["region"] = "berlin"
        return label
    }

    private func sorted(_ zooms: ClosedRange<Int>) -> [TileID] {
        TileID.pyramid(zooms).sorted { $0.hilbertID < $1.hilbertID }
    }

    private func path(_ format: ArchiveFormat) -> String { folder.path + "/map." + format.rawValue }

    private func write(
        _ format: ArchiveFormat, _ tiles: [TileID], _ body: (TileID) -> [UInt8]
    ) throws -> ExportSummary {
        let writer = try format.writer(to: path(format), label: label)
        for tile in tiles { try writer.add(tile, body(tile)) }
        return try writer.finish()
    }

    /// Returns distinct bodies for land, and one of two for sea.
    private func landAndSea(_ tile: TileID) -> [UInt8] {
        tile.x % 8 < 3
            ? fakePicture(tile) : fakePicture(TileID(zoom: 0, x: 0, y: 0)!) + [UInt8(tile.zoom % 2)]
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `every tile is read back, and equal bodies are stored once`(format: ArchiveFormat) throws {
        let tiles = sorted(2...7)
        let summary = try write(format, tiles, landAndSea)
        let archive = try Archive.open(path(format), probe: imageProbe)
        for tile in TileID.pyramid(0...8) {
            let expected: TileAnswer =
                (2...7).contains(tile.zoom) ? .bitmap(.encoded(landAndSea(tile))) : .absent
            #expect(try archive.tile(tile) == expected)
        }
        #expect(summary.tiles == tiles.count && summary.zooms == 2...7)
        #expect(summary.bodies == Set(tiles.map(landAndSea)).count)
        #expect(archive.info.zooms == 2...7 && archive.refusal == nil)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an inspection finds no faults, and the declared metadata`(format: ArchiveFormat) throws {
        _ = try write(format, sorted(0...4), landAndSea)
        let archive = try Archive.open(path(format), probe: imageProbe)
        let inspection = try archive.inspect(checksContents: true)
        #expect(inspection.faults.groups.isEmpty && inspection.tileCount == 341)
        #expect(archive.info.name == "A \"map\"" && archive.info.attribution == "© someone")
        #expect(archive.metadata["description"] == "of something" && archive.metadata["region"] == "berlin")
        #expect(inspection.declaredZooms == 0...4)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `bounds are the declared ones, or those of the deepest tiles`(format: ArchiveFormat) throws {
        _ = try write(format, [tile], { fakePicture($0) })
        #expect(try Archive.open(path(format)).info.bounds.map { ($0.west, $0.east) } ?? (0, 0) == (0, 45))
        var label = label
        label.bounds = Bounds(west: 170, south: -20, east: -170, north: 90)
        let writer = try format.writer(to: path(format), label: label, isReplacing: true)
        try writer.add(tile, fakePicture(tile))
        _ = try writer.finish()
        let info = try Archive.open(path(format)).info
        #expect(info.center?.longitude == -180)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an exported file appears only when it is complete; a cancelled export leaves nothing behind`(
        format: ArchiveFormat
    ) throws {
        var writer: (any ArchiveWriter)? = try format.writer(to: path(format), label: label)
        try writer?.add(tile, fakePicture(tile))
        #expect(folder.names.allSatisfy { $0.hasSuffix(".part") } && !folder.names.isEmpty)
        writer = nil
        #expect(folder.names.isEmpty)
        _ = try write(format, [tile], { fakePicture($0) })
        #expect(folder.names == ["map." + format.rawValue])
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an unfinished export is readable by its owner alone; a finished one has the usual permissions`(
        format: ArchiveFormat
    ) throws {
        let usual = umask(0o022)
        umask(usual)
        let writer = try format.writer(to: path(format), label: label)
        try writer.add(tile, fakePicture(tile))
        #expect(folder.names.allSatisfy { mode($0) == 0o600 })
        _ = try writer.finish()
        #expect(mode("map." + format.rawValue) == 0o666 & ~usual)
        chmod(path(format), 0o640)
        let next = try format.writer(to: path(format), label: label, isReplacing: true)
        try next.add(tile, fakePicture(tile))
        _ = try next.finish()
        #expect(mode("map." + format.rawValue) == 0o640)
    }

    private func mode(_ name: String) -> mode_t {
        var facts = stat()
        return stat(folder.path + "/" + name, &facts) == 0 ? facts.st_mode & 0o777 : 0
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `the next export removes the leftovers of a crashed one, and nothing else`(
        format: ArchiveFormat
    ) throws {
        let dead = ChildProgram("/bin/true", [])
        _ = dead.wait()
        folder.write([1], to: "old.mbtiles.rhumb-\(dead.process)-0.part")
        folder.write([1], to: "tiles.rhumb-\(dead.process)-0.part/4/2/1.png")
        let others = [
            "old.mbtiles.rhumb-\(getppid())-0.part", "film.\(dead.process)-0.part", "x.rhumb-1.part",
        ]
        for name in others { folder.write([1], to: name) }
        _ = try write(format, [tile], { fakePicture($0) })
        #expect(Set(folder.names) == Set(others + ["map." + format.rawValue]))
    }

    @Test func `the next export to a folder removes the leftovers of a crashed one`() throws {
        let dead = ChildProgram("/bin/true", [])
        _ = dead.wait()
        folder.write([1], to: "tiles.rhumb-\(dead.process)-0.part/4/2/1.png")
        folder.write([1], to: "tiles.rhumb-\(getppid())-0.part/4/2/1.png")
        let writer = try TileFolderWriter(folder.path + "/tiles/", label: ExportLabel(name: "A map"))
        #expect(folder.names.count { $0.hasSuffix(".part") } == 2)
        try writer.add(tile, fakePicture(tile))
        _ = try writer.finish()
        #expect(Set(folder.names) == ["tiles", "tiles.rhumb-\(getppid())-0.part"])
    }

    @Test(arguments: ["folder", "pipe", "null", "nowhere"])
    func `a path that is not a file is never replaced`(name: String) throws {
        mkdir(folder.path + "/folder", 0o700)
        mkfifo(folder.path + "/pipe", 0o600)
        symlink("/dev/null", folder.path + "/null")
        symlink(folder.path + "/gone", folder.path + "/nowhere")
        let before = folder.names.sorted()
        for isReplacing in [false, true] {
            #expect {
                try PartFile(folder.path + "/" + name, isReplacing: isReplacing)
            } throws: { ($0 as? ExportFailure)?.reason == .notRegular }
        }
        #expect(folder.names.sorted() == before)
    }

    @Test func `of two writers of a new file, the second fails and leaves the file of the first`() throws {
        let path = folder.path + "/new",
            files = try ([1, 2] as [UInt8]).map { number in
                let file = try PartFile(path, isReplacing: false)
                try file.write([number], at: 0)
                return file
            }
        try files[0].publish()
        #expect { try files[1].publish() } throws: { ($0 as? ExportFailure)?.reason == .exists }
        #expect(folder.bytes("new") == [1])
        let third = try PartFile(path, isReplacing: true)
        try third.write([3], at: 0)
        try third.publish()
        #expect(folder.bytes("new") == [3] && folder.names.filter { !$0.hasSuffix(".part") } == ["new"])
    }

    @Test func `a link to a file is replaced, not its target, unless it should be followed`() throws {
        let target = folder.write([1], to: "target")
        symlink(target, folder.path + "/link")
        #expect {
            try PartFile(folder.path + "/link", isReplacing: false)
        } throws: { ($0 as? ExportFailure)?.problem == "it is a symbolic link to \(target)" }
        func write(_ links: PartFile.LinkRule?) throws {
            let file = try PartFile(folder.path + "/link", isReplacing: true, links: links)
            try file.write([2, 3], at: 0)
            try file.publish()
        }
        #expect(throws: ExportFailure.self) { try write(.refuse) }
        #expect(folder.bytes("target") == [1])
        try write(.follow)
        var facts = stat()
        #expect(lstat(folder.path + "/link", &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        #expect(folder.bytes("target") == [2, 3])
        folder.write([1], to: "target")
        try write(nil)
        #expect(lstat(folder.path + "/link", &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG)
        #expect(folder.bytes("target") == [1] && folder.bytes("link") == [2, 3])
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an export replaces an existing file only if you ask for it`(format: ArchiveFormat) throws {
        _ = try write(format, [tile], { fakePicture($0) })
        #expect { try write(format, [tile], { fakePicture($0) }) } throws: {
            ($0 as? ExportFailure)?.reason == .exists
        }
        let writer = try format.writer(to: path(format), label: label, isReplacing: true)
        try writer.add(tile.children[0], fakePicture(tile))
        _ = try writer.finish()
        #expect(try Archive.open(path(format)).tile(tile) == .absent)
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `an archive without tiles, a repeated tile and an empty body are rejected`(
        format: ArchiveFormat
    ) throws {
        let empty = try format.writer(to: path(format), label: label)
        #expect { try empty.finish() } throws: { ($0 as? ExportFailure)?.reason == .empty }
        let writer = try format.writer(to: path(format), label: label)
        try writer.add(tile, fakePicture(tile))
        #expect { try writer.add(tile, fakePicture(tile)) } throws: {
            ($0 as? ExportFailure)?.reason == .repeated
        }
        #expect { try writer.add(tile.children[0], []) } throws: { ($0 as? ExportFailure)?.reason == .body }
    }

    @Test(arguments: ArchiveFormat.allCases)
    func `a missing folder is reported with the remedy`(format: ArchiveFormat) {
        #expect { try format.writer(to: folder.path + "/no/map", label: label) } throws: { error in
            (error as? ExportFailure)?.reason == .notWritable
                && "\(error)".contains("create its folder first")
        }
    }

    @Test func `PMTiles rejects tiles out of order, and MBTiles accepts them`() throws {
        let tiles = Array(sorted(1...2).reversed())
        #expect { try write(.pmtiles, tiles, { fakePicture($0) }) } throws: {
            ($0 as? ExportFailure)?.reason == .order
        }
        #expect(try write(.mbtiles, tiles, { fakePicture($0) }).tiles == 20)
    }

    @Test func `runs of one body are one entry`() throws {
        _ = try write(.pmtiles, sorted(0...6)) { _ in fakePicture(tile) }
        let header = try #require(PMTilesHeader(folder.bytes("map.pmtiles")))
        #expect((header.addressedTiles, header.tileEntries, header.tileContents) == (5461, 1, 1))
        #expect(header.isClustered && header.minZoom == 0 && header.maxZoom == 6 && header.tileType == .png)
    }

    @Test(arguments: [(1000, 0), (40_000, 1)])
    func `leaf directories are created if the root would be too large`(count: Int, depth: Int) throws {
        let first = TileID.firstHilbertID(zoom: 9)
        // Every second tile, so that no runs form, and ids and sizes don't compress too well.
        let tiles = (0..<count).compactMap { TileID(hilbertID: first + UInt64($0 * 2 + $0 % 3 % 2)) }
        func body(_ tile: TileID) -> [UInt8] { fakePicture(tile) + Array(repeating: 7, count: tile.x % 13) }
        _ = try write(.pmtiles, tiles, body)
        let header = try #require(PMTilesHeader(folder.bytes("map.pmtiles")))
        #expect((header.leaves.length > 0) == (depth > 0))
        #expect(header.root.offset + header.root.length <= 16_384)
        let archive = try Archive.open(path(.pmtiles))
        for tile in tiles { #expect(try archive.tile(tile) == .bitmap(.encoded(body(tile)))) }
        #expect(try archive.inspect(checksContents: true).faults.groups.isEmpty)
    }

    @Test func `leaves get leaves if their pointers would not fit into the root`() throws {
        var writer = try PMTilesDirectoryWriter(besides: folder.path + "/map")
        var random = SplitMix(seed: 2)
        var id: UInt64 = 0
        let count = 300_000
        for _ in 0..<count {
            id +=
                1 + UInt64.random(in: 0...1 << 40, using: &random)
                >> UInt64.random(in: 0...30, using: &random)
            let length = UInt32.random(in: 1...100_000, using: &random)
            try writer.add(
                .init(id: id, run: 1, length: length, offset: UInt64.random(in: 0...1 << 40, using: &random)))
        }
        let packed = try writer.finish(rootLimit: 500)
        #expect(packed.count <= 500 && writer.entryCount == count)
        let leaves = writer.leaves
        func entries(below directory: PMTilesDirectory, _ depth: Int) throws -> Int {
            #expect(depth <= 3)
            return try directory.entries.reduce(0) { sum, entry in
                guard entry.isLeaf else { return sum + 1 }
                let bytes = leaves.read(at: Int(entry.offset), count: Int(entry.length))
                let leaf = try PMTilesDirectory(decoding: Gzip.unpacked(bytes))
                #expect(leaf.entries.first?.id == entry.id)
                return try sum + entries(below: leaf, depth + 1)
            }
        }
        #expect(try entries(below: PMTilesDirectory(decoding: Gzip.unpacked(packed)), 1) == count)
    }

    @Test func `a body is found again only while it is in the index`() {
        var index = BodyIndex<Int>()
        let bodies = (0..<300_000).map {
            ContentHash([
                UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8),
                UInt8(truncatingIfNeeded: $0 >> 16),
            ])
        }
        for (number, hash) in bodies.enumerated() {
            index.remember(number, for: hash)
            #expect(index.location(of: bodies[0]) == 0)
        }
        #expect(index.location(of: bodies[299_999]) == 299_999 && index.location(of: bodies[1]) == nil)
    }

    @Test(
        arguments: [("a.mbtiles", .mbtiles), ("a.b.PMTiles", .pmtiles), ("pmtiles", nil), ("a.zip", nil)]
            as [(String, ArchiveFormat?)])
    func `the extension determines the format`(path: String, format: ArchiveFormat?) {
        #expect(ArchiveFormat(path: path) == format)
    }

    @Test func `any SQLite program reads the tiles, with rows counted from the south`() throws {
        _ = try write(.mbtiles, [tile], { fakePicture($0) })
        let connection = try Connection(path(.mbtiles), .readOnly)
        let rows = try connection.prepare(
            "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles", to: "read")
        #expect(try rows.step())
        #expect((rows.int(0), rows.int(1), rows.int(2)) == (3, 4, 5) && rows.bytes(3) == fakePicture(tile))
        let check = try connection.prepare("PRAGMA integrity_check", to: "check")
        #expect(try check.step() && check.text(0) == "ok")
        #expect(Array(folder.bytes("map.mbtiles")[68..<72]) == Array("MPBX".utf8))
    }
}
