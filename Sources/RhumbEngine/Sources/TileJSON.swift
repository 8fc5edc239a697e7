public import RhumbCore

/// Reads TileJSON 2 and 3 documents. An invalid optional member counts as absent; an invalid required one
/// makes the document unusable.
public enum TileJSON {
    /// Returns the source that a document describes.
    /// - Parameters:
    ///   - document: The parsed document.
    ///   - url: The document's address. Its templates may be relative to it.
    ///   - id: The id of the source.
    ///   - base: The defaults for missing members: keys, policy, tile size.
    /// - Throws: `SourceFailure`.
    public static func read(
        _ document: JSON, from url: String, id: String, base: SourceDefinition? = nil
    ) throws(SourceFailure) -> SourceDefinition {
        let major = document["tilejson"]?.string.flatMap { $0.split(separator: ".").first.map(String.init) }
        guard document["layers"]?.array == nil else {
            throw .definition(
                source: id,
                "the document is a map style, not a TileJSON; use the TileJSON of its "
                    + "raster source, or a template with {z}, {x} and {y}")
        }
        guard major == "2" || major == "3" else {
            throw .definition(
                source: id, "the document is not TileJSON 2 or 3: \"tilejson\" is missing or invalid")
        }
        let templates = (document["tiles"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
        guard !templates.isEmpty else {
            throw .definition(source: id, "the TileJSON document lists no \"tiles\"")
        }
        var source = base ?? SourceDefinition(id: id, name: id, addresses: [])
        if base == nil { source.isTileSizeAssumed = true }
        source.kind = .tiles
        if URLReference(url).isWeb { source.document = HTTPAddress(url).canonical }
        let isTMS = document["scheme"]?.string == "tms"
        source.addresses = templates.map { address(of: $0, in: url, isTMS: isTMS) }
        source.isVector =
            source.isVector || document["vector_layers"]?.array?.isEmpty == false
            || ["pbf", "mvt"].contains(document["format"]?.string?.lowercased() ?? "")
        source.vectorLayers = (document["vector_layers"]?.array ?? []).compactMap { $0["id"]?.string }
        source.elevation =
            document["encoding"]?.string.flatMap(ElevationEncoding.init(name:)) ?? source.elevation
        readTexts(document, into: &source)
        readExtent(document, into: &source)
        source.nameKeys()
        _ = try source.templates()
        return source
    }

    private static func address(of template: String, in url: String, isTMS: Bool) -> String {
        let here = URLReference(url)
        let full = here.isWeb ? here.resolving(URLReference(template)).description : template
        return isTMS ? full.replacing("{y}", with: "{-y}") : full
    }

    private static func readTexts(_ document: JSON, into source: inout SourceDefinition) {
        func text(_ name: String) -> String? {
            document[name]?.string.map { SafeText.plain(html: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        // Keeps the name from the list of sources, which the user knows; the document's may be "planet".
        if source.name == source.id { source.name = text("name") ?? source.name }
        source.attribution = text("attribution") ?? source.attribution
        source.dataVersion = text("version")
    }

    private static func readExtent(_ document: JSON, into source: inout SourceDefinition) {
        let low = zoom(document["minzoom"]) ?? 0, high = zoom(document["maxzoom"]) ?? usualDepth(source)
        source.zooms = low <= high ? low...high : 0...usualDepth(source)
        source.bounds = document["bounds"].flatMap(Bounds.init(json:)) ?? source.bounds
        if let size = document["tileSize"]?.int.flatMap(TileSize.init(rawValue:)) {
            source.tileSize = size
            source.isTileSizeAssumed = false
        } else if source.isTileSizeAssumed {
            source.assumeTileSize()
        }
        let center = (document["center"]?.array ?? []).compactMap(\.double)
        guard center.count >= 2 else { return }
        source.center = Coordinate(latitude: center[1], longitude: center[0])
        source.centerZoom = center.count > 2 ? center[2] : nil
    }

    private static func usualDepth(_ source: SourceDefinition) -> Int {
        source.holdsVectorTiles ? SourceDefinition.usualVectorDepth : TileID.maximumZoom
    }

    private static func zoom(_ json: JSON?) -> Int? {
        json?.int.flatMap { (0...TileID.maximumZoom).contains($0) ? $0 : nil }
    }
}
