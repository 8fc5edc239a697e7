internal import RhumbCore
internal import RhumbEngine

/// The compression of tile bodies.
package enum TileBody {
    /// Returns the form in which a region stores a tile: a vector tile as it was received, if that is gzip,
    /// else as `packed` does. The tiles of a city take about 1.6 times the space unpacked.
    /// - Parameters:
    ///   - received: The body as a server sent it or an archive has it.
    ///   - plain: The unpacked body.
    package static func stored(_ received: [UInt8], _ plain: [UInt8]) -> [UInt8] {
        // Brotli has no signature, so the size at the end must be right, too. It differs if gzip members are
        // joined, or if bytes follow them.
        let size = Int(littleEndian: received.suffix(4))
        let isGzip = received.starts(with: [0x1F, 0x8B, 8]) && size == plain.count
        return isGzip && received.count < plain.count && TileKind(of: plain).isVector
            ? received : packed(plain)
    }

    /// Returns a vector tile as gzip if that is smaller, and any other body unchanged. Small tiles gain
    /// little.
    package static func packed(_ body: [UInt8]) -> [UInt8] {
        guard body.count >= smallest, TileKind(of: body).isVector else { return body }
        let packed = Gzip.packed(body)
        return packed.count < body.count ? packed : body
    }

    /// The size in bytes of the smallest tile that is packed.
    private static let smallest = 512
    /// The size of tiles in gzip compared with their size in Brotli or Zstandard, at most: 1.13 for Florence
    /// in Brotli of the highest quality.
    package static let packedRatio = 1.2

    /// Returns the decompressed body; empty for a body without bytes.
    /// - Parameter declared: The compression that the archive declares.
    /// - Throws: `TileFailure` naming the tile if it is damaged or too large.
    static func unwrapped(
        _ bytes: [UInt8], _ tile: String, in file: String, _ declared: Compression = .unknown
    ) throws(TileFailure) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let compression = declared.actual(of: bytes)
        if let package = compression.missingPackage {
            throw bad(
                tile, file, "is compressed with \(compression.name); install the Debian package \(package)")
        }
        do {
            return try compression.unpacked(bytes)
        } catch .tooLarge {
            throw bad(tile, file, "decompresses to more than \(Gzip.limit >> 20) MiB")
        } catch {
            throw bad(tile, file, "has invalid \(compression.name) data")
        }
    }

    static func bad(_ tile: String, _ file: String, _ problem: String) -> TileFailure {
        TileFailure(
            .badContent, "tile \(tile) of \(SafeText.sanitised(file)): it \(problem)", remedy: .inspectArchive
        )
    }

    /// Returns a body that is like most others of an archive, because the first one may be damaged or of
    /// another size.
    /// - Parameters:
    ///   - declared: The declared kind; nil if unknown.
    ///   - bodies: Returns the unpacked bodies of the first tiles, at most as many as a limit.
    static func sample(
        _ declared: TileKind?, _ probe: TileProbe?, _ bodies: (_ limit: Int) -> [[UInt8]]
    ) -> [UInt8]? {
        func isSound(_ body: [UInt8], _ kind: TileKind) -> Bool {
            TileKind(of: body) == kind && (!kind.isPicture || probe == nil || size(of: body, probe) != nil)
        }
        func width(_ body: [UInt8]) -> Int { probe?(body)?.width ?? 0 }
        if let declared, let first = bodies(1).first, isSound(first, declared),
            [0, 256, 512].contains(width(first))
        {
            return first
        }
        let all = bodies(sampleLimit)
        let counts = Dictionary(all.map { (TileKind(of: $0), 1) }, uniquingKeysWith: +)
        let kinds = all.map { TileKind(of: $0) }.filter { $0 != .unknown }
        guard let usual = kinds.max(by: { counts[$0, default: 0] < counts[$1, default: 0] }) else {
            return all.first
        }
        let sound = all.filter { isSound($0, usual) }
        let widths = Dictionary(sound.map { (width($0), 1) }, uniquingKeysWith: +)
        return sound.max { widths[width($0), default: 0] < widths[width($1), default: 0] }
            ?? all.first { TileKind(of: $0) == usual }
    }

    /// The number of tiles that are examined if the first one is not of the declared kind or of a usual size.
    private static let sampleLimit = 9

    /// Returns the size of a tile; nil if it is unknown or unsupported.
    static func size(of body: [UInt8]?, _ probe: TileProbe?) -> TileSize? {
        guard let body, let picture = probe?(body) else { return nil }
        return TileSize(rawValue: picture.width)
    }
}
