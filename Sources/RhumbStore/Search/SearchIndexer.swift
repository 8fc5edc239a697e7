internal import Glibc
internal import RhumbCore
internal import Synchronization

/// The progress of an index.
package struct SearchProgress: Sendable, Equatable {
    /// The number of wanted tiles that are in the index.
    package var indexed = 0
    /// The number of tiles that should be in the index.
    package var wanted = 0
    /// The reason why indexing waits; nil if it doesn't.
    package var problem: String?

    package init() {}

    package var isComplete: Bool { indexed >= wanted && problem == nil }
}

/// Updates an index from the stored tiles by adding and removing differences. After an interruption it
/// continues where it stopped. Only one process works at a time.
package final class SearchIndexer: Sendable {
    /// The index.
    package let index: SearchIndex
    private let holder: any SearchableTiles
    /// Returns the free disk space for a file in bytes; nil if unknown.
    private let room: @Sendable (String) -> Int?
    /// Returns true if the roads of a source are indexed.
    private let wantsRoads: @Sendable (String) -> Bool
    /// The states of sources that are completely indexed.
    private let settled = Mutex<[String: Int]>([:])
    private let counts = Mutex<[String: (indexed: Int, wanted: Int)]>([:])
    private let problem = Mutex<String?>(nil)
    /// True once this process has looked for removed sources.
    private let isSwept = Mutex(false)
    /// The time until which work is paused after a failure.
    private let restUntil = Mutex(ContinuousClock.now)
    private static let rest = Duration.seconds(20)
    /// The disk space in bytes that must remain free.
    private static let reserve = 16_000_000
    /// The number of tiles per transaction.
    private static let batch = 24

    package init(
        _ index: SearchIndex, _ holder: any SearchableTiles,
        wantsRoads: @escaping @Sendable (String) -> Bool = { _ in true },
        room: @escaping @Sendable (String) -> Int? = { DiskSpace.bytes(beside: $0) }
    ) {
        self.wantsRoads = wantsRoads
        self.index = index
        self.holder = holder
        self.room = room
    }

    /// The current progress.
    package var progress: SearchProgress {
        var progress = SearchProgress()
        for count in counts.withLock({ $0.values }) {
            progress.indexed += count.indexed
            progress.wanted += count.wanted
        }
        progress.problem = problem.withLock { $0 }
        return progress
    }

    /// Counts the tiles of sources in the index, without indexing any.
    /// - Parameter keys: The keys of the sources. Those that can't be indexed are left out.
    /// - Throws: `StoreFailure`
    package func progress(of keys: Set<String>) throws(StoreFailure) -> SearchProgress {
        var progress = SearchProgress()
        for source in try holder.sources() where keys.contains(source.key) {
            let wanted = WantedTiles(try holder.tiles(of: source.key)).all.count
            progress.wanted += wanted
            progress.indexed += min(index.count(of: source.key), wanted)
        }
        return progress
    }

    /// Performs all outstanding work.
    /// - Parameter isStopped: Called between tiles; return true to stop.
    /// - Returns: True if all work is done; false also while another process works.
    package func work(isStopped: () -> Bool) -> Bool {
        guard restUntil.withLock({ $0 <= .now }) else { return false }
        do throws(StoreFailure) {
            let isDone = try workOnce(isStopped: isStopped)
            problem.withLock { $0 = nil }
            return isDone
        } catch {
            // A missing store has no tiles to index.
            if error.kind == .cannotOpen { return true }
            problem.withLock { $0 = "\(error)" }
            restUntil.withLock { $0 = .now + SearchIndexer.rest }
            return false
        }
    }

    private func workOnce(isStopped: () -> Bool) throws(StoreFailure) -> Bool {
        let sources = try holder.sources()
        let previous = settled.withLock { $0 }
        let changed = sources.filter { previous[$0.key] != $0.state }
        let isMissing = counts.withLock { counts in
            counts.keys.contains { key in !sources.contains { $0.key == key } }
        }
        guard !changed.isEmpty || isMissing || !isSwept.withLock({ $0 }) else { return true }
        if access(index.path, F_OK) != 0 {
            if sources.isEmpty { return true }
            try requireRoom()
        }
        guard let lock = IndexLock(index.path + ".lock") else { return try watch(changed.map(\.key)) }
        defer { lock.release() }
        try removeGone(keeping: Set(sources.map(\.key)), isStopped)
        for source in changed {
            guard try follow(source.key, isStopped) else { return false }
            settled.withLock { $0[source.key] = source.state }
        }
        try giveBackSpace()
        return true
    }

    /// Returns unused space to the disk. Removes the file of an empty index, because its words would keep
    /// their pages.
    private func giveBackSpace() throws(StoreFailure) {
        let isEmpty = try index.write { (writer) throws(StoreFailure) in try writer.sources() }.isEmpty
        if isEmpty { index.remove() } else { try index.giveBackSpace() }
    }

    /// Removes sources that no longer exist. Does nothing if another process is indexing, because that
    /// process removes them.
    package func sweep() {
        guard access(index.path, F_OK) == 0, let sources = try? holder.sources(),
            let lock = IndexLock(index.path + ".lock")
        else { return }
        defer { lock.release() }
        try? removeGone(keeping: Set(sources.map(\.key))) { false }
        try? giveBackSpace()
    }

    /// Counts the tiles that another process has indexed.
    private func watch(_ keys: [String]) throws(StoreFailure) -> Bool {
        for key in keys {
            let wanted = WantedTiles(try holder.tiles(of: key)).all.count
            counts.withLock { $0[key] = (min(index.count(of: key), wanted), wanted) }
        }
        return false
    }

    private func removeGone(keeping keys: Set<String>, _ isStopped: () -> Bool) throws(StoreFailure) {
        let gone = try index.write { (writer) throws(StoreFailure) in try writer.sources() }.filter {
            !keys.contains($0.key) && holder.isGone($0.key)
        }
        for source in gone {
            while !isStopped(),
                try index.write({ (writer) throws(StoreFailure) in try writer.remove(source: source.id) })
            {}
        }
        if !isStopped() { isSwept.withLock { $0 = true } }
        counts.withLock { counts in counts = counts.filter { keys.contains($0.key) } }
        settled.withLock { settled in settled = settled.filter { keys.contains($0.key) } }
    }

    // MARK: One source

    /// - Returns: True if the source is completely indexed.
    private func follow(_ key: String, _ isStopped: () -> Bool) throws(StoreFailure) -> Bool {
        let stored = WantedTiles(try holder.tiles(of: key), withRoads: wantsRoads(key))
        let (source, indexed) = try index.write { (writer) throws(StoreFailure) in
            let source = try writer.source(key)
            return (source, try writer.tiles(of: source))
        }
        let gone = indexed.keys.filter { !stored.wants($0) }
        let missing = stored.all.filter { indexed[$0.stored.tile] != $0.state }
        counts.withLock { $0[key] = (stored.all.count - missing.count, stored.all.count) }
        for slice in gone.slices(of: 100) {
            if isStopped() { return false }
            try index.write { (writer) throws(StoreFailure) in
                for tile in slice {
                    try writer.replace(SearchTile(source: source, tile: tile), body: 0, parts: 0, with: nil)
                }
            }
        }
        for slice in missing.slices(of: SearchIndexer.batch) {
            try requireRoom()
            var read: [(WantedTiles.Tile, TileFeatures, TileRoads?)] = []
            for tile in slice {
                if isStopped() { return false }
                let (found, roads) = content(tile, of: key)
                read.append((tile, found, roads))
            }
            let batch = read
            try index.write { (writer) throws(StoreFailure) in
                for (tile, found, roads) in batch {
                    try writer.replace(
                        SearchTile(source: source, tile: found.tile), body: tile.stored.body,
                        parts: tile.parts, with: found, roads: roads)
                }
            }
            counts.withLock { $0[key]?.indexed += batch.count }
        }
        return true
    }

    /// Throws if the disk is nearly full, to leave the remaining space to tiles.
    private func requireRoom() throws(StoreFailure) {
        guard let room = room(index.path), room < SearchIndexer.reserve else { return }
        throw StoreFailure(
            code: 13, attempt: "write the search index", file: index.path,
            reason: "less than \(AmountText.bytes(SearchIndexer.reserve)) free")
    }

    /// Returns the features of a tile, none if it can't be read, and its roads, if they are indexed.
    private func content(_ wanted: WantedTiles.Tile, of key: String) -> (TileFeatures, TileRoads?) {
        let tile = wanted.stored.tile
        guard let bytes = holder.body(tile, of: key), let read = try? VectorTile(bytes) else {
            return (TileFeatures(tile: tile), nil)
        }
        let features = TileFeatures(read, at: tile, isLeftOut: (0..<4).map { wanted.parts & 1 << $0 != 0 })
        return (features, wanted.hasRoads ? TileRoads(read) : nil)
    }
}

