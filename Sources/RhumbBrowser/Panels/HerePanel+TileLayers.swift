public import RhumbCore
public import RhumbEngine

/// A query for the layers of a vector tile.
public struct TileLayersQuery: Query {
    /// A layer of the tile.
    public struct Row: Sendable, Equatable {
        /// The name, sanitised.
        public let name: String
        /// The contents.
        public let size: LayerSize
        /// The number of different attributes.
        public let fields: Int

        /// Creates a row.
        public init(name: String, size: LayerSize, fields: Int) {
            self.name = name
            self.size = size
            self.fields = fields
        }
    }

    /// The map layer.
    public let layer: TileLayer.ID
    /// The tile.
    public let tile: TileID

    public typealias Response = [Row]
}

extension HerePanel {
    /// Queries the layers of the tile at the point, for a map of vector tiles.
    mutating func askTileLayers(_ browser: Browser) -> [Action] {
        guard browser.isAtRest, let layer = browser.base, layer.drawing != nil else { return [] }
        let point = browser.map.viewport.world(column: browser.point.column, row: browser.point.row)
        let zoom = layer.tileZoom(at: browser.map.viewport.camera.zoom)
        let query = TileLayersQuery(layer: layer.id, tile: TileID(zoom: zoom, containing: point))
        return tileLayers.ask(query, at: browser.map.now) ? [.ask(query)] : []
    }

    /// The layers of the tile, with sizes, features and attributes.
    func tileLayerLines(_ layer: TileLayer.ID) -> [PanelText.Line] {
        guard tileLayers.asked?.layer == layer, let rows = tileLayers.current, !rows.isEmpty else {
            return []
        }
        return rows.flatMap { row in
            [
                PanelText.Line.fact(row.name, AmountText.bytes(row.size.bytes)),
                PanelText.Line(text: HereText.contents(row.size, fields: row.fields)),
            ]
        }
    }
}
