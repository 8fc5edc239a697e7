internal import Dispatch
package import RhumbCore
package import RhumbEngine
internal import RhumbHTTP
package import RhumbStore
internal import Synchronization

/// The bytes of a PMTiles archive on a server, read in ranges by threads that may block. Planned parts are
/// loaded as a whole; other reads in the order of the file load ever longer parts ahead.
package final class RemoteBytes: PlannedByteSource {
    fileprivate struct State {
        /// The parts in memory, the most recently used last.
        var parts: [(section: FileSection, bytes: [UInt8])] = []
        /// The parts to load as a whole, in the order of the file.
        var plan: [FileSection] = []
        /// The last part that was loaded without a plan.
        var last = FileSection()
        var ahead = RemoteBytes.leastAhead
    }

    package let size: UInt64
    package var isRemote: Bool { true }
    private let file: RemoteFile
    private let edition: ArchiveVersion
    private let state = Mutex(State())

    fileprivate static let leastAhead: UInt64 = 64 << 10
    fileprivate static let mostAhead: UInt64 = 4 << 20
    /// Maximum number of parts in memory.
    private static let partLimit = 4

    init(_ file: RemoteFile, _ edition: ArchiveVersion) {
        self.file = file
        self.edition = edition
        let header = edition.index.header
        let sections = [header.root, header.metadata, header.leaves, header.tiles]
        size = sections.reduce(UInt64(PMTilesIndex.startLength)) { max($0, $1.end) }
    }

    package func plan(_ parts: [FileSection]) { state.withLock { $0.plan = parts } }

    package func read(offset: UInt64, count: Int) throws(TileFailure) -> [UInt8] {
        let section = FileSection(offset: offset, length: UInt64(max(count, 0)))
        guard section.fits(size: size) else {
            throw TileFailure(.badContent, "\(file.name): a part is beyond its end; download it again")
        }
        if count == 0 { return [] }
        if let bytes = PMTilesIndex.slice(edition.beginning.body, section) { return bytes }
        if offset == 0 {
            // Small archives may be shorter than the first bytes.
            return Array(edition.beginning.body.prefix(count))
        }
        if let bytes = state.withLock({ $0.bytes(section) }) { return bytes }
        let part = state.withLock { $0.part(for: section, in: edition.index.header) }
        let bytes = try load(part)
        state.withLock { $0.add(part, bytes, limit: Self.partLimit) }
        guard let found = section.bytes(in: bytes, of: part) else {
            throw TileFailure(.badContent, "\(file.name) is truncated; download it again")
        }
        return Array(found)
    }

    /// Loads a part, and blocks the thread until it has arrived.
    private func load(_ part: FileSection) throws(TileFailure) -> [UInt8] {
        let outcome = Mutex<Result<[UInt8], TileFailure>?>(nil), done = DispatchSemaphore(value: 0)
        Task.detached { [file, edition] in
            do throws(RangeFailure) {
                let range = try await file.load(
                    part, version: edition.version, isStated: edition.isStated,
                    priority: .visible(view: .max))
                outcome.withLock { $0 = .success(range.bytes) }
            } catch {
                outcome.withLock { $0 = .failure(error.tileFailure(file)) }
            }
            done.signal()
        }
        done.wait()
        guard let found = outcome.withLock({ $0 }) else {
            throw TileFailure(.unreadable, "\(file.name): nothing was received")
        }
        return try found.get()
    }
}

extension RemoteBytes.State {
    /// Returns the bytes of a section from a part in memory.
    fileprivate mutating func bytes(_ section: FileSection) -> [UInt8]? {
        for index in parts.indices.reversed() {
            guard let found = section.bytes(in: parts[index].bytes, of: parts[index].section) else {
                continue
            }
            parts.append(parts.remove(at: index))
            return Array(found)
        }
        return nil
    }

    fileprivate mutating func add(_ section: FileSection, _ bytes: [UInt8], limit: Int) {
        parts.append((section, bytes))
        if parts.count > limit { parts.removeFirst() }
    }

    /// Returns the part to load for a section.
    fileprivate mutating func part(for section: FileSection, in header: PMTilesHeader) -> FileSection {
        let next = plan.partitioningIndex { $0.end > section.offset }
        if plan.indices.contains(next), plan[next].offset <= section.offset, plan[next].end >= section.end {
            return plan[next]
        }
        let isNext = (last.offset...last.end).contains(section.offset)
        ahead = isNext ? min(ahead * 2, RemoteBytes.mostAhead) : RemoteBytes.leastAhead
        let enclosing = [header.leaves, header.tiles, header.metadata].first {
            $0.offset <= section.offset && section.end <= $0.end
        }
        let end = min(max(section.end, section.offset + ahead), max(enclosing?.end ?? 0, section.end))
        last = FileSection(section.offset..<end)
        return last
    }
}

extension RemotePMTiles {
    /// Returns the archive for commands that read it from a thread that may block. It belongs to the edition
    /// that was opened; reading fails if the file changes on the server.
    /// - Parameter probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`
    package func archive(probe: TileProbe?) throws(ArchiveFailure) -> PMTilesArchive {
        try PMTilesArchive(
            RemoteBytes(bodies.file, bodies.keeper.opened), name: bodies.file.name, probe: probe)
    }
}
