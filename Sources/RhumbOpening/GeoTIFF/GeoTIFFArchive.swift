internal import Glibc
package import RhumbCore
internal import RhumbDrawing
internal import RhumbHTTP
package import RhumbEngine
package import RhumbStore

/// A local GeoTIFF as an archive of tiles, which are drawn from its pixels on demand.
package final class GeoTIFFArchive: TileArchive {
    package let info: TileSourceInfo
    package let metadata: JSON
    package let refusal: ArchiveFailure? = nil
    package let path: String
    package let format = "GeoTIFF"
    package let probe: TileProbe? = nil
    let image: GeoTIFF
    private let file: any ByteSource
    private let cache = RecentItems<GeoTIFF.BlockID, TIFFBlock>()
    private let stretch: TIFFStretch?

    /// Opens a file.
    /// - Parameters:
    ///   - name: The name of the map.
    ///   - isTerrain: True if the user has named the file as a terrain model; false to guess.
    /// - Throws: `ArchiveFailure`, also for a file that can't be shown, with the command that converts it.
    package convenience init(
        _ path: String, name: String, isTerrain: Bool = false
    ) throws(ArchiveFailure) {
        try self.init(
            FileBytes(path), sides: TIFFSideFiles(beside: path), path: path, name: name, isTerrain: isTerrain)
    }

    /// Opens a file with random access, such as one on a server.
    /// - Parameter sides: The files beside it.
    init(
        _ file: any ByteSource, sides: TIFFSideFiles = TIFFSideFiles(), path: String, name: String,
        isTerrain: Bool = false
    ) throws(ArchiveFailure) {
        self.path = path
        self.file = file
        do throws(TIFFProblem) {
            let bytes = LocalTIFFBytes(file: file, sides: sides)
            let image = try GeoTIFF(bytes, name: name, sides: sides, isTerrain: isTerrain)
            self.image = image
            // Each block has an entry of two bytes or more in a table.
            guard
                image.levels.allSatisfy({ level in
                    let size = bytes.source(level.file.base)?.size ?? 0
                    return level.columns * level.rows <= Int(clamping: size / 2)
                })
            else {
                throw .damaged("it has more blocks than a file of its size can list")
            }
            stretch = image.stretch(
                try image.sampleBlocks.map { (block) throws(TIFFProblem) in
                    try image.sampledValues(GeoTIFFArchive.raw(block, of: image), block)
                })
        } catch {
            throw ArchiveFailure(error, path)
        }
        info = image.info(name)
        metadata = image.metadata(name)
    }

    /// Reads the sections of a block; nil for those without data.
    private static func raw(
        _ block: GeoTIFF.BlockID, of image: GeoTIFF
    ) throws(TIFFProblem) -> [[UInt8]?] {
        try image.sections(of: block).map { (section) throws(TIFFProblem) in
            try section.map { (section) throws(TIFFProblem) in try image.file.bytes.bytes(section) }
        }
    }

    private func read(_ block: GeoTIFF.BlockID) throws(TIFFProblem) -> TIFFBlock {
        try image.decoded(GeoTIFFArchive.raw(block, of: image), block, stretch)
    }

    /// The layer of the file: its picture, or light and shade of its heights.
    func layer(id: TileLayer.ID) -> TileLayer { image.layer(id: id, self, info, stretch) }

    /// Returns a tile, drawn from the blocks that it shows.
    package func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        guard let plan = image.plan(tile) else { return .absent }
        guard plan.blocks.count <= GeoTIFF.blockLimit else { throw lackOfOverviews }
        var blocks: [GeoTIFF.BlockID: TIFFBlock] = [:]
        do throws(TIFFProblem) {
            for id in plan.blocks {
                if let cached = cache[id] {
                    blocks[id] = cached
                } else {
                    let block = try read(id)
                    blocks[id] = block
                    cache.add(block, id, bytes: block.byteCount)
                }
            }
        } catch {
            throw error.tileFailure(path)
        }
        return image.answer(plan, blocks)
    }

    private var lackOfOverviews: TileFailure {
        TileFailure(
            .refused,
            "\(info.name): the whole picture would have to be read; zoom in, or add overviews with "
                + "gdaladdo \(SafeText.sanitised(path))", retryAfter: .seconds(600))
    }

    package func checkDrawing() throws(TileFailure) {
        if image.unreadableZooms(limit: GeoTIFF.blockLimit) != nil { throw lackOfOverviews }
    }

    /// Calls a function for each tile in its bounds, from zoom 0 to the zoom of its pixels. Listed without
    /// their bodies, tiles may show no data.
    package func walk(_ detail: TileDetail, _ visit: (StoredTileRun) throws -> Void) throws {
        if case .ids = detail {} else { _ = prepareRows() }
        try eachTile { tile in
            try Task.checkCancellation()
            if case .ids = detail { return try visit(StoredTileRun(tile)) }
            if let run = StoredTileRun(tile, of: self) { try visit(run) }
        }
    }

    private func eachTile(_ body: (TileID) throws -> Void) throws {
        for zoom in 0...image.deepestZoom {
            for box in image.bounds.worldBoxes {
                let count = Double(1 << zoom), most = (1 << zoom) - 1
                func tile(_ coordinate: Double) -> Int {
                    min(max(Int(clamping: (coordinate * count).rounded(.down)), 0), most)
                }
                let columns = tile(box.minX)...max(tile(box.minX), tile(box.maxX))
                let rows = tile(box.minY)...max(tile(box.minY), tile(box.maxY))
                let shown = ShownTiles(image, zoom, columns, rows)
                for y in rows {
                    for x in columns {
                        guard let tile = TileID(zoom: zoom, x: x, y: y), shown.contains(tile) else {
                            continue
                        }
                        try body(tile)
                    }
                }
            }
        }
    }

    package var isDrawnOnDemand: Bool { true }

    /// Makes room for the strips of a row; false if the picture has none.
    package func prepareRows() -> Bool {
        cache.makeRoom(bytes: image.stripBytes)
        return image.stripBytes > 0
    }

    /// Returns a tile as PNG; nil if it shows no data.
    package func storedBody(_ tile: TileID) throws(TileFailure) -> [UInt8]? { try self.tile(tile)?.png }

    /// The size of a file whose server doesn't state it.
    static let unknownSize = FileSection.farthest - 1

    /// The size of the file in bytes; nil if it is on this machine, or if the server doesn't state it.
    package var remoteSize: Int? {
        file.isRemote && file.size < Self.unknownSize ? Int(clamping: file.size) : nil
    }

    /// Throws if the server of a remote file is failing.
    package func checkServer() throws(ArchiveFailure) { try file.checkServer(path) }

    package var declaredContent: DeclaredContent { DeclaredContent(metadata) }

    /// Decodes every block.
    package func checkStructure(isThorough: Bool, _ report: (VerificationFault) -> Void) throws {
        guard isThorough else { return }
        for (index, level) in image.levels.enumerated() {
            for block in 0..<level.columns * level.rows {
                try Task.checkCancellation()
                let id = GeoTIFF.BlockID(
                    level: index, column: block % level.columns, row: block / level.columns)
                do throws(TIFFProblem) {
                    _ = try read(id)
                } catch {
                    try checkServer()
                    report(
                        VerificationFault(
                            .content,
                            "block \(block) of level \(index): \(ArchiveFailure(error, path).problem)"))
                }
            }
        }
    }

    /// The properties of the file, each with its name.
    package var facts: [(key: String, name: String, text: String)] { image.facts(stretch) }

    /// The numbers among the properties, with keys that other archives have where they mean the same.
    package var figures: [(key: String, value: JSON)] { image.figures(stretch) }
}

