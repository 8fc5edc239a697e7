public import RhumbCore
internal import RhumbEngine
public import RhumbStore
internal import Synchronization

/// Sampled tile sizes and transfer rates, for sources whose own are unknown.
public struct TileWeights: Sendable {
    private var samples: [String: [Int: ByteSample]] = [:]
    private var rates: [String: Double] = [:]
    /// The zooms for which a directory provided sizes, by source.
    private var listed: [String: Set<Int>] = [:]
    /// The areas all of whose tiles a directory listed, by source and zoom.
    private var measured: [String: [Int: RegionGeometry]] = [:]

    /// Creates an empty collection of samples.
    public init() {}

    /// True if the tile sizes of a source are known at a zoom.
    private func know(_ source: PlanSource, zoom: Int) -> Bool {
        listed[source.id]?.contains(zoom) == true
            || (samples[source.id]?[zoom]?.count ?? 0) + (source.samples[zoom]?.count ?? 0) >= 3
    }

    private mutating func add(_ sizes: [(zoom: Int, bytes: Int)], of source: String, seconds: Double) {
        for size in sizes { samples[source, default: [:]][size.zoom, default: ByteSample()].add(size.bytes) }
        let bytes = sizes.reduce(0) { $0 + $1.bytes }
        if seconds > 0.001, bytes > 0 { rates[source] = Double(bytes) / seconds }
    }

    /// Returns the plan with the sampled sizes and rates.
    /// - Parameter area: The area of the region, for the exact sizes of sources with a directory.
    public func applied(to plan: RegionPlan, of area: RegionGeometry? = nil) -> RegionPlan {
        let sources = plan.sources.map { source in
            var source = source
            let before = source.wholeSize
            source.samples.merge(samples[source.id] ?? [:]) { previous, learned in
                previous.count >= 3 ? previous : learned
            }
            for (zoom, whole) in measured[source.id] ?? [:] where whole == area {
                source.samples[zoom] = samples[source.id]?[zoom]
                source.measuredZooms.insert(zoom)
            }
            // The sizes of groups are shares of the whole source.
            let growth = before > 0 ? source.wholeSize / before : 1
            source.groups = source.groups.map { group in
                var group = group
                group.bytes = group.bytes.map { Int(clamping: Double($0) * growth) }
                return group
            }
            source.bytesPerSecond = source.bytesPerSecond ?? rates[source.id]
            return source
        }
        return RegionPlan(zooms: plan.zooms, packing: plan.packing, sources: sources, freeDisk: plan.freeDisk)
    }
}

extension PlanSource {
    /// The estimated size of all tiles of the region in bytes.
    fileprivate var wholeSize: Double {
        counts.rows.reduce(0) { sum, row in
            sum + Double(size(of: row.count, zoom: row.zoom).bytes)
        }
    }
}

extension TileWeights {
    /// The number of zooms to sample, deepest first, because these have the most tiles.
    private static let sampledZooms = 3

    /// Reads tile sizes from the directories of the sources that have one.
    /// - Returns: True if any sizes were found.
    public mutating func readListed(
        of definition: RegionDefinition, _ sources: [RegionSource], _ plan: RegionPlan
    ) async -> Bool {
        var isFound = false
        for (source, planned) in zip(sources, plan.sources) {
            let sizes = await Self.listedSizes(
                of: definition, zooms: unknownZooms(of: planned, plan), source)
            guard let sizes else { continue }
            for (zoom, tiles) in planned.counts.rows
            where tiles == sizes.count(where: { $0.zoom == zoom }) && samples[planned.id]?[zoom] == nil {
                measured[planned.id, default: [:]][zoom] = definition.geometry
            }
            add(sizes, of: planned.id, seconds: 0)
            listed[planned.id, default: []].formUnion(sizes.map(\.zoom))
            isFound = true
        }
        return isFound
    }

