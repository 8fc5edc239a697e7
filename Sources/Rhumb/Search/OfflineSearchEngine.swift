internal import Glibc
internal import RhumbCore
public import RhumbEngine
public import RhumbStore
internal import Synchronization

/// Finds streets, houses, features by kind, and places in stored data: regions, packages, the shared cache,
/// opened archives, and the gazetteer. Never uses the network.
///
/// The indexes are files beside the stores, and are updated after `startIndexing` has been called.
public final class OfflineSearchEngine: MapSearch {
    let places: LazyPlaceSearch
    private let configuration: @Sendable () -> LayerConfiguration
    let archives = ArchiveTiles()
    private let indexers: Lazy<[SearchIndexer]>
    private let stores: Lazy<Stores>
    private let worker = Mutex<IndexingThread?>(nil)
    private let rounds = IndexingRounds()

    /// The searched stores.
    private struct Stores: Sendable {
        let regions: RegionStore?
        let ofRegions: StoreTiles?
        let ofCache: StoreTiles?
        let cache: String?
    }

    /// - Parameters:
    ///   - stores: Returns the region store and the path of the shared cache; nil for those not to be
    ///     searched. Archives are indexed beside the cache. Called on first use; may block until the stores
    ///     are open.
    ///   - configuration: Returns the enabled features.
    public init(
        _ places: LazyPlaceSearch, stores: @escaping @Sendable () -> (regions: RegionStore?, cache: String?),
        configuration: @escaping @Sendable () -> LayerConfiguration
    ) {
        self.places = places
        self.configuration = configuration
        let archives = archives
        let opened = Lazy {
            let (regions, cache) = stores()
            return Stores(
                regions: regions, ofRegions: regions.map { StoreTiles($0.path) },
                ofCache: cache.map { StoreTiles($0) }, cache: cache)
        }
        self.stores = opened
        indexers = Lazy {
            let stores = opened.value, names = places.folding
            let own = stores.regions.map {
                SearchIndex(OfflineSearchEngine.indexPath(of: $0.path), names: names)
            }
            let shared = stores.cache.map { SearchIndex(OfflineSearchEngine.indexPath(of: $0), names: names) }
            var indexers: [SearchIndexer] = []
            let wantsRoads: @Sendable (String) -> Bool = { _ in
                configuration().enabledFeatures.contains(.offlineRouting)
            }
            if let own, let ofRegions = stores.ofRegions {
                indexers.append(
                    SearchIndexer(
                        own, ofRegions,
                        wantsRoads: { wantsRoads($0) && stores.regions?.wantsRoads(ofSource: $0) ?? true }))
            }
            if let shared, let ofCache = stores.ofCache {
                indexers.append(SearchIndexer(shared, ofCache, wantsRoads: wantsRoads))
            }
            if let index = shared ?? own {
                indexers.append(SearchIndexer(index, archives, wantsRoads: wantsRoads))
            }
            return indexers
        }
    }

    /// - Parameters:
    ///   - regions: The region store; nil to search none.
    ///   - cache: The path of the shared cache, beside which archives are indexed; nil to search neither.
    ///   - configuration: Returns the enabled features.
    public convenience init(
        _ places: LazyPlaceSearch, regions: RegionStore?, cache: String?,
        configuration: @escaping @Sendable () -> LayerConfiguration
    ) {
        self.init(places, stores: { (regions, cache) }, configuration: configuration)
    }

    var regions: RegionStore? { stores.value.regions }
    /// The sources of tile bodies for all indexers.
    var holders: [any SearchableTiles] {
        [stores.value.ofRegions, stores.value.ofCache].compactMap { $0 } + [archives]
    }

    /// The stores whose tiles contain roads, each with the path of its index.
    package var roadStores: [StoredRoads.Store] {
        let stores = stores.value
        let own = stores.regions.map { OfflineSearchEngine.indexPath(of: $0.path) }
        let shared = stores.cache.map { OfflineSearchEngine.indexPath(of: $0) }
        var found: [StoredRoads.Store] = []
        if let ofRegions = stores.ofRegions { found.append((ofRegions, own)) }
        if let ofCache = stores.ofCache { found.append((ofCache, shared)) }
        return found + [(archives, shared ?? own)]
    }

