internal import RhumbCore

/// The tile kind of an archive being written, and the encoding of its bodies: gzip for vector tiles, none for
/// pictures.
struct ExportContent {
    /// The kind of the tiles, from the label or the first tile.
    private(set) var kind: TileKind
    private var layers: VectorLayerList
    /// The layers from the label; nil to collect them from the tiles.
    private let declaredLayers: JSON?

    init(_ label: ExportLabel) {
        declaredLayers = label.vectorLayerList
        kind = label.holdsVectorTiles ? .vector : .unknown
        layers = VectorLayerList(label.vectorLayers)
    }

    /// The value of `vector_layers`; nil for other kinds of tiles.
    var vectorLayers: JSON? {
        guard kind == .vector else { return nil }
        return declaredLayers ?? layers.json
    }

    /// Returns a body as the archive stores it.
    mutating func stored(_ body: [UInt8]) -> [UInt8] {
        if kind == .vector, body.starts(with: [0x1F, 0x8B]) { return body }
        let plain = ExportContent.plain(body)
        if kind == .unknown { kind = TileKind(of: plain) }
        return kind == .vector ? Gzip.packed(plain) : plain
    }

    /// Adds the layers of a stored body.
    mutating func inspect(_ stored: [UInt8]) {
        if kind == .vector, declaredLayers == nil { layers.add(ExportContent.plain(stored)) }
    }

    private static func plain(_ body: [UInt8]) -> [UInt8] {
        (try? TileBody.unwrapped(body, "", in: "")) ?? body
    }
}
