import Glibc
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Tests archives that declare more than they contain, or decompress to excessive sizes.
struct PMTilesBudgetTests {
    private let folder = TemporaryFolder()

    /// Creates an uncompressed archive with the directories and some tile data.
    private func archive(
        root: PMTilesDirectory, leaves: [UInt8] = [], tiles: UInt64 = 4,
        change: (inout PMTilesHeader) -> Void = { _ in }
    ) throws -> PMTilesArchive {
        var header = PMTilesHeader()
        let root = root.encoded
        header.root = .init(offset: 127, length: UInt64(root.count))
        header.leaves = .init(offset: header.root.end, length: UInt64(leaves.count))
        header.tiles = .init(offset: header.leaves.end, length: tiles)
        header.internalCompression = .none
        change(&header)
        let path = folder.path + "/claims.pmtiles"
        folder.write(header.bytes + root + leaves + [1, 2, 3, 4], to: "claims.pmtiles")
        truncate(path, Int(max(header.tiles.end, header.leaves.end)))
        return try PMTilesArchive(path)
    }

    @Test func `the end of a section never overflows`() {
        for offset in [0, 1 << 62, 1 << 63, UInt64.max - 1, .max] {
            for length in [0, 1, 1 << 62, 1 << 63, UInt64.max] {
                let section = FileSection(offset: offset, length: length)
                #expect(section.end >= section.offset && section.end <= FileSection.farthest)
                #expect(section.fits(size: nil) == (section.end < FileSection.farthest))
                #expect(section.part(offset: .max, length: .max) == nil)
            }
        }
        let whole = FileSection(offset: 10, length: 5)
        #expect(whole.part(offset: 1, length: 4) == FileSection(offset: 11, length: 4))
        #expect(whole.part(offset: 2, length: 4) == nil)
        #expect(
            FileSection(offset: 11, length: 2).bytes(in: [1, 2, 3, 4, 5], of: whole).map(Array.init) == [
                2, 3,
            ])
        #expect(FileSection(offset: 9, length: 2).bytes(in: [1, 2, 3, 4, 5], of: whole) == nil)
        #expect(FileSection(offset: 14, length: 2).bytes(in: [1, 2, 3, 4, 5], of: whole) == nil)
    }

    @Test(arguments: [1 << 62, UInt64(1) << 63, .max - 70_000, .max])
    func `sections beyond any file are rejected if the size is unknown`(offset: UInt64) {
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: 1)
        var bytes = header.bytes
        for at in 0..<8 { bytes[56 + at] = UInt8(truncatingIfNeeded: offset >> UInt64(8 * at)) }
        for at in 0..<8 { bytes[64 + at] = 0xFF }
        #expect(throws: ArchiveFailure.self) {
            try PMTilesIndex(start: bytes + [0], name: "far") { _, _ throws(TileFailure) in [] }
        }
    }

    @Test func `an entry that claims four gigabytes is rejected before anything is read`() throws {
        let entry = PMTilesDirectory.Entry(id: 0, run: 1, length: .max, offset: 0)
        let archive = try archive(root: PMTilesDirectory([entry]), tiles: 5 << 30)
        let failure = #expect(throws: TileFailure.self) { try archive.tile(.world) }
        #expect(failure?.message.contains("over the limit of 16 MiB") == true)
        #expect(try archive.inspect(checksContents: true).faults.has(.unreadable))
    }

    @Test func `a leaf that claims four gigabytes is rejected before anything is read`() throws {
        let entry = PMTilesDirectory.Entry(id: 0, run: 0, length: .max, offset: 0)
        let archive = try archive(root: PMTilesDirectory([entry])) {
            $0.leaves = .init(offset: $0.root.end, length: 5 << 30)
        }
        let failure = #expect(throws: TileFailure.self) { try archive.tile(.world) }
        #expect(failure?.message.contains("over the limit of 4 MiB") == true)
    }

    @Test func `a directory that decompresses to hundreds of megabytes is rejected`() throws {
        let bomb = Gzip.packed([UInt8](repeating: 0, count: 40 << 20))
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: UInt64(bomb.count))
        let path = folder.write(header.bytes + bomb, to: "bomb.pmtiles")
        let failure = #expect(throws: ArchiveFailure.self) { try PMTilesArchive(path) }
        #expect(failure?.problem.contains("decompresses to more than 16 MiB") == true)
    }

    @Test func `a directory with more entries than the limit is rejected`() {
        var bytes: [UInt8] = []
        bytes.append(varint: UInt64(PMTilesDirectory.entryLimit) + 1)
        bytes += [UInt8](repeating: 1, count: 4 * (PMTilesDirectory.entryLimit + 1))
        #expect(throws: Varints.Failure.self) { try PMTilesDirectory(decoding: bytes) }
    }

    @Test func `overlapping leaves are read only once`() throws {
        // A leaf begins at each byte of the leaf section, and each leaf refers to the next thousand.
        let leaf = PMTilesDirectory(
            (0..<1000).map { .init(id: UInt64($0), run: 0, length: 4000, offset: UInt64($0)) })
        let archive = try archive(root: leaf, leaves: leaf.encoded + [UInt8](repeating: 0, count: 4000))
        let found = try archive.inspect(checksContents: true)
        #expect(
            found.faults.groups.contains {
                $0.kind == .directory && $0.faults.contains { $0.problem.contains("overlap") }
            }
        )
    }

    @Test func `reading overlapping bodies is limited to twice the number of stored bytes`() throws {
        let entries = (0..<2000).map {
            PMTilesDirectory.Entry(id: UInt64($0), run: 1, length: 1 << 20, offset: UInt64($0))
        }
        let found = try archive(root: PMTilesDirectory(entries), tiles: 2 << 20).inspect(checksContents: true)
        #expect(found.bodies.storedBytes <= 4 << 20)
        #expect(found.faults.groups.contains { $0.kind == .unreadable && $0.count >= 1996 })
    }

    @Test func `runs of billions of tiles can be counted`() throws {
        let deep = TileID.firstHilbertID(zoom: 29)
        let entries = (0..<400).map {
            PMTilesDirectory.Entry(id: deep + UInt64($0) << 32, run: .max, length: 1 << 20, offset: 0)
        }
        let found = try archive(root: PMTilesDirectory(entries), tiles: 1 << 20).inspect(checksContents: true)
        #expect(found.tileCount == 400 * Int(UInt32.max) && found.byteCount > 0)
    }
}