/// The stored tiles to index: those that are the deepest tile in at least one of their quarters.
private struct WantedTiles {
    struct Tile {
        let stored: StoredTile
        /// A bit for each quarter with its own stored tiles, and one if the roads are indexed.
        let parts: Int

        var state: SIMD2<Int> { SIMD2(stored.body, parts) }
        var hasRoads: Bool { parts & WantedTiles.roads != 0 }
    }

    /// The tiles, deepest first.
    let all: [Tile]
    private let tiles: Set<TileID>
    private static let roads = 16

    init(_ stored: [StoredTile], withRoads: Bool = false) {
        let tiles = Set(stored.map(\.tile))
        self.tiles = tiles
        all = stored.compactMap { stored in
            let parts = stored.tile.children.enumerated().reduce(0) {
                $0 | (tiles.contains($1.element) ? 1 << $1.offset : 0)
            }
            let hasRoads = withRoads && StoredRoadIndex.zooms.contains(stored.tile.zoom)
            return parts == 15 ? nil : Tile(stored: stored, parts: parts | (hasRoads ? WantedTiles.roads : 0))
        }
        .sorted { $1.stored.tile < $0.stored.tile }
    }

    func wants(_ tile: TileID) -> Bool { tiles.contains(tile) && !tile.children.allSatisfy(tiles.contains) }
}