    /// Returns the path of a store's index, such as "regions.search.db" for "regions.db".
    package static func indexPath(of store: String) -> String {
        store.hasSuffix(".db") ? store.dropLast(3) + ".search.db" : store + ".search"
    }

    /// Adds an archive of vector tiles to the search. Its index is stored beside that of the cache.
    public func add(_ archive: any TileArchive, path: String) {
        archives.add(archive, path: path)
        rounds.add()
        worker.withLock { $0?.wake() }
    }

    // MARK: Indexing

    /// Starts to index stored data in the background at low priority.
    public func startIndexing() {
        guard isEnabled else { return }
        worker.withLock { worker in
            guard worker == nil else { return }
            worker = IndexingThread { [indexers, rounds, configuration] isStopped in
                guard configuration().allowsSearch else { return true }
                return rounds.run { indexers.value.reduce(true) { $1.work(isStopped: isStopped) && $0 } }
            }
        }
    }

    /// Stops indexing. The remaining data is indexed the next time.
    public func stopIndexing() {
        worker.withLock { worker in
            worker?.stop()
            worker = nil
        }
    }

    /// Indexes all stored data before returning.
    /// - Parameter isStopped: Polled; returns true to leave the remaining data for another time.
    public func catchUp(isStopped: () -> Bool) {
        guard isEnabled else { return }
        for indexer in indexers.value {
            // Waits for another process that is indexing.
            while !indexer.work(isStopped: isStopped), indexer.progress.problem == nil, !isStopped() {
                usleep(100_000)
            }
        }
    }

    /// Indexes stored maps that are not yet in the index, for a limited time.
    public func catchUp(for time: Duration) {
        let end = ContinuousClock.now + time
        catchUp { ContinuousClock.now > end }
    }

    /// Removes data that is no longer stored from the indexes.
    public func forgetRemoved() { for indexer in indexers.value { indexer.sweep() } }

    private var isEnabled: Bool { configuration().allowsSearch }

    /// The indexed share of stored data, 0…1, and the reason why the rest is not indexed; nil if there is
    /// none.
    public var progress: (share: Double, problem: String?) {
        let all = indexers.value.map(\.progress)
        // A pending examination counts as one additional tile.
        let isPending = rounds.isPending && worker.withLock { $0 != nil }
        let wanted = all.reduce(isPending ? 1 : 0) { $0 + $1.wanted },
            indexed = all.reduce(0) { $0 + $1.indexed }
        return (
            wanted == 0 ? 1 : Double(indexed) / Double(wanted),
            all.compactMap(\.problem).first ?? archives.remark
        )
    }

    /// Counts the tiles of a region that can be searched, and those that are in the index. Nothing is
    /// indexed.
    /// - Throws: `SearchFailure.unreadable`
    public func progress(
        of region: RegionRecord
    ) throws(SearchFailure) -> (indexed: Int, wanted: Int) {
        // The indexer of the regions is the first one.
        guard regions != nil, let indexer = indexers.value.first else { return (0, 0) }
        let origins = Set(region.parts.map(\.origin.description))
        let progress = try converting(indexer.progress(of: origins)) { (error: StoreFailure) in
            SearchFailure.unreadable("\(error)")
        }
        return (progress.indexed, progress.wanted)
    }

    // MARK: Queries

    /// Loads the data for the first searches. A first key takes 26 ms of processor time, and later ones
    /// 11 ms, so that a letter is searched for, too.
    public func prepare() {
        guard isEnabled else { return }
        for index in indexes { index.prepare() }
        _ = try? search(MapSearchQuery("a"))
    }

    private var indexes: [SearchIndex] {
        var seen: Set<String> = []
        return indexers.value.map(\.index).filter { seen.insert($0.path).inserted }
    }

