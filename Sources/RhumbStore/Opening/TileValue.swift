internal import Glibc
public import RhumbCore
public import RhumbEngine

/// A tile with the value of a measure.
public struct TileValue: Sendable, Equatable {
    /// The tile.
    public let tile: TileID
    /// The value, in the unit of the measure.
    public let value: Int
}

extension TileArchive {
    /// Returns the value of a tile; nil if there is no such tile, or the archive doesn't know its age.
    /// - Throws: `TileFailure` if the tile is damaged.
    public func value(of tile: TileID, by measure: TileMeasure) throws(TileFailure) -> Int? {
        if measure == .age { return age(of: tile) }
        return try storedBody(tile).flatMap { TileValue.value(of: $0, by: measure, compression) }
    }

    private func age(of tile: TileID) -> Int? {
        guard let file = (self as? TileFolder)?.file(of: tile), let facts = FileFacts(file) else {
            return nil
        }
        return max(Int(time(nil)) - Int(facts.modified.value), 0)
    }

    /// Returns the tiles with the largest values, largest first. Reads all tiles on all cores.
    /// - Parameters:
    ///   - limit: The maximum number of tiles.
    ///   - sample: The maximum number of tiles to read at each zoom; nil for all.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed; `CancellationError` if the task is cancelled.
    public func largestTiles(by measure: TileMeasure, limit: Int, sample: Int? = nil) throws -> [TileValue] {
        var found: [TileValue] = []
        _ = try TileTraversal(archive: self, sample: sample).visit { run -> Int? in
            if measure == .age { return run.first.flatMap(age) }
            return (try? run.body.get()).flatMap { TileValue.value(of: $0, by: measure, run.compression) }
        } collect: { run, value in
            guard let value, let tile = run.first else { return }
            let at = found.partitioningIndex { ($0.value, tile) < (value, $0.tile) }
            guard at < limit else { return }
            found.insert(TileValue(tile: tile, value: value), at: at)
            if found.count > limit { found.removeLast() }
        }
        return found
    }
}

extension TileValue {
    /// Returns the value of a body; nil for the age, or if the body is no vector tile.
    public static func value(
        of stored: [UInt8], by measure: TileMeasure, _ compression: Compression = .unknown
    ) -> Int? {
        switch measure {
        case .bytes: return stored.count
        case .age: return nil
        case .features, .vertices: break
        }
        guard let plain = try? TileBody.unwrapped(stored, "", in: "", compression),
            !TileKind(of: plain).isPicture,
            let tile = try? VectorTile(plain)
        else { return nil }
        return tile.layerNames.indices.reduce(0) { sum, index in
            guard let size = try? tile.size(ofLayer: index) else { return sum }
            return sum + (measure == .features ? size.features : size.vertices)
        }
    }
}
