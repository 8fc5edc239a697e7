public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// The parameters for opening a style as a map.
public struct StyleEnvironment: Sendable {
    /// The location of the style: an address or a path.
    public var base: String
    /// The resource that the style was fetched from; nil for a file.
    public var document: WebResource?
    /// The id of the map, unique among maps. The ids of its layers are based on it.
    public var id: String
    /// Decodes elevation tiles.
    public var decoder: any ImageDecoder
    /// Reads a file that the style refers to; returns nil if it can't be read.
    public var file: @Sendable (String) -> [UInt8]?
    /// Opens an archive that the style refers to, without its drawing.
    package var archive: @Sendable (String) throws(SourceFailure) -> TileLayer = {
        path throws(SourceFailure) in
        throw .document("\(path): archives can't be opened here")
    }

    /// Creates the parameters for a style.
    public init(
        base: String, document: WebResource? = nil, id: String, decoder: any ImageDecoder,
        file: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
    ) {
        self.base = base
        self.document = document
        self.id = id
        self.decoder = decoder
        self.file = file
    }
}

/// The layers of a style, and the parts that are missing.
public struct StyleLayers: Sendable {
    /// The layers, bottom to top; never empty.
    public var layers: [TileLayer]
    /// One sentence for each part that is left out.
    public var remarks: [String]
}

extension WebSourceOpener {
    /// Returns the layers of a style's map, from the sources that it names.
    /// - Parameter prefersStored: As in `layer(of:id:prefersStored:onChange:)`.
    /// - Throws: `WebSourceFailure` if none of its sources is available.
    public func layers(
        of style: Style, _ environment: StyleEnvironment, prefersStored: Bool = false
    ) async throws(WebSourceFailure) -> StyleLayers {
        let map = StyleMap(style)
        var made = StyleLayers(layers: [], remarks: map.remarks)
        var sources: [String: Result<TileLayer, WebSourceFailure>] = [:]
        for (number, part) in map.parts.enumerated() {
            let source =
                if let cached = sources[part.name] { cached } else {
                    await layer(of: part, environment, prefersStored)
                }
            sources[part.name] = source
            switch source {
            case .success(let bare):
                if let remark = part.style.misfit(of: part.name, to: bare.vectorLayerNames ?? []) {
                    made.remarks.append("\(SafeText.sanitised(part.name, limit: 80)): \(remark)")
                }
                made.layers.append(
                    finished(
                        part, bare.named("\(environment.id)#\(number)"), map, environment,
                        isFirst: made.layers.isEmpty))
            case .failure where part.source.problem != nil: break
            case .failure(let failure):
                made.remarks.append("\(SafeText.sanitised(part.name, limit: 80)): \(failure)")
            }
        }
        if map.parts.isEmpty, style.drawsOnlyGround {
            made.layers = [try ground(of: style, map, environment)]
        }
        made.remarks = made.remarks.enumerated().filter { !made.remarks[..<$0.offset].contains($0.element) }
            .map(\.element)
        guard !made.layers.isEmpty else {
            let why =
                made.remarks.first ?? style.findings.first?.description ?? "no layer has a readable source"
            throw .source(.document("the style has no usable source: \(why)"))
        }
        let documents =
            [environment.document].compactMap(\.self) + spriteDocuments(of: style, at: environment.base)
        made.layers[0] = made.layers[0].made(of: documents)
        made.layers[0].layerSets = LayerSetStyle(style)
        if let center = style.center, made.layers[0].info.center == nil || style.zoom != nil {
            made.layers[0].info.center = center
            made.layers[0].info.centerZoom = style.zoom
        }
        return made
    }

