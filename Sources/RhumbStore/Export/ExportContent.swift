internal import RhumbCore

/// What the tiles of an archive are that is being written, and how their bodies are stored in it:
/// vector tiles packed with gzip, pictures bare.
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

    /// Learns what a stored body holds.
    mutating func learn(_ stored: [UInt8]) {
        if kind == .vector { layers.add(ExportContent.plain(stored)) }
    }

    private static func plain(_ body: [UInt8]) -> [UInt8] {
        (try? TileBody.unwrapped(body, "", in: "")) ?? body
    }
}
