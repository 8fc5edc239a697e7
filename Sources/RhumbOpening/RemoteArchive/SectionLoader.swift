internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Loads sections of one version of a file, each once for all callers. Sections that are requested at about
/// the same time and are close to each other share requests.
actor SectionLoader {
    private let file: RemoteFile
    private let version: FileVersion
    private let rules: Rules
    /// The sections that arrived most recently; empty if the rules keep none.
    nonisolated let recent: RecentItems<FileSection, LoadedRange>
    private var wanted: [FileSection] = []
    private var waiting: [FileSection: [CheckedContinuation<Result<LoadedRange, RangeFailure>, Never>]] = [:]
    private var isCollecting = false

    /// The sections that share requests.
    struct Rules: Sendable {
        /// The time for which sections are collected; nil to collect them while others are in flight.
        var delay: Duration?
        /// The maximum number of unneeded bytes between two sections of a request.
        let gap: UInt64
        /// The maximum number of bytes of a request.
        let limit: UInt64
        /// The number of bytes to keep in memory.
        var memory = 0

        /// The directories of a PMTiles archive.
        static let leaves = Rules(gap: 16 << 10, limit: 1 << 20)
        /// The blocks of a GeoTIFF. Tiles share blocks, and those of a column are far apart.
        static let blocks = Rules(
            delay: .milliseconds(10), gap: 4 << 20, limit: .max, memory: 48_000_000)
    }

    init(_ file: RemoteFile, _ version: FileVersion, _ rules: Rules) {
        self.file = file
        self.version = version
        self.rules = rules
        recent = RecentItems(limit: rules.memory)
    }

    /// The number of sections waiting to be requested.
    var wantedCount: Int { wanted.count }

    func load(_ section: FileSection) async throws(RangeFailure) -> LoadedRange {
        if let cached = recent[section] { return cached }
        return try await withCheckedContinuation { continuation in
            if waiting[section] == nil { wanted.append(section) }
            waiting[section, default: []].append(continuation)
            guard !isCollecting else { return }
            isCollecting = true
            Task { await readWanted() }
        }.get()
    }

    /// Returns several sections.
    nonisolated func load(
        _ sections: [FileSection]
    ) async throws(RangeFailure) -> [FileSection: LoadedRange] {
        let outcomes = await withTaskGroup(of: SectionOutcome.self) { group in
            for section in Set(sections) { group.addTask { await self.outcome(of: section) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var found: [FileSection: LoadedRange] = [:]
        for outcome in outcomes { found[outcome.section] = try outcome.range.get() }
        return found
    }

    private struct SectionOutcome: Sendable {
        let section: FileSection
        let range: Result<LoadedRange, RangeFailure>
    }

    private func outcome(of section: FileSection) async -> SectionOutcome {
        do throws(RangeFailure) {
            return SectionOutcome(section: section, range: .success(try await load(section)))
        } catch {
            return SectionOutcome(section: section, range: .failure(error))
        }
    }

    /// Returns the bytes of sections from the store or the server, and stores them as documents.
    nonisolated func documents(
        _ sections: [FileSection]
    ) async throws(RangeFailure) -> [FileSection: [UInt8]] {
        var found: [FileSection: [UInt8]] = [:]
        for section in sections { found[section] = await file.stored(section, of: version) }
        for (section, range) in try await load(sections.filter { found[$0] == nil }) {
            file.store(range, for: section)
            found[section] = range.bytes
        }
        return found
    }

    private func readWanted() async {
        if let delay = rules.delay {
            try? await Task.sleep(for: delay)
            let batch = wanted
            wanted = []
            isCollecting = false
            return await read(batch)
        }
        while !wanted.isEmpty {
            let batch = wanted
            wanted = []
            await read(batch)
        }
        isCollecting = false
    }

    private func read(_ sections: [FileSection]) async {
        let groups = FileSection.groups(of: sections, gap: rules.gap, limit: rules.limit) { $0 }
        await withTaskGroup { group in
            for sections in groups { group.addTask { await self.read(group: sections.items) } }
        }
    }

    private func read(group sections: [FileSection]) async {
        var batch = RangeBatch(sections.map { (item: $0, section: $0) })
        do throws(RangeFailure) {
            try await file.load(&batch, of: version, priority: .visible(view: .max)) { section, range in
                if rules.memory > 0 { recent.add(range, section, bytes: range.bytes.count) }
                finish(section, .success(range))
            }
        } catch {
            for section in sections { finish(section, .failure(error)) }
        }
    }

    private func finish(_ section: FileSection, _ outcome: Result<LoadedRange, RangeFailure>) {
        for continuation in waiting.removeValue(forKey: section) ?? [] {
            continuation.resume(returning: outcome)
        }
    }
}
