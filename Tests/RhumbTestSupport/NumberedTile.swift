public import RhumbCore

/// A tile to be kept whose body can be checked from its number: every fifth shares one with all
/// others of its version, as the sea does.
public struct NumberedTile: Sendable {
    public let number: Int

    public init(_ number: Int) { self.number = number }

    public var key: ResourceKey {
        .tile(origin: TileOrigin(source: "numbered", address: "https://tiles.example/{z}/{x}/{y}"), tile)
    }

    public var tile: TileID { TileID(zoom: 12, x: number % 4096, y: number / 4096 % 4096) ?? .world }

    /// Its body; between 1 and 12 kB, the first bytes say of what version and which.
    public func body(version: Int) -> [UInt8] {
        let part = number % 5 == 0 ? 0 : number
        var generator = SplitMix(seed: UInt64(part) << 20 | UInt64(version))
        let filling = [UInt8](
            repeating: UInt8(generator.next() & 255), count: 1000 + Int(generator.next() % 11_000))
        return NumberedTile.bytes(of: UInt64(version)) + NumberedTile.bytes(of: UInt64(part)) + filling
            + NumberedTile.bytes(of: generator.next())
    }

    public func response(version: Int, at now: UnixSeconds = UnixSeconds(1_800_000_000)) -> StoredResponse {
        let freshness = Freshness(receivedAt: now, initialAge: 0, lifetime: 3600)
        return StoredResponse(
            body: body(version: version), freshness: freshness, headers: ["ETag": "\"\(version)\""])
    }

    /// The version of a body, if it is one of this tile's, whole.
    public func version(of body: [UInt8]) -> Int? {
        guard body.count >= 8 else { return nil }
        let version = Int(
            truncatingIfNeeded: body.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        return version >= 0 && self.body(version: version) == body ? version : nil
    }

    private static func bytes(of word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
}
