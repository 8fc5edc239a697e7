public import RhumbCore

/// A tile for stores, whose body can be derived from its number. Like tiles of the sea, every fifth tile
/// shares its body with all others of the same version.
public struct NumberedTile: Sendable {
    public let number: Int

    public init(_ number: Int) { self.number = number }

    public var key: ResourceKey {
        .tile(origin: TileOrigin(source: "numbered", address: "https://tiles.example/{z}/{x}/{y}"), tile)
    }

    public var tile: TileID { TileID(zoom: 12, x: number % 4096, y: number / 4096 % 4096) ?? .world }

    /// Returns the body, which has 1 to 12 kB. Its first bytes are the version and the number.
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

    /// Returns the version of a body, or nil if it isn't a complete body of this tile.
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
