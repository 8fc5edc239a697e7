public import RhumbCore

/// Reads TileJSON documents of versions 1 to 3, and the descriptions of ArcGIS tile services. An invalid
/// optional member counts as absent; an invalid required one makes the document unusable.
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
        let version = document["tilejson"].map { $0.string ?? $0.text } ?? "2"
        guard document["layers"]?.array == nil else {
            throw .definition(
                source: id,
                "the document is a map style, not a TileJSON; use the TileJSON of its "
                    + "raster source, or a template with {z}, {x} and {y}")
        }
        guard let major = version.split(separator: ".").first, ["1", "2", "3"].contains(major) else {
            throw .definition(source: id, "the document is TileJSON of an unknown version (\"tilejson\")")
        }
        let service = try ArcGISService(document, id)
        let templates =
            service?.templates ?? (document["tiles"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
        guard !templates.isEmpty else {
            throw .definition(source: id, "the TileJSON document lists no \"tiles\"")
        }
        var source = base ?? SourceDefinition(id: id, name: id, addresses: [])
        if base == nil { source.isTileSizeAssumed = true }
        source.kind = .tiles
        if URLReference(url).isWeb { source.document = HTTPAddress(url).canonical }
        let isTMS = document["scheme"]?.string?.lowercased() == "tms"
        let folder = service == nil ? url : ArcGISService.folder(of: url)
        source.addresses = templates.map { address(of: URLTemplate.normalised($0), in: folder, isTMS: isTMS) }
        source.isVector =
            source.isVector || document["vector_layers"]?.array?.isEmpty == false
            || ["pbf", "mvt"].contains(document["format"]?.string?.lowercased() ?? "")
        source.vectorLayers = (document["vector_layers"]?.array ?? []).compactMap { $0["id"]?.string }
        source.elevation =
            document["encoding"]?.string.flatMap(ElevationEncoding.init(name:)) ?? source.elevation
        readTexts(document, into: &source)
        readExtent(document, into: &source)
        if let zooms = service?.zooms, document["maxzoom"] == nil { source.zooms = zooms }
        source.nameKeys()
        _ = try source.templates()
        return source
    }

    private static func address(of template: String, in url: String, isTMS: Bool) -> String {
        let here = URLReference(url)
        let full = here.isWeb ? here.resolving(URLReference(template)).description : template
        return isTMS ? full.replacing("{y}", with: "{-y}") : full
    }

    /// A tile service of an ArcGIS server.
    private struct ArcGISService {
        let templates: [String]
        let zooms: ClosedRange<Int>?

        /// Reads the description of a service; nil for other documents.
        /// - Throws: `SourceFailure` for tiles in another projection, or none.
        init?(_ document: JSON, _ id: String) throws(SourceFailure) {
            guard let grid = document["tileInfo"] else { return nil }
            let reference = grid["spatialReference"]
            let codes = [reference?["latestWkid"]?.int, reference?["wkid"]?.int].compactMap(\.self)
            guard codes.contains(where: { Mercator.referenceCodes.contains($0) }) else {
                throw .definition(
                    source: id,
                    "the ArcGIS service has tiles in the reference system \(codes.first ?? 0), not in Web Mercator"
                )
            }
            let listed = (document["tiles"]?.array ?? []).compactMap(\.string)
            templates =
                listed.isEmpty && document["singleFusedMapCache"] == true ? ["tile/{z}/{y}/{x}"] : listed
            let levels = (grid["lods"]?.array ?? []).compactMap { $0["level"]?.int }
                .filter { (0...TileID.maximumZoom).contains($0) }
            zooms = levels.min().flatMap { low in levels.max().map { low...$0 } }
        }

        /// Returns the address of a service as that of a folder.
        static func folder(of url: String) -> String {
            var url = URLReference(url)
            url.query = nil
            return url.description + (url.path.hasSuffix("/") ? "" : "/")
        }
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
        // Metadata of MBTiles has numbers as texts, and some servers pass them on.
        let zoom = json?.int ?? json?.string.flatMap { Int($0) }
        return zoom.flatMap { (0...TileID.maximumZoom).contains($0) ? $0 : nil }
    }
}
