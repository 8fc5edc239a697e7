internal import RhumbCore

/// The tile kind of an archive being written, and the encoding of its bodies: gzip for vector tiles, none for
/// pictures.
struct ExportContent {
    /// The kind of the tiles, from the label or the first tile.
    private(set) var kind: TileKind
    private var layers: VectorLayerList
    /// The layers from the label; nil to collect them from the tiles.
    private let declaredLayers: JSON?
    /// True once the first tile was examined.
    private var isKnown = false

    init(_ label: ExportLabel) {
        declaredLayers = label.vectorLayerList
        kind = label.holdsVectorTiles ? .vector : .unknown
        layers = VectorLayerList(label.vectorLayers)
    }

    /// The value of `vector_layers`; nil for other kinds of tiles.
    var vectorLayers: JSON? {
        guard kind.isVector else { return nil }
        return declaredLayers ?? layers.json
    }

    /// Returns a body as the archive stores it.
    mutating func stored(_ body: [UInt8]) -> [UInt8] {
        if kind.isVector, isKnown, body.starts(with: [0x1F, 0x8B]) { return body }
        let plain = ExportContent.plain(body)
        if kind == .unknown || !isKnown { kind = kind.refined(by: plain) }
        isKnown = true
        if kind.isVector, body.starts(with: [0x1F, 0x8B]) { return body }
        return kind.isVector ? Gzip.packed(plain) : plain
    }

    /// Adds the layers of a stored body.
    mutating func inspect(_ stored: [UInt8]) {
        if kind.isVector, declaredLayers == nil { layers.add(ExportContent.plain(stored)) }
    }

    private static func plain(_ body: [UInt8]) -> [UInt8] {
        (try? TileBody.unwrapped(body, "", in: "")) ?? body
    }
}

extension TileKind {
    /// Returns the kind of an archive's tiles, after its first body.
    func refined(by plain: [UInt8]) -> TileKind {
        let found = TileKind(of: plain)
        return self == .unknown || found == .mapLibre ? found : self
    }
}