    /// Samples the tile sizes of an allowed plan. Reads them from directories, or else loads a few tiles of
    /// the deepest zooms whose sizes are unknown.
    /// - Parameters:
    ///   - box: The bounds of the region.
    ///   - limit: The maximum number of zooms of a source from which tiles are loaded; nil for the default.
    ///   - cache: Stores the loaded tiles, so that a download doesn't fetch them again; nil for none.
    /// - Returns: True if any size was found.
    public mutating func sample(
        of definition: RegionDefinition, _ sources: [RegionSource], _ plan: RegionPlan, in box: Bounds,
        zooms limit: Int? = nil, cache: SharedCache? = nil
    ) async -> Bool {
        guard plan.verdict == .allowed else { return false }
        var isFound = await readListed(of: definition, sources, plan)
        for (source, planned) in zip(sources, plan.sources) {
            let zooms = unknownZooms(of: planned, plan).prefix(limit ?? Self.sampledZooms)
            let tiles = zooms.flatMap { Self.scattered(in: box, zoom: $0) }
            guard !tiles.isEmpty, await source.supply.listedSizes(of: []) == nil else { continue }
            let start = ContinuousClock.now
            let sizes = await Self.sizes(of: tiles, from: source.supply, cache)
            add(sizes, of: planned.id, seconds: (ContinuousClock.now - start) / .seconds(1))
            isFound = isFound || !sizes.isEmpty
        }
        return isFound
    }

    /// Returns the zooms of a plan that have tiles to fetch and unknown sizes, deepest first.
    private func unknownZooms(of source: PlanSource, _ plan: RegionPlan) -> [Int] {
        plan.rows.filter { $0.source == source.id && $0.toFetch > 0 }.map(\.zoom).filter {
            !know(source, zoom: $0)
        }.sorted(by: >)
    }

    /// The number of tiles to look up in a directory along each side of an area.
    private static let listedSide = 24

    /// Returns the sizes of a sample of a region's tiles, spread evenly over its area, from the source's
    /// directory; nil if there is none.
    private static func listedSizes(
        of definition: RegionDefinition, zooms: [Int], _ source: RegionSource
    ) async -> [(zoom: Int, bytes: Int)]? {
        guard let world = definition.geometry.bounds.worldBoxes.first, !zooms.isEmpty else { return nil }
        let cover = source.cover(definition),
            steps = (0..<listedSide).map { (Double($0) + 0.5) / Double(listedSide) }
        let tiles = zooms.flatMap { zoom in
            let touched = Set(
                steps.flatMap { y in
                    steps.map { x in
                        TileID(
                            zoom: zoom,
                            containing: WorldPoint(
                                x: world.minX + (world.maxX - world.minX) * x,
                                y: world.minY + (world.maxY - world.minY) * y))
                    }
                })
            return touched.filter(cover.contains)
        }
        return await source.supply.listedSizes(of: tiles).map { sizes in
            zip(tiles, sizes).map { ($0.zoom, $1) }
        }
    }

    /// Returns tiles at the centre of a box and around it.
    private static func scattered(in box: Bounds, zoom: Int) -> [TileID] {
        guard let world = box.worldBoxes.first else { return [] }
        let shares = [(0.5, 0.5), (0.25, 0.3), (0.75, 0.7), (0.3, 0.75)]
        var seen: Set<TileID> = []
        return shares.compactMap { x, y in
            let point = WorldPoint(
                x: world.minX + (world.maxX - world.minX) * x, y: world.minY + (world.maxY - world.minY) * y)
            let tile = TileID(zoom: zoom, containing: point)
            return seen.insert(tile).inserted ? tile : nil
        }
    }

    private static func sizes(
        of tiles: [TileID], from supply: any RegionSupply, _ cache: SharedCache?
    ) async -> [(zoom: Int, bytes: Int)] {
        let lanes = max(supply.policy.connections, 1)
        return await withTaskGroup(of: [(zoom: Int, bytes: Int)].self) { group in
            for lane in 0..<min(lanes, tiles.count) {
                let items = stride(from: lane, to: tiles.count, by: lanes).map { SupplyRequest(tiles[$0]) }
                group.addTask { await sizes(of: items, from: supply, cache) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func sizes(
        of items: [SupplyRequest], from supply: any RegionSupply, _ cache: SharedCache?
    ) async -> [(zoom: Int, bytes: Int)] {
        let found = Mutex<[(zoom: Int, bytes: Int)]>([])
        await supply.load(items) { news in
            guard case .loaded(let tile, .success(.answer(let response))) = news else { return }
            // A tile that doesn't exist counts as 0 bytes, because similar ones are likely.
            found.withLock { $0.append((tile.zoom, response.body?.count ?? 0)) }
            var cached = response
            // The cache stores tiles unpacked.
            cached.body = response.body.map {
                (try? Gzip.unwrapped($0, limit: VectorTile.sizeLimit)) ?? $0
            }
            cache?.store(cached, for: .tile(origin: supply.origin, tile))
        }
        return found.withLock { $0 }
    }
}