    /// Returns the layer of a style that draws only its background, such as one for routes and the position.
    private func ground(
        of style: Style, _ map: StyleMap, _ environment: StyleEnvironment
    ) throws(WebSourceFailure) -> TileLayer {
        let info = TileSourceInfo(name: "background", zooms: 0...FeatureCollection.deepestZoom)
        let features = try converting(FeatureCollection(["type": "FeatureCollection", "features": []])) {
            (error: RegionGeometryFailure) in
            WebSourceFailure.source(.document("\(error)"))
        }
        let painter = VectorPainter(style, source: info.name, drawsBackground: true)
        var layer = TileLayer(id: "\(environment.id)#0", source: FeatureTileSource(features), info: info)
            .drawn(by: VectorDrawing.unpacking(info, layerNames: [], painters: [.other: painter]))
        layer.role = .vectorBase
        layer.background = map.background ?? layer.background
        layer.info.hasLabels = false
        return layer
    }

    /// Returns the layer of a part's source, without its drawing.
    private func layer(
        of part: StyleMap.Part, _ environment: StyleEnvironment, _ prefersStored: Bool
    ) async -> Result<TileLayer, WebSourceFailure> {
        do throws(WebSourceFailure) {
            if part.source.kind == .geojson {
                return .success(try await features(of: part, environment, prefersStored))
            }
            if let path = part.source.archivePath(in: environment.base) {
                return .success(try archive(path, of: part, environment))
            }
            let definition = try converting(
                part.source.definition(named: part.name, in: environment.base), to: WebSourceFailure.source)
            return .success(try await layer(of: definition, id: part.name, prefersStored: prefersStored))
        } catch {
            return .failure(error)
        }
    }

    private func archive(
        _ path: String, of part: StyleMap.Part, _ environment: StyleEnvironment
    ) throws(WebSourceFailure) -> TileLayer {
        do throws(SourceFailure) {
            var layer = try environment.archive(path)
            guard (layer.vectorLayerNames != nil) == (part.source.kind == .vector) else {
                let content = layer.vectorLayerNames == nil ? "pictures" : "vector tiles"
                throw SourceFailure.definition(
                    source: part.name, "\(path) has \(content), not what its type states")
            }
            if !part.source.attribution.isEmpty { layer.info.attribution = part.source.attribution }
            return layer
        } catch {
            throw .source(error)
        }
    }

    private func features(
        of part: StyleMap.Part, _ environment: StyleEnvironment, _ prefersStored: Bool
    ) async throws(WebSourceFailure) -> TileLayer {
        let json: JSON
        var documents: [WebResource] = []
        switch part.source.data {
        case .string(let reference)?:
            let address = StyleSource.absolute(reference, in: environment.base)
            if SourceDefinition.isAddress(address) { documents = [try resource(document: address)] }
            json = try await geoJSON(address, documents.first, environment, prefersStored)
        case let inline?: json = inline
        case nil: throw .source(.definition(source: part.name, "it has no \"data\""))
        }
        do throws(RegionGeometryFailure) {
            let features = try FeatureCollection(json)
            let info = TileSourceInfo(
                name: SafeText.sanitised(part.name, limit: 80), attribution: part.source.attribution,
                zooms: 0...FeatureCollection.deepestZoom, bounds: features.bounds)
            var layer = TileLayer(id: part.name, source: FeatureTileSource(features), info: info)
            // Shapes at the edge of the data extend beyond it, and the background has no edge.
            layer.boundingBox = nil
            return layer.made(of: documents)
        } catch {
            throw .source(.definition(source: part.name, "its data is not GeoJSON: \(error)"))
        }
    }

    private func geoJSON(
        _ address: String, _ resource: WebResource?, _ environment: StyleEnvironment, _ prefersStored: Bool
    ) async throws(WebSourceFailure) -> JSON {
        do {
            if let resource { return try await document(resource, prefersStored).json() }
            guard let bytes = environment.file(address) else {
                throw SourceFailure.document("\(FileProblem(URLReference(address).localPath ?? address))")
            }
            return try JSON.parse(bytes)
        } catch let error as DocumentFailure {
            throw .document(error)
        } catch let error as WebSourceFailure {
            throw error
        } catch {
            throw WebSourceFailure(error)
        }
    }

