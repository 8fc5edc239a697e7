internal import RhumbCore
internal import RhumbEngine

/// Collects the layers and attributes of an archive, tile by tile.
struct SchemaScan {
    /// The contents of one body.
    enum Finding: Sendable {
        case layers([(name: String, summary: LayerSummary)], problem: String?)
        /// The body is no vector tile, such as an image.
        case other
        case problem(String)
    }

    let file: String
    private var layers: [String: ArchiveSchema.Layer] = [:]
    private var names: [String] = []
    private var readCount = 0
    private var otherCount = 0
    private var problems = TileProblems()
    private var isTruncated = false

    init(file: String) { self.file = file }

    /// Decodes a body.
    var examine: @Sendable (StoredTileRun) -> Finding {
        { [file] run in
            switch TileContent(run, in: file) {
            case .vector(let tile):
                let (layers, problem) = TileContent.layers(of: tile, run, in: file) {
                    index, name throws(VectorTileFailure) in
                    let summary = LayerSummary(try tile.layer(at: index))
                    return ((name: name, summary: summary), summary.faults)
                }
                return .layers(layers, problem: problem)
            case .other: return .other
            case .problem(let problem): return .problem(problem)
            }
        }
    }

    mutating func add(_ run: StoredTileRun, _ finding: Finding) {
        readCount = readCount.saturatingAdd(run.count)
        switch finding {
        case .other: otherCount = otherCount.saturatingAdd(run.count)
        case .problem(let problem): problems.add(problem)
        case .layers(let found, let problem):
            if let problem { problems.add(problem) }
            let zooms = Set(run.zooms.map(\.zoom))
            for (name, summary) in found { add(name, summary, run.count, zooms) }
        }
    }

    private mutating func add(_ name: String, _ summary: LayerSummary, _ tiles: Int, _ zooms: Set<Int>) {
        if layers[name] == nil {
            guard names.count < ArchiveSchema.layerLimit else {
                isTruncated = true
                return
            }
            names.append(name)
        }
        var layer = layers.removeValue(forKey: name) ?? ArchiveSchema.Layer(name: name)
        layer.tiles = layer.tiles.saturatingAdd(tiles)
        layer.zooms.formUnion(zooms)
        layer.summary.merge(summary)
        for field in summary.fields.keys where layer.summary.fields[field] != nil {
            layer.fieldZooms[field, default: []].formUnion(zooms)
        }
        layers[name] = layer
    }

    /// Returns the result, compared with the metadata.
    /// - Parameter counts: The number of tiles at each zoom if only a sample was read.
    func result(_ declared: DeclaredLayers, counts: [Int: Int]?) throws(ArchiveFailure) -> ArchiveSchema {
        guard !layers.isEmpty || otherCount == 0 else { throw .noVectorTiles(file) }
        let isWhole = counts == nil
        let compared = names.compactMap { layers[$0] }.map { layer in
            var layer = layer
            guard let fields = declared.fields else { return layer }
            layer.isDeclared = fields[layer.name] != nil
            guard let names = fields[layer.name] else { return layer }
            let found = Set(layer.summary.fields.keys)
            layer.undeclaredFields = found.subtracting(names).sorted()
            if isWhole, !layer.summary.isTruncated {
                layer.absentFields = names.subtracting(found).sorted()
            }
            return layer
        }
        let isComplete = isWhole && !isTruncated
        return ArchiveSchema(
            layers: compared, absentLayers: isComplete ? declared.names.filter { layers[$0] == nil } : [],
            tileCount: counts.map { $0.values.reduce(0, +) } ?? readCount, readCount: readCount,
            otherCount: otherCount, problems: problems, isTruncated: isTruncated)
    }
}

extension ArchiveFailure {
    package static func noVectorTiles(_ file: String) -> ArchiveFailure {
        ArchiveFailure(
            file, .unsupported, "it has no vector tiles, so it has no layers",
            "use an archive of vector tiles")
    }
}
