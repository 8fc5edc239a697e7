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
    /// The maximum number of findings that are used again for tiles with the same stored body.
    private static let findingLimit = 4096

    /// The origin of the finding about a run.
    private enum Origin<Finding> {
        /// Its body is examined.
        case body
        /// The body of an earlier run in the batch is the same.
        case earlier(Int)
        case known(Finding)
    }

    /// Visits the tiles. Tiles that share a stored body may share the finding.
    /// - Parameters:
    ///   - examine: Called for runs of tiles, from several threads at once.
    ///   - collect: Called with each result, from the calling thread, in the order of the archive.
    /// - Returns: The number of tiles that the archive lists at each zoom; nil if all tiles were read.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed; `CancellationError` if the task is cancelled.
    func visit<Finding: Sendable>(
        _ examine: @Sendable (StoredTileRun) -> Finding, collect: (StoredTileRun, Finding) -> Void
    ) throws -> [Int: Int]? {
        var batch: [(run: StoredTileRun, origin: Origin<Finding>)] = [], fresh: [StoredTileRun] = [],
            bytes = 0
        var recent: [UInt64: Origin<Finding>] = [:]
        func flush() {
            var next = fresh.concurrentlyMapped(examine)[...], findings: [Finding] = []
            for (run, origin) in batch {
                let finding: Finding?
                switch origin {
                case .known(let known): finding = known
                case .earlier(let at): finding = findings[at]
                case .body:
                    finding = next.popFirst()
                    if let location = run.location, let finding { recent[location] = .known(finding) }
                }
                guard let finding else { continue }
                findings.append(finding)
                collect(run, finding)
            }
            if recent.count > Self.findingLimit { recent.removeAll(keepingCapacity: true) }
            batch.removeAll(keepingCapacity: true)
            fresh.removeAll(keepingCapacity: true)
            bytes = 0
        }
        func add(_ run: StoredTileRun) throws {
            try Task.checkCancellation()
            let origin = run.location.flatMap { recent[$0] } ?? .body
            if case .body = origin {
                if let location = run.location { recent[location] = .earlier(batch.count) }
                fresh.append(run)
                if case .success(let body) = run.body { bytes += body.count }
            }
            batch.append((run, origin))
            if fresh.count >= Self.batchRuns || batch.count >= Self.findingLimit || bytes >= Self.batchBytes {
                flush()
            }
        }
        guard let sample else {
            try archive.walk(.bodies { recent[$0] != nil }, add)
            flush()
            return nil
        }
        let (tiles, counts) = try listed(sample)
        _ = try archive.plan(tiles)
        for (index, tile) in tiles.enumerated() {
            WorkProgress.report(index, of: tiles.count)
            if let run = StoredTileRun(tile, of: archive) {
                if case .failure = run.body { try archive.checkServer() }
                try add(run)
            }
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
    package func concurrentlyMapped<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result]
    {
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

/// The findings about distinct bodies, so that each is examined once. Used from several threads.
final class CheckedBodies<Finding: Sendable>: Sendable {
    private let findings = Mutex<[ContentHash: Finding]>([:])
    private let limit: Int

    /// - Parameter limit: The maximum number of bodies whose findings are stored.
    init(limit: Int = .max) { self.limit = limit }

    /// Returns the finding about a body.
    func finding(_ body: [UInt8], _ examine: ([UInt8]) -> Finding) -> Finding {
        let hash = ContentHash(body)
        if let cached = findings.withLock({ $0[hash] }) { return cached }
        let finding = examine(body)
        findings.withLock { if $0.count < limit { $0[hash] = finding } }
        return finding
    }

    /// Returns the number of distinct bodies, and the sum of a value; nil if there are too many.
    func total(_ value: (Finding) -> Int) -> (count: Int, sum: Int)? {
        findings.withLock { $0.count < limit ? ($0.count, $0.values.reduce(0) { $0 + value($1) }) : nil }
    }
}