    private func finished(
        _ part: StyleMap.Part, _ bare: TileLayer, _ map: StyleMap, _ environment: StyleEnvironment,
        isFirst: Bool
    ) -> TileLayer {
        var layer = bare
        layer.isTransparent = !isFirst
        // The style itself determines the order of its layers.
        layer.role = .vectorBase
        layer.background = map.background ?? layer.background
        switch part.source.kind {
        case .vector, .geojson:
            let painter = VectorPainter(part.style, source: part.name, drawsBackground: part.isLowest)
            var info = bare.info
            info.bounds = bare.boundingBox
            let drawing = VectorDrawing.unpacking(
                info, layerNames: bare.vectorLayerNames ?? [], painters: [.other: painter])
            layer = layer.drawn(by: drawing)
            layer.info.hasLabels = false
            // Pictures have two pixels per map pixel, so that they stay sharp between zooms.
            layer.detail = 1
        case .raster:
            layer.opacity = part.opacity
            layer.adjustment = part.adjustment
        case .rasterDEM:
            let drawing = HillshadeDrawing(
                bare.info, part.source.encoding, part.hillshade, decoder: environment.decoder)
            layer = layer.drawn(by: drawing, size: bare.tileSize)
            layer.feature = .terrain
        }
        layer.visibleZooms = ZoomSet(part.mapZooms)
        return layer
    }
}

extension Style {
    /// True if it has a layer set of its own, and otherwise draws at most its background.
    fileprivate var drawsOnlyGround: Bool {
        LayerSetStyle(self) != nil && layers.allSatisfy { $0.kind == .background || !$0.isVisible }
    }
}

/// The images of styles.
extension WebSourceOpener {
    /// The time that a map waits for its style's images. The map is readable without them.
    private static let timeLimit = Duration.seconds(3)

    /// Returns a style with its images, if it draws any. They come from a style pack, the cache, files beside
    /// the style, or else the server. Images used only as icons are not requested for the first time, because
    /// icons have letters as a substitute.
    func illustrated(_ style: Style, at base: String) async -> Style {
        guard style.usesImages || style.usesIcons else { return style }
        var style = style, images: [String: StyleImage] = [:]
        for sprite in style.sprites {
            guard
                let index = await bytes(sprite.index, base, isAwaited: style.usesImages).flatMap({
                    try? JSON.parse($0)
                }),
                let image = await bytes(sprite.image, base, isAwaited: style.usesImages).flatMap({
                    try? SniffingDecoder().decode($0, limits: .tile)
                })
            else {
                // Icons have letters as a substitute.
                if style.usesImages { style.noteUnreadable(sprite) }
                continue
            }
            images.merge(sprite.pictures(index: index, image: image)) { $1 }
        }
        if !images.isEmpty { style.images = images }
        return style
    }

    /// Returns a loaded style with its images.
    func illustrated(_ loaded: LoadedStyle) async -> LoadedStyle {
        var loaded = loaded
        loaded.style = await illustrated(loaded.style, at: loaded.location)
        return loaded
    }

    /// Fetches the images that maps in a style are drawn with, without a time limit. Images used only as
    /// icons are updated but not fetched for the first time.
    package func loadSprites(of style: Style, at base: String) async {
        for address in style.spriteLocations(in: base) where SourceDefinition.isAddress(address) {
            guard let resource = try? resource(document: address),
                style.usesImages || loader.stored(resource) != nil
            else { continue }
            _ = try? await loader.load(resource, isReload: reloadsDocuments)
        }
    }

    /// Returns the resources of a style's images that are on the web and stored.
    package func spriteDocuments(of style: Style, at base: String) -> [WebResource] {
        style.spriteLocations(in: base).filter(SourceDefinition.isAddress).compactMap { address in
            guard let resource = try? resource(document: address) else { return nil }
            return loader.stored(resource) == nil ? nil : resource
        }
    }

