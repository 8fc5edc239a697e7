internal import RhumbCore
internal import RhumbEngine

/// Collects the sizes of an archive's tiles.
struct StatisticsScan {
    /// The facts about one body.
    struct Body: Sendable {
        var hash: ContentHash
        var stored: Int
        var plain: Int
        /// The layers of a vector tile; nil for another body.
        var layers: [(name: String, size: LayerSize)]?
        var problem: String?
    }

    enum Finding: Sendable {
        case body(Body)
        case problem(String)
    }

    let file: String
    let options: ArchiveStatistics.Options
    private var zooms: [Int: ArchiveStatistics.Zoom] = [:]
    /// The zooms of each body, as a set of bits.
    private var bodies: [ContentHash: UInt32] = [:]
    private var distinctBytes = 0
    private var layers: [String: ArchiveStatistics.Layer] = [:]
    private var hasVectorTiles = false
    private var largest: LargestTiles
    private var overBudget = LargestTiles(limit: ArchiveStatistics.listLimit)
    private var overBudgetCount = 0
    private var problems = TileProblems()
    private var isTruncated = false

    init(file: String, options: ArchiveStatistics.Options) {
        self.file = file
        self.options = options
        largest = LargestTiles(limit: options.top)
    }

    /// Measures a body.
    var examine: @Sendable (StoredTileRun) -> Finding {
        { [file, options] run in
            do throws(TileFailure) {
                let stored = try run.body.get(), plain = try run.plain(in: file)
                var body = Body(hash: ContentHash(stored), stored: stored.count, plain: plain.count)
                if options.measuresLayers { body.measureLayers(plain, run, file) }
                return .body(body)
            } catch {
                return .problem(error.message)
            }
        }
    }

    mutating func add(_ run: StoredTileRun, _ finding: Finding) {
        switch finding {
        case .problem(let problem): problems.add(problem)
        case .body(let body):
            if let problem = body.problem { problems.add(problem) }
            for (zoom, ids) in run.zooms { add(body, at: zoom, ids) }
            if let found = body.layers { add(found, run) }
            largest.add(run, body)
            if let budget = options.budget, body.stored > budget {
                overBudgetCount = overBudgetCount.saturatingAdd(run.count)
                overBudget.add(run, body)
            }
        }
    }

    private mutating func add(_ body: Body, at number: Int, _ ids: Range<UInt64>) {
        var zoom = zooms[number] ?? ArchiveStatistics.Zoom(zoom: number)
        let first = TileID(pmtilesID: ids.lowerBound)
        zoom.readCount = zoom.readCount.saturatingAdd(ids.count)
        zoom.stored.add(body.stored, times: ids.count, first: first)
        zoom.plain.add(body.plain, times: ids.count, first: first)
        let known = bodies[body.hash] ?? 0, bit: UInt32 = 1 << UInt32(number)
        if known == 0 { distinctBytes = distinctBytes.saturatingAdd(body.stored) }
        if known & bit == 0 {
            bodies[body.hash] = known | bit
            zoom.distinct += 1
        }
        zooms[number] = zoom
    }

    private mutating func add(_ found: [(name: String, size: LayerSize)], _ run: StoredTileRun) {
        hasVectorTiles = true
        for (name, size) in found {
            guard layers[name] != nil || layers.count < ArchiveSchema.layerLimit else {
                isTruncated = true
                continue
            }
            var layer = layers[name] ?? ArchiveStatistics.Layer(name: name)
            layer.tiles = layer.tiles.saturatingAdd(run.count)
            layer.size.add(size, times: run.count)
            layer.sizes.add(size.bytes, times: run.count, first: run.first)
            layers[name] = layer
        }
    }

    /// Returns the result.
    /// - Parameter counts: The number of tiles at each zoom if only a sample was read.
    func result(counts: [Int: Int]?) throws(ArchiveFailure) -> ArchiveStatistics {
        guard !options.measuresLayers || hasVectorTiles || zooms.isEmpty else { throw .noVectorTiles(file) }
        let listed = Set(zooms.keys).union(counts?.keys.map(\.self) ?? []).sorted().map { number in
            var zoom = zooms[number] ?? ArchiveStatistics.Zoom(zoom: number)
            zoom.tiles = counts.map { $0[number] ?? 0 } ?? zoom.readCount
            return zoom
        }
        let layers = layers.values.sorted { ($0.size.bytes, $1.name) > ($1.size.bytes, $0.name) }
        return ArchiveStatistics(
            zooms: listed, distinct: bodies.count, distinctBytes: distinctBytes,
            layers: options.measuresLayers ? layers : nil, largest: largest.tiles,
            overBudgetCount: overBudgetCount, overBudget: overBudget.tiles, problems: problems,
            isTruncated: isTruncated)
    }
}

extension StatisticsScan.Body {
    fileprivate mutating func measureLayers(_ plain: [UInt8], _ run: StoredTileRun, _ file: String) {
        switch TileContent(plain, run, in: file) {
        case .other: break
        case .problem(let problem): self.problem = problem
        case .vector(let tile):
            problem = tile.skippedParts.map { "\(TileContent.name(run, in: file)): \($0) skipped" }
            var found: [(name: String, size: LayerSize)] = []
            for (index, name) in tile.layerNames.enumerated() {
                do throws(VectorTileFailure) {
                    found.append((name, try tile.size(ofLayer: index)))
                } catch {
                    problem = "layer \(name) of \(TileContent.name(run, in: file)): \(error)"
                }
            }
            layers = found
        }
    }
}

/// The tiles with the largest stored bodies, up to a limit.
private struct LargestTiles {
    let limit: Int
    /// The tiles, largest first; tiles of equal size in order.
    private(set) var tiles: [ArchiveStatistics.TileSize] = []

    init(limit: Int) { self.limit = limit }

    mutating func add(_ run: StoredTileRun, _ body: StatisticsScan.Body) {
        for id in run.ids.prefix(limit) {
            guard let tile = TileID(pmtilesID: id) else { return }
            let size = ArchiveStatistics.TileSize(tile: tile, stored: body.stored, plain: body.plain)
            let index = tiles.partitioningIndex { ($0.stored, size.tile) < (size.stored, $0.tile) }
            guard index < limit else { return }
            tiles.insert(size, at: index)
            if tiles.count > limit { tiles.removeLast() }
        }
    }
}