    /// Searches stored data. The best matches are first.
    public func search(_ query: MapSearchQuery) throws(SearchFailure) -> SearchResult {
        if let spot = query.spot { return try lying(at: spot, query) }
        try require()
        // Read first, because an index completed during the search may lack data for this result.
        let (share, problem) = progress
        let scope = try scope(of: query.area, near: query.near)
        var features = Result { () throws(SearchFailure) in try foundFeatures(query, scope) }
        try checkCancellation()
        let isFound = (try? features.get())?.contains { !$0.isMistyped } ?? false
        var ranked = try foundPlaces(query, forgives: !isFound)
        try checkCancellation()
        let isNamed = isFound || ranked.contains { !$0.match.isSimilar }
        let part = isNamed ? nil : try? matchesInTown(query, scope)
        if let part { (features, ranked) = (.success(part.features), []) }
        let note = part?.note ?? (ranked.isEmpty ? Self.missingNumber((try? features.get()) ?? []) : nil)
        let trouble = try add(features, to: &ranked)
        let here = trouble == nil ? query.near ?? scope.bounds?.center : nil,
            isHere = try here.map(isDownloaded) ?? true
        if ranked.isEmpty, !isHere, query.text.isEmpty { throw .layersNotDownloaded }
        let best = ranked.enumerated().sorted {
            ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
        }
        let result = SearchResult(
            best.prefix(query.limit).map(\.element.match), isDownloadedHere: isHere, indexedShare: share,
            problem: trouble ?? problem ?? missingData)
        return result.with(note: note, searchedName: part?.name)
    }

    /// A sentence about data that the session lacks; nil if it has places and a store.
    private var missingData: String? {
        guard indexers.value.isEmpty else {
            return places.isEmpty ? "place names are not searched: the session has no list of places" : nil
        }
        return "stored maps are not searched: the session has neither a cache nor regions"
    }

    private func foundPlaces(
        _ query: MapSearchQuery, forgives: Bool
    ) throws(SearchFailure) -> [RankedMatch] {
        guard query.kind == nil, !query.text.isEmpty, !query.area.isOfStored else { return [] }
        do throws(PlaceSearchFailure) {
            let found = try places.places(
                matching: query.text, near: query.near, limit: query.limit, forgives: forgives)
            // The places keep their own order when features of the map are merged with them.
            var least = Double.infinity
            let folding = places.folding
            return found.filter { query.area.holds($0.place.coordinate) }.map { match in
                least = min(least - 0.01, match.score(query, folding))
                return RankedMatch(.place(match), score: least)
            }
        } catch {
            throw SearchFailure(error)
        }
    }

    /// Adds features of the map to the found places.
    /// - Returns: The reason why this failed although there are places; nil if it succeeded.
    private func add(
        _ features: Result<[RankedFeature], SearchFailure>, to ranked: inout [RankedMatch]
    ) throws(SearchFailure) -> String? {
        do throws(SearchFailure) {
            for feature in try features.get()
            where !ranked.contains(where: { $0.isSame(as: feature) }) {
                ranked.append(
                    RankedMatch(.feature(feature.feature.showing(configuration())), score: feature.score))
            }
            return nil
        } catch {
            guard case .unreadable(let sentence) = error, !ranked.isEmpty else { throw error }
            return sentence
        }
    }

    func foundFeatures(
        _ query: MapSearchQuery, _ scope: SearchScope, forgives: Bool = true
    ) throws(SearchFailure) -> [RankedFeature] {
        var question = SearchQuestion(query.text, near: query.near, limit: query.limit)
        question.kind = query.kind
        question.scope = scope
        question.forgives = forgives
        do throws(StoreFailure) {
            var found: [RankedFeature] = []
            for index in indexes { found += try index.search(question) }
            guard indexes.count > 1 else { return found }
            let best = found.sorted { $0.score > $1.score }
            return FeatureMatch.joined(best.map(\.feature)).map { feature, first in
                var ranked = best[first]
                ranked.feature = feature
                return ranked
            }
        } catch {
            throw .unreadable("\(error)")
        }
    }

    func require() throws(SearchFailure) {
        try converting(configuration().requireSearch(for: "searching"), to: SearchFailure.disabled)
    }

    func checkCancellation() throws(SearchFailure) { if Task.isCancelled { throw .cancelled } }