    /// Returns the bytes of a file or document that a style refers to.
    /// - Parameter isAwaited: True to fetch a document that is not stored.
    private func bytes(_ url: String, _ base: String, isAwaited: Bool) async -> [UInt8]? {
        let address = StyleSource.absolute(url, in: base)
        guard SourceDefinition.isAddress(address) else { return CachedFile.read(address, loader.store) }
        guard let resource = try? resource(document: address) else { return nil }
        let stored = loader.stored(resource)?.body
        guard reloadsDocuments ? isAwaited || stored != nil : isAwaited && stored == nil else {
            return stored
        }
        return await outcome(within: Self.timeLimit) { [loader, reloadsDocuments] in
            try? await loader.load(resource, isReload: reloadsDocuments).body
        } ?? nil ?? stored
    }
}

extension Style {
    /// Returns the files and addresses of the style's images; empty if it draws none.
    package func spriteLocations(in base: String) -> [String] {
        guard usesImages || usesIcons else { return [] }
        return sprites.flatMap { [$0.index, $0.image] }.map { StyleSource.absolute($0, in: base) }
    }

    /// True if a layer draws images at points.
    fileprivate var usesIcons: Bool { !sprites.isEmpty && layers.contains { $0.has(.iconImage) } }

    /// True if a layer is drawn with a pattern.
    fileprivate var usesImages: Bool { !sprites.isEmpty && layers.contains(where: \.hasPattern) }
}

extension StyleSource {
    /// Returns the web source that the style's source refers to.
    /// - Parameters:
    ///   - name: The source's name in the style.
    ///   - base: The location of the style; addresses may be relative to it.
    /// - Throws: `SourceFailure` if there is no valid address.
    package func definition(named name: String, in base: String) throws(SourceFailure) -> SourceDefinition {
        let addresses = (tiles.isEmpty ? [url].compactMap(\.self) : tiles).map {
            StyleSource.absolute($0, in: base)
        }
        guard let first = addresses.first else {
            throw .definition(source: name, "the style has no URL for it")
        }
        guard SourceDefinition.isAddress(first) else {
            throw .definition(source: name, "its URL is not a web address; use one that begins with https:")
        }
        var definition = try SourceDefinition(address: first)
        definition.name = name
        definition.attribution = attribution
        definition.isVector = kind == .vector
        definition.bounds = bounds
        if let size = TileSize(rawValue: tileSize), kind != .vector { definition.tileSize = size }
        if !tiles.isEmpty {
            definition.kind = .tiles
            definition.keys = []
            definition.addresses = isTMS ? addresses.map { $0.replacing("{y}", with: "{-y}") } : addresses
            let usual = kind == .vector ? SourceDefinition.usualVectorDepth : zooms.upperBound
            let deepest = hasDeepestZoom ? zooms.upperBound : usual
            definition.zooms = min(zooms.lowerBound, deepest)...deepest
        }
        definition.nameKeys()
        _ = try definition.templates()
        return definition
    }

    /// Returns the path of the archive on this machine that the source refers to; nil for an address, and in
    /// a style from a server, which has no access to files.
    func archivePath(in base: String) -> String? {
        guard !URLReference(base).isWeb, let address = url ?? tiles.first else { return nil }
        let (scheme, rest) = ArchiveContainer.splitScheme(address)
        var path = rest
        if path.hasSuffix("/{z}/{x}/{y}") { path = String(path.dropLast("/{z}/{x}/{y}".count)) }
        path = URLReference(path).localPath ?? (scheme.isEmpty ? path : PercentCoding.decoded(path))
        guard !path.contains("://"), !path.contains("{"), !path.utf8.contains(0) else { return nil }
        return StyleSource.absolute(path, in: base)
    }

    /// Returns an address in a document, resolved against the document's location.
    package static func absolute(_ address: String, in base: String) -> String {
        let here = URLReference(base)
        guard !SourceDefinition.isAddress(address) else { return address }
        if here.isWeb { return here.resolving(URLReference(address)).description }
        guard !address.hasPrefix("/"), let slash = base.lastIndex(of: "/") else { return address }
        return base[...slash] + address
    }
}
