import Rhumb
import RhumbTestSupport

/// Targets for files and messages that carry others: sets, compressed bodies, signatures and errors.
extension FuzzTarget {
    static let transferTargets = [
        FuzzTarget("tar", [tar]) { bytes in
            let path = folder.write(bytes, to: "set.tar"), target = folder.path + "/set"
            defer { Folder.erase(target) }
            guard let archive = try? TarReader(path) else { return }
            for name in archive.paths.prefix(20) { try? archive.extract(name, to: target) }
        },
        FuzzTarget("compression", [Gzip.packed(Array("a map, a map, a map".utf8)), zlib], hasDigits: false) {
            bytes in
            for method in [Compression.gzip, .brotli, .zstd] {
                _ = try? method.unpacked(bytes, limit: 1 << 20)
            }
            _ = try? Gzip.unwrapped(bytes, limit: 1 << 20)
        },
        FuzzTarget("signatures", texts: [signature, key]) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let key = MinisignKey(text) ?? MinisignKey(Self.key)
            _ = key.map { ($0.file, $0.fingerprint, $0.isNamed(text)) }
            guard let signature = try? MinisignSignature(bytes), let key else { return }
            _ = try? signature.verify([1, 2, 3], by: key)
        },
        FuzzTarget("hashes", [hashes.bytes], hasDigits: false) { bytes in
            // The checksum of gzip would stop nearly all damaged lists, so they are packed here.
            let packed = bytes.prefix(16) + Gzip.packed(Array(bytes.dropFirst(16)))
            for bytes in [bytes, Array(packed)] {
                guard let list = try? TileHashes(bytes) else { continue }
                _ = (list.bytes, list[.world], hashes.changed(since: list))
                if list.tiles < 100_000 { _ = list.changed(since: hashes) }
            }
        },
        FuzzTarget("patches", [patch, patchedHashes], hasDigits: false) { bytes in
            guard let base else { return }
            let target = folder.path + "/patched.pmtiles"
            // The checksum of gzip would stop nearly all damaged lists, so one is packed here.
            let list = bytes.prefix(16) + Gzip.packed(Array(bytes.dropFirst(16)))
            for bytes in [
                bytes, patch.dropLast(patchTail) + list + littleEndian(list.count) + "RhumbTP1".utf8,
            ] {
                let path = folder.write(bytes, to: "patch.pmtiles")
                _ = try? ArchivePatch.apply(path, to: base, at: target, isReplacing: true)
            }
            let path = folder.write(bytes, to: "new.pmtiles")
            guard let archive = try? PMTilesArchive(path) else { return }
            _ = try? ArchivePatch.make(
                from: base, to: ArchiveInput(path, archive), at: target, isReplacing: true)
        },
        FuzzTarget("errors", texts: [storeError]) { bytes in
            for isSigned in [true, false] {
                _ = S3Problem.sentence(bytes, now: UnixSeconds(1_800_000_000), isSigned: isSigned)
            }
            _ = RetryHint.isRateLimit([:], bytes)
            _ = ContentKind(of: bytes)
        },
    ]

    private static let folder = TemporaryFolder(inMemory: true)

    private static let tar: [UInt8] = {
        func padded(_ bytes: [UInt8]) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
        }
        let list = Array(#"{"format": "rhumb-set", "version": 1, "files": []}"#.utf8)
        return (TarFile.header("set.json", size: list.count) ?? []) + padded(list)
            + (TarFile.header("styles/winter.json", size: 2) ?? []) + padded(Array("{}".utf8))
            + [UInt8](repeating: 0, count: 1024)
    }()

    private static let zlib: [UInt8] = [
        0x78, 0x9C, 0x4B, 0x54, 0xC8, 0x4D, 0x2C, 0xD0, 0x51, 0x40, 0x22, 0, 0x29, 0xF4, 0x05, 0x43,
    ]

    private static let hashes: TileHashes = {
        var hashes = TileHashes(version: "2026.47", beginning: [1, 2, 3])
        hashes.add(0..<1, 7)
        hashes.add(5..<20, 8)
        return hashes
    }()

    private static let base = archive("old.pmtiles", zooms: 0...2, 16)

    private static func archive(_ name: String, zooms: ClosedRange<Int>, _ side: Int) -> ArchiveInput? {
        let tiles = TileID.pyramid(zooms).map { ($0, fakePicture($0, side: $0.zoom == 1 ? side : 16)) }
        let path = folder.write(PMTilesFixture(tiles).bytes, to: name)
        return (try? PMTilesArchive(path)).map { ArchiveInput(path, $0) }
    }

    /// A patch of the tiles that differ between two small archives.
    private static let patch: [UInt8] = {
        let path = folder.path + "/first.pmtiles"
        guard let base, let new = archive("next.pmtiles", zooms: 0...3, 17) else { return [] }
        _ = try? ArchivePatch.make(from: base, to: new, at: path)
        return folder.bytes("first.pmtiles")
    }()

    /// The number of bytes after the tiles of the patch: its list of hashes, the length of that and the mark.
    private static let patchTail =
        patch.suffix(16).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) } + 16

    /// The list of hashes of the patch, unpacked.
    private static let patchedHashes: [UInt8] = {
        let list = patch.suffix(patchTail).dropLast(16)
        return list.prefix(16) + ((try? Gzip.unpacked(Array(list.dropFirst(16)))) ?? [])
    }()

    private static func littleEndian(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static let key =
        "untrusted comment: k\nRWQBAgMEBQYHCAECAwQFBgcIAQIDBAUGBwgBAgMEBQYHCAECAwQFBgcI\n"

    private static let signature =
        "untrusted comment: s\nRUQBAgMEBQYHCA" + String(repeating: "AQIDBAUGBwgB", count: 7)
        + "AQ==\ntrusted comment: t\n" + String(repeating: "AQIDBAUGBwgB", count: 7) + "AQ==\n"

    private static let storeError = """
        <?xml version="1.0"?><Error><Code>RequestTimeTooSkewed</Code><Message>M</Message><Region>eu-north-1</Region>
        <ServerTime>2027-01-15T08:00:00Z</ServerTime></Error>
        """
}
