internal import RhumbCore
package import RhumbStore
internal import Synchronization

/// The roads of stored vector tiles: of regions, packages, the shared cache, and opened archives. Reads
/// the index of a store if it has one, and the tiles otherwise. Never uses the network.
package final class StoredRoads: Sendable {
    /// A store, and the path of its index.
    package typealias Store = (tiles: any SearchableTiles, index: String?)

    private let stores: @Sendable () -> [Store]
    private let attribution: @Sendable (String) -> String?
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

    /// The tiles that a search could not read.
    private final class Damage: Sendable {
        private let first = Mutex<TileID?>(nil)

        func note(_ tile: TileID) { first.withLock { $0 = $0 ?? tile } }

        /// A sentence about the first one; nil if there is none.
        var sentence: String? {
            first.withLock { $0 }.map {
                "the stored tile \($0) is damaged, so its roads are missing; download the area again"
            }
        }
    }

    /// - Parameters:
    ///   - scope: The keys of the sources to use; nil for all.
    ///   - attribution: Returns the attribution of a source by its key; nil if unknown.
    ///   - stores: Returns the stores. Called for each request; may block until they are open.
    package init(
        scope: Set<String>? = nil, attribution: @escaping @Sendable (String) -> String? = { _ in nil },
        stores: @escaping @Sendable () -> [Store]
    ) {
        self.scope = scope
        self.attribution = attribution
        self.stores = stores
    }

    /// Returns the same roads, limited to some sources.
    package func limited(to scope: Set<String>) -> StoredRoads {
        StoredRoads(scope: scope, attribution: attribution, stores: stores)
    }

    /// True if a place is in stored tiles that are deep enough.
    package func covers(_ place: Coordinate) -> Bool {
        sources.contains { zoom(of: $0, at: place, Damage()) != nil }
    }

    /// True if an opened archive has tiles that are deep enough.
    package var hasArchive: Bool {
        sources.contains { source in
            guard ArchiveTiles.path(inKey: source.key) != nil else { return false }
            let tiles = (try? source.tiles.tiles(of: source.key)) ?? []
            return tiles.contains {
                StoredRoadIndex.zooms.contains($0.tile.zoom)
                    && roads($0.tile, of: source, isMainOnly: false, Damage()) != nil
            }
        }
    }

    /// Returns a sentence about the damaged tile of a place; nil if none is damaged.
    package func damage(at place: Coordinate) -> String? {
        let damage = Damage()
        for source in sources where zoom(of: source, at: place, damage) != nil { return nil }
        return damage.sentence
    }

    /// Finds routes on the tiles.
    /// - Returns: The routes, and the attribution of their tiles, which may be empty.
    /// - Throws: `RouteFailure`
    package func routes(
        _ request: RouteRequest
    ) throws(RouteFailure) -> (routes: [Route], attribution: String) {
        let damage = Damage()
        var (routes, attribution) = try attempt(request.places, damage) { (router) throws(RouteFailure) in
            try router.routes(request)
        }
        if let sentence = damage.sentence {
            for at in routes.indices { routes[at].remarks.append(sentence) }
        }
        return (routes, attribution)
    }

    /// Returns the areas reachable from a place, and the attribution of their tiles.
    /// - Throws: `RouteFailure`
    package func reach(
        _ minutes: [Double], from start: Coordinate, _ request: RouteRequest
    ) throws(RouteFailure) -> (areas: [Isochrone.Area], attribution: String) {
        try attempt([start], Damage()) { (router) throws(RouteFailure) in
            try router.reach(minutes, from: start, request)
        }
    }

    /// Searches the roads, and names a damaged tile if that fails.
    private func attempt<Answer>(
        _ places: [Coordinate], _ damage: Damage, _ body: (RoadRouter) throws(RouteFailure) -> Answer
    ) throws(RouteFailure) -> (Answer, String) {
        do throws(RouteFailure) {
            return try search(places, damage, body)
        } catch {
            guard error.isAboutTiles, let sentence = damage.sentence else { throw error }
            throw .unreachable(sentence)
        }
    }

    /// Asks the source that has all places, or else all sources together.
    private func search<Answer>(
        _ places: [Coordinate], _ damage: Damage, _ body: (RoadRouter) throws(RouteFailure) -> Answer
    ) throws(RouteFailure) -> (Answer, String) {
        let sources = sources
        let zooms = sources.map { source in
            (source: source, zooms: places.map { zoom(of: source, at: $0, damage) })
        }
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
                return (try body(router([source], zoom, damage)), attribution(of: [source]))
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
        return (try body(router(sources, zoom, damage)), attribution(of: sources))
    }

    // MARK: Sources

    /// Returns the different attributions of sources.
    private func attribution(of sources: [Source]) -> String {
        var found: [String] = []
        for text in sources.compactMap({ attribution($0.key) }) where !text.isEmpty && !found.contains(text) {
            found.append(text)
        }
        return found.joined(separator: ", ")
    }

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
    private func zoom(of source: Source, at place: Coordinate, _ damage: Damage) -> Int? {
        let point = Mercator.world(place)
        return StoredRoadIndex.zooms.reversed().first { zoom in
            roads(TileID(zoom: zoom, containing: point), of: source, isMainOnly: false, damage) != nil
        }
    }

    /// Returns the roads within a distance of a place in metres, and the zoom of their tiles; nil if no tile
    /// is stored there. Roads farther away may be left out: to join those of whole tiles takes 50 ms.
    package func roads(
        around place: Coordinate, within metres: Double, _ recent: RecentTiles
    ) -> (zoom: Int, load: RoadLoader)? {
        let sources = sources, world = Mercator.world(place)
        let zooms = sources.compactMap { source in
            StoredRoadIndex.zooms.reversed().first { zoom in
                recent.tile(TileID(zoom: zoom, containing: world), of: source.key, in: source.tiles) != nil
            }
        }
        let load: RoadLoader = { tile, isMainOnly in
            var found: TileRoads?
            for source in sources {
                let indexed = source.index?.roads(tile, of: source.key, isMainOnly: isMainOnly)
                let read =
                    indexed == nil
                    ? recent.tile(tile, of: source.key, in: source.tiles)
                        .map { TileRoads($0, tile, within: metres, of: place) } : nil
                guard let roads = indexed ?? read else { continue }
                if found == nil { found = roads } else if found != roads { found?.add(roads) }
            }
            return found
        }
        return zooms.max().map { ($0, load) }
    }

    private func router(_ sources: [Source], _ zoom: Int, _ damage: Damage) -> RoadRouter {
        RoadRouter(zoom: zoom, load: loader(sources, damage))
    }

    private func loader(_ sources: [Source], _ damage: Damage) -> RoadLoader {
        { [self] tile, isMainOnly in
            var found: TileRoads?
            for source in sources {
                guard let roads = roads(tile, of: source, isMainOnly: isMainOnly, damage) else { continue }
                if found == nil { found = roads } else if found != roads { found?.add(roads) }
            }
            return found
        }
    }

    private func roads(
        _ tile: TileID, of source: Source, isMainOnly: Bool, _ damage: Damage
    ) -> TileRoads? {
        let key = Key(source: source.key, tile: tile, isMainOnly: isMainOnly)
        if let cached = recent.withLock({ $0[key] }) { return cached }
        guard
            let roads = source.index?.roads(tile, of: source.key, isMainOnly: isMainOnly)
                ?? read(tile, source, damage)
        else { return nil }
        recent.withLock { recent in
            if recent.count >= StoredRoads.tileLimit { recent = [:] }
            recent[key] = roads
        }
        return roads
    }

    private func read(_ tile: TileID, _ source: Source, _ damage: Damage) -> TileRoads? {
        let bytes = source.tiles.body(tile, of: source.key)
        if let bytes, let read = try? VectorTile(bytes) { return TileRoads(read) }
        if bytes != nil || source.tiles.isDamaged(tile, of: source.key) { damage.note(tile) }
        return nil
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