extension SearchWriter {
    fileprivate func sources() throws(StoreFailure) -> [(key: String, id: Int)] {
        let rows = try connection.prepare("SELECT key, id FROM sources", to: "read the search index")
        return try rows.all { ($0.text(0) ?? "", $0.int(1) ?? 0) }
    }

    /// Returns the indexed tiles of a source, each with the hash of its body and its omitted quarters.
    fileprivate func tiles(of source: Int) throws(StoreFailure) -> [TileID: SIMD2<Int>] {
        let rows = try connection.prepare(
            "SELECT z, x, y, body, parts FROM tiles WHERE source = ?1", to: "read the search index")
        try rows.bind(1, source)
        var found: [TileID: SIMD2<Int>] = [:]
        while try rows.step() {
            guard let tile = TileID(zoom: rows.int(0) ?? -1, x: rows.int(1) ?? -1, y: rows.int(2) ?? -1)
            else { continue }
            found[tile] = SIMD2(rows.int(3) ?? 0, rows.int(4) ?? 0)
        }
        return found
    }
}

extension Array {
    fileprivate func slices(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

/// A lock file that one process at a time can hold.
private struct IndexLock {
    private let file: Int32

    /// Takes the lock; nil if another process holds it.
    init?(_ path: String) {
        StoreSchema.makeFolder(of: path)
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        guard FileLock.take(file) == .held else {
            close(file)
            return nil
        }
    }

    func release() { close(file) }
}
