import Glibc
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Tests archives that are compressed with Brotli or Zstandard.
struct CompressionTests {
    private let folder = TemporaryFolder()

    private static let methods: [Compression] = [.brotli, .zstd]

    private static let text = Array(
        (0..<300).map { "tile \($0 % 37) of the north and the south; " }.joined().utf8)
    /// The text as compressed by brotli 1.2 and zstd 1.5, the latter also without a size and with a checksum.
    private static let packed: [(Compression, String)] = [
        (
            .brotli,
            "G9spKB2H6cZZ1twJsv0aJI2Njg4OSQNsr1M7ZQwGByCHozzgxAsuynuM9Q3n2obJt7d01ahvxWIbDQQCiUJjcHDx8M+IegWUKrVG"
                + "R1cPP8tWKFVqjY6uHn5WrVCq1Jr4PBsHwB4B"
        ),
        (
            .zstd,
            "KLUv/WDcKE0DAEIEDhCgPfQnTW8A2CxRZmYo+F+B782rgIcI782rYIcI782rOkR4b15NkmBsz7CSCbrG8iSYqCXIsxQMJ6gx4GzW"
                + "38CjVsYRRAT/f0OYqe9/Bq+kpUpAbhENPBCDnkMWi9L5tmC20bG2Kg=="
        ),
        (
            .zstd,
            "KLUv/QQgTQMAQgQOEKA99CdNbwDYLFFmZij4X4HvzauAhwjvzatghwjvzas6RHhvXk2SYGzPsJIJusbyJJioJcizFAwnqDHgbNbf"
                + "wKNWxhFEBP9/Q5ip738Gr6SlSkBuEQ08EIOeQxaL0vm2YLbRsbYqXXf2fw=="
        ),
    ]

    private static func decoded(_ base64: String) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let digits = base64.utf8.compactMap { letters.firstIndex(of: $0) }
        return stride(from: 0, to: digits.count, by: 4).flatMap { at -> [UInt8] in
            let group = digits[at..<min(at + 4, digits.count)]
            let number = group.reduce(0) { $0 << 6 | $1 } << (6 * (4 - group.count))
            return (0..<group.count - 1).map { UInt8(number >> (16 - 8 * $0) & 255) }
        }
    }

    @Test(arguments: packed.indices)
    func `data of other programs is decompressed, and damage is detected`(index: Int) throws {
        let (method, base64) = Self.packed[index], packed = Self.decoded(base64)
        #expect(try method.unpacked(packed) == Self.text)
        for count in 0..<packed.count {
            #expect(throws: Gzip.Failure.damaged) { try method.unpacked(Array(packed[..<count])) }
        }
        #expect(throws: Gzip.Failure.tooLarge) { try method.unpacked(packed, limit: Self.text.count - 1) }
        #expect(try method.unpacked(packed, limit: Self.text.count) == Self.text)
    }

    @Test(arguments: methods)
    func `data of any size is decompressed up to the limit`(method: Compression) throws {
        for count in [0, 1, 65_536, 300_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(try method.unpacked(method.stored(bytes)) == bytes)
        }
        // 40 MiB of zeros, from 67 bytes of Brotli, and from Zstandard's blocks of one repeated byte.
        let zeros =
            method == .brotli
            ? Self.decoded(
                "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//Bg=="
            )
            : [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50] + (0..<320).flatMap { [$0 == 319 ? 3 : 2, 0, 16, 0] }
        #expect(throws: Gzip.Failure.tooLarge) { try method.unpacked(zeros) }
        #expect(try method.unpacked(zeros, limit: 64 << 20).count == 40 << 20)
    }

    @Test(arguments: methods)
    func `an archive is read, inspected, verified and converted`(method: Compression) throws {
        var fixture = PMTilesFixture(zooms: 0...4)
        fixture.compression = method
        fixture.leafSize = 16
        let path = folder.write(fixture.bytes, to: "map.pmtiles")
        let archive = try Archive.open(path, probe: imageProbe)
        #expect(archive.refusal == nil && archive.info.name == "A map")
        for tile in TileID.pyramid(0...4) {
            #expect(try archive.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
            #expect(try archive.storedBody(tile) == method.stored(fakePicture(tile)))
        }
        let found = try archive.inspect(checksContents: true, decode: imageDecode)
        #expect(found.tileCount == 341 && found.kinds.map(\.kind) == [.png] && found.faults.groups.isEmpty)
        let check = try archive.verify(probe: imageProbe, decode: imageDecode)
        #expect(check.tileCount == 341 && check.unchecked == nil)
        #expect(check.groups.allSatisfy { $0.kind == .format }, "\(check.groups)")
        for output in ArchiveCopyTests.outputs {
            let copy = folder.path + "/" + output
            _ = try ArchiveCopy(of: ArchiveInput(path, archive), to: copy).convert()
            let result = try ArchiveInput(copy, Archive.open(copy))
            #expect(try ArchiveDiff(ArchiveInput(path, archive), result).isEqual)
        }
        let repaired = folder.path + "/repaired.pmtiles"
        _ = try ArchiveCopy(of: ArchiveInput(path, archive), to: repaired).repair(check)
        #expect(try Archive.open(repaired).tile(.world) == .bitmap(.encoded(fakePicture(.world))))
    }

    @Test(arguments: methods)
    func `a damaged tile is named, and the others are read`(method: Compression) throws {
        var fixture = PMTilesFixture(zooms: 0...1)
        fixture.compression = method
        var bytes = fixture.bytes
        let header = try #require(PMTilesHeader(bytes))
        for at in 0..<4 { bytes[Int(header.tiles.offset) + at] = 0xFF }
        let path = folder.write(bytes, to: "map.pmtiles")
        let archive = try Archive.open(path)
        let failure = #expect(throws: TileFailure.self) { try archive.tile(.world) }
        #expect(failure?.message.contains("invalid \(method.name) data") == true)
        #expect(try archive.tile(TileID(zoom: 1, x: 0, y: 0)!) != .absent)
        let faults = try archive.verify().groups.first { $0.kind == .compression }?.faults
        #expect(faults?.map(\.problem) == ["its \(method.name) data is damaged"])
    }

    @Test(arguments: methods)
    func `damaged directories are named`(method: Compression) {
        var fixture = PMTilesFixture(zooms: 0...1)
        fixture.compression = method
        fixture.patches = (127..<140).map { ($0, 0xFF) }
        let failure = #expect(throws: ArchiveFailure.self) {
            try Archive.open(folder.write(fixture.bytes, to: "map.pmtiles"))
        }
        #expect(failure?.problem.contains("invalid \(method.name) data") == true)
    }
}
