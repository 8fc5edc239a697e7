internal import RhumbCore

/// The contents of an archive that is being written, and the encoding of its bodies: vector tiles with gzip,
/// images as they are.
struct ExportContent {
    /// As the label or the first tile says.
    private(set) var kind: TileKind
    private var layers: VectorLayerList

    init(_ label: ExportLabel) {
        kind = label.holdsVectorTiles ? .vector : .unknown
        layers = VectorLayerList(label.vectorLayers)
    }

    /// `vector_layers` as the formats have it; nil for tiles of other kinds.
    var vectorLayers: JSON? { kind == .vector ? layers.json : nil }

    /// A body as the archive stores it.
    mutating func stored(_ body: [UInt8]) -> [UInt8] {
        if kind == .vector, body.starts(with: [0x1F, 0x8B]) { return body }
        let plain = ExportContent.plain(body)
        if kind == .unknown { kind = TileKind(of: plain) }
        return kind == .vector ? Gzip.packed(plain) : plain
    }

    /// Notes the vector layers of a stored body.
    mutating func learn(_ stored: [UInt8]) {
        if kind == .vector { layers.add(ExportContent.plain(stored)) }
    }

    private static func plain(_ body: [UInt8]) -> [UInt8] {
        (try? TileBody.unwrapped(body, "", in: "")) ?? body
    }
}