extension TileAnswer {
    /// The drawn tile as PNG; nil if it shows nothing.
    var png: [UInt8]? {
        switch self {
        case .bitmap(.encoded(let bytes)): bytes
        case .bitmap(.raster(let raster)): try? PNGEncoder.encode(raster)
        default: nil
        }
    }
}

extension GeoTIFF {
    func info(_ name: String) -> TileSourceInfo {
        TileSourceInfo(
            name: SafeText.sanitised(name, limit: 60), attribution: SafeText.sanitised(copyright, limit: 120),
            zooms: 0...deepestZoom, bounds: bounds)
    }

    /// The metadata in the form of other archives.
    func metadata(_ name: String) -> JSON {
        let info = info(name)
        var members = JSONObject()
        members["name"] = .string(info.name)
        if !info.attribution.isEmpty { members["attribution"] = .string(info.attribution) }
        members["format"] = "png"
        members["bounds"] = .string("\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)")
        members["minzoom"] = "0"
        members["maxzoom"] = .string("\(deepestZoom)")
        if meaning == .heights { members["encoding"] = "terrarium" }
        return .object(members)
    }

    /// Returns a layer of the file.
    func layer(
        id: TileLayer.ID, _ source: any TileLayerDataSource, _ info: TileSourceInfo, _ stretch: TIFFStretch?
    ) -> TileLayer {
        var layer = TileLayer(id: id, source: source, info: info)
        layer.isTransparent = true
        if meaning == .heights {
            let drawing = HillshadeDrawing(info, .terrarium, Hillshade(), decoder: SniffingDecoder())
            layer = layer.drawn(by: drawing, size: .pixels256)
            layer.isTransparent = true
            layer.feature = .terrain
        }
        if bands.count == 1, let stretch { layer.legend = stretch.legend(info.name) }
        return layer
    }

