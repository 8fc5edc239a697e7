public import RhumbCore
internal import RhumbStore

/// Reading the lines of streets.
extension OfflineSearchEngine {
    /// The maximum number of tiles read for a street.
    private static let mostTiles = 64

    /// Returns the lines of a found street, each with its two end points; empty if its tiles can't be read.
    public func lines(of street: FeatureMatch) -> [[WorldPoint]] {
        guard street.category == .street, let (source, middle) = (try? tiles(at: street.coordinate))?.first
        else { return [] }
        let first = TileID(zoom: middle.zoom, containing: WorldPoint(x: street.box.minX, y: street.box.minY))
        let last = TileID(zoom: middle.zoom, containing: WorldPoint(x: street.box.maxX, y: street.box.maxY))
        let columns = last.x - first.x + 1, rows = last.y - first.y + 1
        guard columns > 0, rows > 0, columns * rows <= Self.mostTiles else { return [] }
        return (0..<columns * rows).flatMap { index -> [[WorldPoint]] in
            guard
                let tile = TileID(
                    zoom: middle.zoom, x: first.x + index % columns, y: first.y + index / columns),
                let bytes = body(tile, of: source), let read = try? VectorTile(bytes)
            else { return [] }
            return TileFeatures.lines(ofStreet: street.name, in: read, at: tile)
        }
    }

    /// Returns a stored tile of a source; nil if there is none.
    func body(_ tile: TileID, of source: String) -> [UInt8]? {
        for holder in holders {
            if let bytes = holder.body(tile, of: source) { return bytes }
        }
        return nil
    }

    /// Returns the attribution of a source of `roadStores`: that of an archive, or of a region's source; nil
    /// if unknown.
    func attribution(of source: String) -> String? {
        let parts = ((try? regions?.regions()) ?? []).flatMap(\.parts)
        return archives.attribution(of: source)
            ?? parts.first { $0.origin.description == source }?.definition?.attribution
    }
}
