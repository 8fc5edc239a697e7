internal import RhumbCore

/// The tile kind of an archive being written, and the encoding of its bodies: gzip for vector tiles, none for
/// pictures.
struct ExportContent {
    /// The kind of the tiles, from the label or the first tile.
    private(set) var kind: TileKind
    private var layers: VectorLayerList

    init(_ label: ExportLabel) {
        kind = label.holdsVectorTiles ? .vector : .unknown
        layers = VectorLayerList(label.vectorLayers)
    }

    /// The value of `vector_layers`; nil for other kinds of tiles.
    var vectorLayers: JSON? { kind == .vector ? layers.json : nil }

    /// Returns a body as the archive stores it.
    mutating func stored(_ body: [UInt8]) -> [UInt8] {
        if kind == .vector, body.starts(with: [0x1F, 0x8B]) { return body }
        let plain = ExportContent.plain(body)
        if kind == .unknown { kind = TileKind(of: plain) }
        return kind == .vector ? Gzip.packed(plain) : plain
    }

    /// Adds the layers of a stored body.
    mutating func inspect(_ stored: [UInt8]) {
        if kind == .vector { layers.add(ExportContent.plain(stored)) }
    }

    private static func plain(_ body: [UInt8]) -> [UInt8] {
        (try? TileBody.unwrapped(body, "", in: "")) ?? body
    }
}
