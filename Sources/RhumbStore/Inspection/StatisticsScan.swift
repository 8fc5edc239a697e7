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
        var layers: [LayerContent]?
        var problem: String?

        /// True if the body is a vector tile without features.
        var isEmpty: Bool { layers.map { $0.allSatisfy { $0.size.features == 0 } } ?? false }
    }

    /// A layer of one body.
    struct LayerContent: Sendable {
        let name: String
        let size: LayerSize
        /// The attributes by name; empty if not measured.
        let fields: [String: FieldSize]
    }

    private struct FieldName: Hashable {
        let layer: String
        let name: String
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
    /// The zooms of each location, if no bodies are read.
    private var locations: [UInt64: UInt32] = [:]
    private var unlocatedCount = 0
    private var distinctBytes = 0
    private var layers: [String: ArchiveStatistics.Layer] = [:]
    private var fields: [FieldName: ArchiveStatistics.Field] = [:]
    private var hasVectorTiles = false
    private var emptyCount = 0
    private var histogram: [Int: ArchiveStatistics.Bin] = [:]
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
                if options.measuresLayers || options.measuresFields {
                    body.measureLayers(plain, run, file, hasFields: options.measuresFields)
                }
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
            for (zoom, ids) in run.zooms {
                let zooms = bodies[body.hash] ?? 0, bit: UInt32 = 1 << UInt32(zoom)
                if zooms & bit == 0 { bodies[body.hash] = zooms | bit }
                add(body.stored, body.plain, at: zoom, ids, isNew: zooms == 0, isNewAtZoom: zooms & bit == 0)
            }
            if let found = body.layers { add(found, run) }
            if body.isEmpty { emptyCount = emptyCount.saturatingAdd(run.count) }
            addTiles(run.ids, body.stored, body.plain)
        }
    }

    /// Adds a run whose body isn't read.
    mutating func add(_ run: StoredTileRun) {
        switch run.body {
        case .failure(let failure): problems.add(failure.message)
        case .success:
            for (zoom, ids) in run.zooms {
                let zooms = run.location.flatMap { locations[$0] } ?? 0, bit: UInt32 = 1 << UInt32(zoom)
                if let location = run.location {
                    if zooms & bit == 0 { locations[location] = zooms | bit }
                } else {
                    unlocatedCount += ids.count
                }
                add(run.bytes, nil, at: zoom, ids, isNew: zooms == 0, isNewAtZoom: zooms & bit == 0)
            }
            addTiles(run.ids, run.bytes, nil)
        }
    }

    private mutating func addTiles(_ ids: Range<UInt64>, _ stored: Int, _ plain: Int?) {
        let limit = ArchiveStatistics.Bin.limit(of: stored)
        histogram[limit, default: .init(limit: limit)].add(stored, times: ids.count)
        largest.add(ids, stored, plain, options.weights)
        if let budget = options.budget, stored > budget {
            overBudgetCount = overBudgetCount.saturatingAdd(ids.count)
            overBudget.add(ids, stored, plain, nil)
        }
    }

    private mutating func add(
        _ stored: Int, _ plain: Int?, at number: Int, _ ids: Range<UInt64>, isNew: Bool, isNewAtZoom: Bool
    ) {
        var zoom = zooms[number] ?? ArchiveStatistics.Zoom(zoom: number)
        let first = TileID(hilbertID: ids.lowerBound)
        zoom.readCount = zoom.readCount.saturatingAdd(ids.count)
        zoom.stored.add(stored, times: ids.count, first: first)
        if let plain { zoom.plain.add(plain, times: ids.count, first: first) }
        if isNew { distinctBytes = distinctBytes.saturatingAdd(stored) }
        if isNewAtZoom { zoom.distinct += 1 }
        if let requests = options.weights?.requests(for: ids) {
            zoom.requests = zoom.requests.saturatingAdd(requests)
            zoom.sentBytes = zoom.sentBytes.saturatingAdd(stored.saturatingMultiply(requests))
        }
        zooms[number] = zoom
    }

    private mutating func add(_ found: [LayerContent], _ run: StoredTileRun) {
        hasVectorTiles = true
        let requests = options.weights?.requests(for: run.ids) ?? 0
        for content in found {
            let name = content.name, size = content.size
            guard layers[name] != nil || layers.count < ArchiveSchema.layerLimit else {
                isTruncated = true
                continue
            }
            var layer = layers[name] ?? ArchiveStatistics.Layer(name: name)
            layer.tiles = layer.tiles.saturatingAdd(run.count)
            layer.size.add(size, times: run.count)
            layer.sizes.add(size.bytes, times: run.count, first: run.first)
            layer.sentBytes = layer.sentBytes.saturatingAdd(size.bytes.saturatingMultiply(requests))
            layers[name] = layer
            for (field, size) in content.fields { add(size, FieldName(layer: name, name: field), run.count) }
        }
    }

    private mutating func add(_ size: FieldSize, _ name: FieldName, _ tiles: Int) {
        guard fields[name] != nil || fields.count < ArchiveSchema.layerLimit else {
            isTruncated = true
            return
        }
        // Removed first, so that the set of values isn't copied.
        var field = fields.removeValue(forKey: name) ?? .init(layer: name.layer, name: name.name)
        field.tiles = field.tiles.saturatingAdd(tiles)
        field.features = field.features.saturatingAdd(size.features.saturatingMultiply(tiles))
        field.bytes = field.bytes.saturatingAdd(size.bytes.saturatingMultiply(tiles))
        for value in size.values { field.values.insert(value) }
        fields[name] = field
    }

    /// Returns the result.
    /// - Parameter counts: The number of tiles at each zoom if only a sample was read.
    func result(counts: [Int: Int]?) throws(ArchiveFailure) -> ArchiveStatistics {
        let measuresLayers = options.measuresLayers || options.measuresFields
        guard !measuresLayers || hasVectorTiles || zooms.isEmpty else { throw .noVectorTiles(file) }
        let listed = Set(zooms.keys).union(counts?.keys.map(\.self) ?? []).sorted().map { number in
            var zoom = zooms[number] ?? ArchiveStatistics.Zoom(zoom: number)
            zoom.tiles = counts.map { $0[number] ?? 0 } ?? zoom.readCount
            return zoom
        }
        let layers = layers.values.sorted { ($0.size.bytes, $1.name) > ($1.size.bytes, $0.name) }
        let fields = fields.values.sorted {
            ($0.bytes, $1.layer, $1.name) > ($1.bytes, $0.layer, $0.name)
        }
        return ArchiveStatistics(
            zooms: listed, distinct: bodies.count + locations.count + unlocatedCount,
            distinctBytes: distinctBytes, hasReadBodies: options.readsBodies,
            layers: options.measuresLayers ? layers : nil, fields: options.measuresFields ? fields : nil,
            emptyCount: measuresLayers ? emptyCount : nil,
            histogram: ArchiveStatistics.Bin.complete(histogram), weightedRequests: options.weights?.total,
            largest: largest.tiles, overBudgetCount: overBudgetCount, overBudget: overBudget.tiles,
            problems: problems, isTruncated: isTruncated)
    }
}

