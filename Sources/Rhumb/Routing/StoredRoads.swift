internal import RhumbCore
package import RhumbStore
internal import Synchronization

/// The roads of stored vector tiles: of regions, packages, the shared cache, and opened archives. Reads
/// the index of a store if it has one, and the tiles otherwise. Never uses the network.
package final class StoredRoads: Sendable {
    /// A store, and the path of its index.
    package typealias Store = (tiles: any SearchableTiles, index: String?)

    private let stores: @Sendable () -> [Store]
    /// The keys of the sources to use; nil for all.
    private let scope: Set<String>?
    private let indexes = Mutex<[String: StoredRoadIndex]>([:])
    private let recent = Mutex<[Key: TileRoads]>([:])
    /// The number of tiles in memory, some 20 KB each.
    private static let tileLimit = 600

    private struct Key: Hashable {
        let source: String
        let tile: TileID
        let isMainOnly: Bool
    }

    private struct Source: Sendable {
        let key: String
        let tiles: any SearchableTiles
        let index: StoredRoadIndex?
    }

    /// - Parameters:
    ///   - scope: The keys of the sources to use; nil for all.
    ///   - stores: Returns the stores. Called for each request; may block until they are open.
    package init(scope: Set<String>? = nil, stores: @escaping @Sendable () -> [Store]) {
        self.scope = scope
        self.stores = stores
    }

    /// Returns the same roads, limited to some sources.
    package func limited(to scope: Set<String>) -> StoredRoads { StoredRoads(scope: scope, stores: stores) }

    /// True if a place is in stored tiles that are deep enough.
    package func covers(_ place: Coordinate) -> Bool { sources.contains { zoom(of: $0, at: place) != nil } }

    /// Finds routes on the tiles.
    /// - Throws: `RouteFailure`
    package func routes(_ request: RouteRequest) throws(RouteFailure) -> [Route] {
        try attempt(request.places) { (router) throws(RouteFailure) in try router.routes(request) }
    }

    /// Returns the areas reachable from a place.
    /// - Throws: `RouteFailure`
    package func reach(
        _ minutes: [Double], from start: Coordinate, _ request: RouteRequest
    ) throws(RouteFailure) -> [Isochrone.Area] {
        try attempt([start]) { (router) throws(RouteFailure) in
            try router.reach(minutes, from: start, request)
        }
    }

    /// Asks the source that has all places, or else all sources together.
    private func attempt<Answer>(
        _ places: [Coordinate], _ body: (RoadRouter) throws(RouteFailure) -> Answer
    ) throws(RouteFailure) -> Answer {
        let zooms = sources.map { source in (source: source, zooms: places.map { zoom(of: source, at: $0) }) }
        for (number, place) in places.enumerated() where zooms.allSatisfy({ $0.zooms[number] == nil }) {
            throw sources.isEmpty ? .noEngine : .notStored(place)
        }
        let complete = zooms.compactMap { entry in
            let levels = Set(entry.zooms)
            return levels.count == 1 ? levels.first.flatMap(\.self).map { (entry.source, $0) } : nil
        }
        var failure: RouteFailure?
        for (source, zoom) in complete.sorted(by: { $0.1 > $1.1 }).prefix(3) {
            do throws(RouteFailure) {
                return try body(router([source], zoom))
            } catch {
                guard error.isAboutTiles else { throw error }
                failure = failure ?? error
            }
        }
        // The zoom that most sources have.
        let levels = zooms.flatMap { $0.zooms.compactMap(\.self) }
        let counts = Dictionary(levels.map { ($0, 1) }, uniquingKeysWith: +)
        guard sources.count > 1, let zoom = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key
        else {
            throw failure ?? .noRoute
        }
        return try body(router(sources, zoom))
    }

    // MARK: Sources

    private var sources: [Source] {
        stores().flatMap { store -> [Source] in
            let keys = ((try? store.tiles.sources()) ?? []).map(\.key)
            let index = store.index.map { path in
                indexes.withLock { indexes in
                    let index = indexes[path] ?? StoredRoadIndex(path)
                    indexes[path] = index
                    return index
                }
            }
            return keys.filter { scope?.contains($0) ?? true }.map {
                Source(key: $0, tiles: store.tiles, index: index)
            }
        }
    }

    /// Returns the deepest zoom at which a source has roads at a place; nil if it has none.
    private func zoom(of source: Source, at place: Coordinate) -> Int? {
        let point = Mercator.world(place)
        return StoredRoadIndex.zooms.reversed().first { zoom in
            roads(TileID(zoom: zoom, containing: point), of: source, isMainOnly: false) != nil
        }
    }

    private func router(_ sources: [Source], _ zoom: Int) -> RoadRouter {
        RoadRouter(zoom: zoom) { [self] tile, isMainOnly in
            var found: TileRoads?
            for source in sources {
                guard let roads = roads(tile, of: source, isMainOnly: isMainOnly) else { continue }
                if found == nil { found = roads } else if found != roads { found?.add(roads) }
            }
            return found
        }
    }

    private func roads(_ tile: TileID, of source: Source, isMainOnly: Bool) -> TileRoads? {
        let key = Key(source: source.key, tile: tile, isMainOnly: isMainOnly)
        if let cached = recent.withLock({ $0[key] }) { return cached }
        guard
            let roads = source.index?.roads(tile, of: source.key, isMainOnly: isMainOnly)
                ?? read(tile, source)
        else { return nil }
        recent.withLock { recent in
            if recent.count >= StoredRoads.tileLimit { recent = [:] }
            recent[key] = roads
        }
        return roads
    }

    private func read(_ tile: TileID, _ source: Source) -> TileRoads? {
        guard let bytes = source.tiles.body(tile, of: source.key) else { return nil }
        return (try? VectorTile(bytes)).map { TileRoads($0) } ?? TileRoads()
    }
}

extension RouteFailure {
    /// True if other tiles may contain the route.
    fileprivate var isAboutTiles: Bool {
        switch self {
        case .noRoute, .noRoads, .notStored: true
        default: false
        }
    }
}
