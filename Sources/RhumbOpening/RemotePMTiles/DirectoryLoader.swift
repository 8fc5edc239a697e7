internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Reads the leaf directories of one edition, each once for all its tiles. Directories requested while others
/// are in flight wait, and are then read together if they are close to each other.
actor DirectoryLoader {
    typealias Outcome = Result<PMTilesDirectory, RangeFailure>

    private let file: RemoteFile
    let index: PMTilesIndex
    private let version: FileVersion
    private var cache = DirectoryCache()
    private var wanted: [PMTilesDirectory.Entry] = []
    private var waiting: [UInt64: [CheckedContinuation<Outcome, Never>]] = [:]
    private var isReading = false

    init(_ file: RemoteFile, _ index: PMTilesIndex, _ version: FileVersion) {
        self.file = file
        self.index = index
        self.version = version
    }

    /// The number of leaves waiting to be requested.
    var wantedCount: Int { wanted.count }

    /// Returns the leaf directory that an entry points to.
    func leaf(_ entry: PMTilesDirectory.Entry) async -> Outcome {
        // A damaged entry must not delay or replace those that are read with it.
        do throws(TileFailure) { _ = try index.place(ofLeaf: entry) } catch {
            return .failure(.failed(error))
        }
        if let known = cache[entry.offset] { return .success(known) }
        if let stored = await stored(entry) {
            cache.insert(stored, at: entry.offset)
            return .success(stored)
        }
        return await withCheckedContinuation { continuation in
            if waiting[entry.offset] == nil { wanted.append(entry) }
            waiting[entry.offset, default: []].append(continuation)
            guard !isReading else { return }
            isReading = true
            Task { await readAll() }
        }
    }

    private func stored(_ entry: PMTilesDirectory.Entry) async -> PMTilesDirectory? {
        guard let section = try? index.place(ofLeaf: entry) else { return nil }
        return await BlockingExecutor.run { [file, index, version] in
            let match = file.loader.cached.match(file.key(of: section), version: version.name)
            return match?.response.body.flatMap { try? index.leaf($0, of: entry) }
        }
    }

    private func readAll() async {
        while !wanted.isEmpty {
            let batch = wanted
            wanted = []
            await withTaskGroup { group in
                for entries in DirectoryLoader.runs(batch) { group.addTask { await self.read(entries) } }
            }
        }
        isReading = false
    }

    /// Reads leaves that are close together.
    private func read(_ entries: [PMTilesDirectory.Entry]) async {
        var sections = RangeBatch<PMTilesDirectory.Entry>([])
        do throws(RangeFailure) {
            sections = RangeBatch(try places(entries))
            try await file.load(&sections, of: version, priority: .visible(view: .max)) { entry, part in
                finish(entry, leaf(entry, part))
            }
        } catch {
            for entry in entries { finish(entry, .failure(error)) }
        }
    }

    private func places(
        _ entries: [PMTilesDirectory.Entry]
    ) throws(RangeFailure) -> [RangeBatch<PMTilesDirectory.Entry>.Section] {
        do throws(TileFailure) {
            return try entries.map { entry throws(TileFailure) in (entry, try index.place(ofLeaf: entry)) }
        } catch {
            throw .failed(error)
        }
    }

    private func leaf(_ entry: PMTilesDirectory.Entry, _ part: LoadedRange) -> Outcome {
        do throws(TileFailure) {
            let leaf = try index.leaf(part.bytes, of: entry)
            file.store(part, for: try index.place(ofLeaf: entry))
            return .success(leaf)
        } catch {
            return .failure(.failed(error))
        }
    }

    private func finish(_ entry: PMTilesDirectory.Entry, _ outcome: Outcome) {
        if case .success(let leaf) = outcome { cache.insert(leaf, at: entry.offset) }
        for continuation in waiting.removeValue(forKey: entry.offset) ?? [] {
            continuation.resume(returning: outcome)
        }
    }

    /// The maximum number of unneeded bytes between two leaves that are read in one request.
    private static let gap: UInt64 = 16 << 10
    /// The maximum number of bytes in one request.
    private static let longest: UInt64 = 1 << 20

    /// Returns leaves in groups that are close together, in the order of the file.
    static func runs(_ entries: [PMTilesDirectory.Entry]) -> [[PMTilesDirectory.Entry]] {
        var runs: [[PMTilesDirectory.Entry]] = []
        for entry in entries.sorted(by: { $0.offset < $1.offset }) {
            if let run = runs.last, let first = run.first, let last = run.last, isClose(entry, first, last) {
                runs[runs.count - 1].append(entry)
            } else {
                runs.append([entry])
            }
        }
        return runs
    }

    private static func isClose(
        _ next: PMTilesDirectory.Entry, _ first: PMTilesDirectory.Entry, _ last: PMTilesDirectory.Entry
    ) -> Bool {
        let (distance, isTooFar) = next.offset.subtractingReportingOverflow(last.offset)
        guard !isTooFar, distance <= UInt64(last.length) + gap else { return false }
        return next.offset - first.offset + UInt64(next.length) <= longest
    }
}