extension StatisticsScan.Body {
    fileprivate mutating func measureLayers(
        _ plain: [UInt8], _ run: StoredTileRun, _ file: String, hasFields: Bool
    ) {
        switch TileContent(plain, run, in: file) {
        case .other: break
        case .problem(let problem): self.problem = problem
        case .vector(let tile):
            (layers, problem) = TileContent.layers(of: tile, run, in: file) {
                index, name throws(VectorTileFailure) in
                let fields = hasFields ? try tile.fieldSizes(ofLayer: index) : [:]
                let size = try tile.size(ofLayer: index)
                return (StatisticsScan.LayerContent(name: name, size: size, fields: fields), size.faults)
            }
        }
    }
}

extension ArchiveStatistics.Bin {
    /// Returns the largest size in the range of a size: 1, 2 or 5 times a power of ten.
    static func limit(of size: Int) -> Int {
        var power = 1
        while true {
            for factor in [1, 2, 5] where size <= power.saturatingMultiply(factor) {
                return power.saturatingMultiply(factor)
            }
            power = power.saturatingMultiply(10)
        }
    }

    mutating func add(_ size: Int, times count: Int) {
        tiles = tiles.saturatingAdd(count)
        bytes = bytes.saturatingAdd(size.saturatingMultiply(count))
    }

    /// Returns the bins in ascending order, with empty ones between them.
    static func complete(_ bins: [Int: Self]) -> [Self] {
        guard let first = bins.keys.min(), let last = bins.keys.max() else { return [] }
        var all: [Self] = [], next = first
        while next <= last {
            all.append(bins[next] ?? .init(limit: next))
            guard next < Int.max else { break }
            next = limit(of: next + 1)
        }
        return all
    }
}

/// The tiles with the largest stored bodies, up to a limit.
private struct LargestTiles {
    let limit: Int
    /// The tiles, largest first; tiles of equal rank in order.
    private(set) var tiles: [ArchiveStatistics.TileSize] = []

    init(limit: Int) { self.limit = limit }

    /// Adds tiles with equal bodies. With weights, only requested tiles are added.
    mutating func add(_ ids: Range<UInt64>, _ stored: Int, _ plain: Int?, _ weights: TileRequests?) {
        guard let weights else {
            for id in ids.prefix(limit) {
                guard insert(.init(id, stored, plain, nil)) else { return }
            }
            return
        }
        for (id, requests) in weights.tiles(in: ids) { _ = insert(.init(id, stored, plain, requests)) }
    }

    /// Returns false if the tile is too small for the list.
    private mutating func insert(_ size: ArchiveStatistics.TileSize?) -> Bool {
        guard let size else { return false }
        let index = tiles.partitioningIndex { ($0.rank, size.tile) < (size.rank, $0.tile) }
        guard index < limit else { return false }
        tiles.insert(size, at: index)
        if tiles.count > limit { tiles.removeLast() }
        return true
    }
}

extension ArchiveStatistics.TileSize {
    fileprivate init?(_ id: UInt64, _ stored: Int, _ plain: Int?, _ requests: Int?) {
        guard let tile = TileID(hilbertID: id) else { return nil }
        self.init(tile: tile, stored: stored, plain: plain, requests: requests)
    }
}