    func facts(_ stretch: TIFFStretch?) -> [(key: String, name: String, text: String)] {
        let finest = levels[0]
        let sizes = levels.map { "\($0.width) × \($0.height)" }.joined(separator: ", ")
        let blocks = "\(finest.blockWidth) × \(finest.blockHeight)"
        var facts = [
            ("format", "format", "GeoTIFF"), ("size", "size", "\(finest.width) × \(finest.height) pixels"),
            ("levels", "levels", sizes), ("blocks", "blocks", finest.isTiled ? blocks : "\(blocks), strips"),
            ("compression", "compression", "\(samples.compression)"),
            ("bands", "bands", "\(samples.count) of \(samples.bits) bits, \(samples.kind)"),
            ("meaning", "meaning", meaning.name(isTransparent: alpha != nil)),
            ("projection", "projection", reference.projection.name),
            ("pixel", "pixel size", "\(reference.pixel.x) × \(reference.pixel.y)"),
            ("bounds", "bounds", "\(bounds.west), \(bounds.south), \(bounds.east), \(bounds.north)"),
            ("zooms", "zooms", "0 to \(deepestZoom)"),
        ]
        if let noData { facts.append(("noData", "no data", "\(noData)")) }
        if !masks.isEmpty { facts.append(("mask", "mask", "yes")) }
        if let ranges = stretch?.ranges {
            let texts = ranges.map { "\($0.lowerBound) to \($0.upperBound)" }
            facts.append(("stretch", "stretched from", texts.joined(separator: ", ")))
        }
        return facts
    }

    func figures(_ stretch: TIFFStretch?) -> [(key: String, value: JSON)] {
        let edges = [bounds.west, bounds.south, bounds.east, bounds.north].map(JSON.number)
        var figures: [(key: String, value: JSON)] = [
            ("found", ["minZoom": 0, "maxZoom": .integer(deepestZoom), "bounds": .array(edges)]),
            ("width", .integer(levels[0].width)), ("height", .integer(levels[0].height)),
            ("levelSizes", .array(levels.map { [.integer($0.width), .integer($0.height)] })),
            ("bandCount", .integer(samples.count)), ("bitsPerSample", .integer(samples.bits)),
        ]
        if let noData { figures.append(("noDataValue", noData.isFinite ? .number(noData) : .null)) }
        if let ranges = stretch?.ranges {
            let pairs = ranges.map { JSON.array([.number($0.lowerBound), .number($0.upperBound)]) }
            figures.append(("stretches", .array(pairs)))
        }
        return figures
    }
}

extension GeoTIFF.Meaning {
    fileprivate func name(isTransparent: Bool) -> String {
        let suffix = isTransparent ? " with transparency" : ""
        return switch self {
        case .picture: "picture" + suffix
        case .palette(let colours): "palette of \(colours.count) colours"
        case .values: "values\(suffix), stretched to colours"
        case .heights: "heights"
        }
    }
}

extension FileProjection {
    fileprivate var name: String {
        switch self {
        case .mercator: "Web Mercator"
        case .degrees: "longitude and latitude"
        case .utm(let zone, let isNorthern): "UTM zone \(zone)\(isNorthern ? "N" : "S")"
        }
    }
}

extension ArchiveFailure {
    /// Creates the failure to open a TIFF file.
    init(_ problem: TIFFProblem, _ path: String) {
        switch problem {
        case .missing: self.init(path, .damaged, "it is truncated", "download it again")
        case .damaged(let problem):
            self.init(path, .damaged, problem, "download it again, or check it with gdalinfo")
        case .unsupported(let problem, let advice): self.init(path, .unsupported, problem, advice)
        case .unreadable(let failure):
            self.init(path, .cannotOpen, failure.message, "check the file and its disk")
        case .notLoaded(.request(let failure)): self.init(path, requestFailure: failure.message)
        case .notLoaded(.failed(let failure)): self.init(path, .cannotOpen, failure.message, "try again")
        case .notLoaded: self.init(path, .cannotOpen, "it changed while it was read", "try again")
        }
    }
}

extension TIFFProblem {
    func tileFailure(_ name: String) -> TileFailure {
        if case .unreadable(let failure) = self { return failure }
        return TileFailure(.badContent, ArchiveFailure(self, name).description)
    }
}

/// The tiles of a zoom that show pixels of a file.
private struct ShownTiles {
    private let image: GeoTIFF
    /// The columns and rows of tiles that show pixels; nil if they depend on each other.
    private let axes: (columns: Set<Int>, rows: Set<Int>)?

    init(_ image: GeoTIFF, _ zoom: Int, _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) {
        self.image = image
        guard image.reference.projection.isSeparable else {
            axes = nil
            return
        }
        func blocks(_ x: Int, _ y: Int) -> (columns: Set<Int>, rows: Set<Int>) {
            TileID(zoom: zoom, x: x, y: y).map(image.blockAxes) ?? ([], [])
        }
        let shownColumns = columns.filter { !blocks($0, rows.lowerBound).columns.isEmpty }
        let shownRows = rows.filter { !blocks(columns.lowerBound, $0).rows.isEmpty }
        axes = (Set(shownColumns), Set(shownRows))
    }

    func contains(_ tile: TileID) -> Bool {
        guard let axes else { return image.plan(tile) != nil }
        return axes.columns.contains(tile.x) && axes.rows.contains(tile.y)
    }
}
