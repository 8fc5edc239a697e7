internal import RhumbCore
internal import Synchronization

/// A vector tile whose layers are decoded once, whichever threads want them.
final class DecodedTile: Sendable {
    let tile: VectorTile
    private let layers = Mutex<[String: VectorLayer?]>([:])

    init(_ tile: VectorTile) { self.tile = tile }

    /// The layer of a name; nil if there is none or it is damaged.
    func layer(_ name: String) -> VectorLayer? {
        layers.withLock { layers in
            if let known = layers[name] { return known }
            let decoded = (try? tile.layer(named: name)).flatMap(\.self)
            layers[name] = .some(decoded)
            return decoded
        }
    }
}

extension VectorTile {
    /// About the bytes it takes once all its layers are decoded.
    fileprivate var weight: Int { size + itemCount * 48 }
}

/// The few decoded tiles used last: beyond the data's deepest zoom many pictures come from one.
final class DecodedTiles: Sendable {
    private static let limit = 6
    /// In bytes; the tile used last is always kept.
    private static let weightLimit = 48 << 20
    private let recent = Mutex<[(id: TileID, bytes: [UInt8], tile: DecodedTile)]>([])

    /// What is kept of a tile.
    /// - Parameter bytes: what it must have been made from; nil: it never changes.
    func tile(_ id: TileID, from bytes: [UInt8]? = nil) -> DecodedTile? {
        recent.withLock { recent in
            guard let index = recent.firstIndex(where: { $0.id == id && (bytes == nil || $0.bytes == bytes) })
            else { return nil }
            let found = recent.remove(at: index)
            recent.append(found)
            return found.tile
        }
    }

    /// Keeps a tile, or takes up what another thread kept of it meanwhile.
    func keep(_ tile: VectorTile, from bytes: [UInt8]? = nil, as id: TileID) -> DecodedTile {
        if let known = self.tile(id, from: bytes) { return known }
        let decoded = DecodedTile(tile)
        recent.withLock { recent in
            recent.append((id, bytes ?? [], decoded))
            while recent.count > 1, recent.count > Self.limit || recent.reduce(0, { $0 + $1.tile.tile.weight }) > Self.weightLimit {
                recent.removeFirst()
            }
        }
        return decoded
    }
}