    private func isDownloaded(_ place: Coordinate) throws(SearchFailure) -> Bool {
        try tiles(at: place).contains { $0.tile.zoom >= 11 }
    }

    func tiles(at place: Coordinate) throws(SearchFailure) -> [(source: String, tile: TileID)] {
        do throws(StoreFailure) {
            var found: [(source: String, tile: TileID)] = []
            for index in indexes { found += try index.tiles(at: Mercator.world(place)) }
            return found.sorted { $0.tile.zoom > $1.tile.zoom }
        } catch {
            throw .unreadable("\(error)")
        }
    }

    // MARK: Areas

    /// The distance in metres from the view within which stored maps are searched without
    /// `offlineSearchGlobal`.
    private static let reach = 50_000.0

    /// Returns the part of the stored maps to search. Without `offlineSearchGlobal`, it is limited to the
    /// area around the view.
    private func scope(of area: MapSearchArea, near view: Coordinate?) throws(SearchFailure) -> SearchScope {
        var scope = SearchScope()
        switch area {
        case .everywhere where configuration().enabledFeatures.contains(.offlineSearchGlobal): break
        case .everywhere:
            guard let view else {
                throw .disabled(.disabled(.offlineSearchGlobal, wanted: "searching beyond the view"))
            }
            scope.bounds = try? RegionGeometry.circle(around: view, radius: OfflineSearchEngine.reach).bounds
        case .box(let bounds): scope.bounds = bounds
        case .archive(let path):
            guard let key = ArchiveTiles.key(path) else { throw .unknownArea(path) }
            scope.sources = [key]
        case .region(let id):
            guard let record = try? regions?.region(id) else { throw .unknownArea(id) }
            scope.take([record])
        case .regions(let place):
            let tile = TileID(zoom: 12, containing: Mercator.world(place))
            scope.take(
                ((try? regions?.regions()) ?? []).filter { record in
                    record.covers.contains { $0.cover.contains(tile) }
                })
        }
        return scope
    }

    // MARK: Reverse geocoding

    /// Returns the features at a place, followed by those whose names match the place's words.
    private func lying(at spot: Coordinate, _ query: MapSearchQuery) throws(SearchFailure) -> SearchResult {
        var spotless = query
        spotless.spot = nil
        let (share, problem) = progress, (found, trouble) = try spotDescription(spot), lying = found.matches
        let named = query.text.isEmpty ? nil : try search(spotless)
        let others = named?.matches.filter { !lying.contains($0) } ?? []
        let result = SearchResult(
            Array((lying + others).prefix(query.limit)), isDownloadedHere: found.isDownloadedHere,
            indexedShare: share, problem: trouble ?? named?.problem ?? problem)
        return result.with(note: named?.note, searchedName: named?.searchedName)
    }

    /// Returns a description of a place. If the index can't be read, it contains only the nearest settlement,
    /// and the reason is also returned.
    private func spotDescription(
        _ spot: Coordinate
    ) throws(SearchFailure) -> (ReverseGeocodeResult, trouble: String?) {
        do throws(SearchFailure) {
            return (try describe(spot), nil)
        } catch {
            guard case .unreadable(let sentence) = error else { throw error }
            return (settlement(near: spot), sentence)
        }
    }

    private func settlement(near coordinate: Coordinate) -> ReverseGeocodeResult {
        var spot = ReverseGeocodeResult(coordinate)
        spot.place = (try? places.nearest(to: coordinate, minimumImportance: 0)) ?? nil
        return spot
    }

    /// Returns the street, the house and the settlement at a coordinate.
    public func describe(_ coordinate: Coordinate) throws(SearchFailure) -> ReverseGeocodeResult {
        try require()
        var spot = settlement(near: coordinate)
        for (source, tile) in try tiles(at: coordinate) where tile.zoom >= 11 {
            try checkCancellation()
            spot.isDownloadedHere = true
            guard let bytes = body(tile, of: source), let read = try? VectorTile(bytes) else { continue }
            spot.take(ReverseGeocoder(read, at: tile, near: coordinate))
        }
        return spot
    }
}
