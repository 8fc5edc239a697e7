internal import Dispatch
internal import RhumbCore
internal import Synchronization

/// Reads the tiles of an archive in batches and examines each batch on all cores. Uses memory for one batch.
struct TileTraversal {
    let archive: any TileArchive
    /// The maximum number of tiles to read at each zoom; nil for all tiles.
    let sample: Int?

    private static let batchRuns = 256
    private static let batchBytes = 8 << 20

    /// Visits the tiles.
    /// - Parameters:
    ///   - examine: Called once for each run of tiles, from several threads at once.
    ///   - collect: Called with each result, from the calling thread, in the order of the archive.
    /// - Returns: The number of tiles that the archive lists at each zoom; nil if all tiles were read.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed; `CancellationError` if the task is cancelled.
    func visit<Finding: Sendable>(
        _ examine: @Sendable (StoredTileRun) -> Finding, collect: (StoredTileRun, Finding) -> Void
    ) throws -> [Int: Int]? {
        var batch: [StoredTileRun] = [], bytes = 0
        func flush() {
            for (run, finding) in zip(batch, batch.concurrentlyMapped(examine)) { collect(run, finding) }
            batch.removeAll(keepingCapacity: true)
            bytes = 0
        }
        func add(_ run: StoredTileRun) throws {
            try Task.checkCancellation()
            batch.append(run)
            if case .success(let body) = run.body { bytes += body.count }
            if batch.count >= Self.batchRuns || bytes >= Self.batchBytes { flush() }
        }
        guard let sample else {
            try archive.eachStoredRun(add)
            flush()
            return nil
        }
        let (tiles, counts) = try listed(sample)
        _ = try archive.plan(tiles)
        for (index, tile) in tiles.enumerated() {
            WorkProgress.report(index, of: tiles.count)
            if let run = StoredTileRun(tile, of: archive) { try add(run) }
        }
        flush()
        return counts
    }

    /// Returns the tiles to read, lowest zoom first, and the number of all tiles at each zoom.
    private func listed(_ limit: Int) throws -> (tiles: [TileID], counts: [Int: Int]) {
        var zooms: [Int: EvenSample] = [:]
        try archive.eachTile { zooms[$0.zoom, default: EvenSample(limit: limit)].add($0) }
        let tiles = zooms.sorted { $0.key < $1.key }.flatMap(\.value.result)
        return (tiles, zooms.mapValues(\.count))
    }
}

extension Array where Element: Sendable {
    /// Returns the results of a function for each element, in order. The function is called on all cores.
    func concurrentlyMapped<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
        let found = Mutex<[Result?]>(Swift.Array(repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = transform(self[index])
            found.withLock { $0[index] = result }
        }
        return found.withLock { $0.compactMap(\.self) }
    }
}

/// Selects tiles at equal intervals from a sequence of unknown length.
struct EvenSample {
    /// The maximum number of selected tiles, at least 1.
    let limit: Int
    /// The length of the sequence so far.
    private(set) var count = 0
    private var step = 1
    private var tiles: [TileID] = []

    init(limit: Int) { self.limit = limit }

    mutating func add(_ tile: TileID) {
        if count.isMultiple(of: step) {
            if tiles.count >= 2 * limit {
                tiles = stride(from: 0, to: tiles.count, by: 2).map { tiles[$0] }
                step *= 2
            }
            if count.isMultiple(of: step) { tiles.append(tile) }
        }
        count += 1
    }

    /// The selected tiles, in order.
    var result: [TileID] {
        guard tiles.count > limit else { return tiles }
        return (0..<limit).map { tiles[$0 * tiles.count / limit] }
    }
}
