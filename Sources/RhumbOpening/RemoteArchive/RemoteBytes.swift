internal import Dispatch
package import RhumbCore
package import RhumbEngine
internal import RhumbHTTP
package import RhumbStore
internal import Synchronization

/// The bytes of an archive on a server, read in ranges by threads that may block. Planned parts are loaded as
/// a whole; other reads in the order of the file load ever longer parts ahead.
package final class RemoteBytes: PlannedByteSource {
    fileprivate struct State {
        /// The parts in memory, the most recently used last.
        var parts: [(section: FileSection, bytes: [UInt8])] = []
        /// The parts to load as a whole, in the order of the file.
        var plan: [FileSection] = []
        /// The last part that was loaded without a plan.
        var last = FileSection()
        var ahead = RemoteBytes.leastAhead
        /// The last failure of the server, and the time until which it isn't asked again.
        var outage: (failure: TileFailure, end: ContinuousClock.Instant)?
    }

    package let size: UInt64
    package var isRemote: Bool { true }
    private let file: RemoteFile
    private let beginning: Document
    private let version: FileVersion
    /// The sections that reads ahead must not leave.
    private let sections: [FileSection]
    private let state = Mutex(State())

    fileprivate static let leastAhead: UInt64 = 64 << 10
    fileprivate static let mostAhead: UInt64 = 4 << 20
    /// Maximum number of parts in memory.
    private static let partLimit = 4

    /// - Parameters:
    ///   - beginning: The first bytes of the file.
    ///   - sections: The parts of the file. The last one ends with the file. Empty if its size is unknown.
    init(_ file: RemoteFile, _ beginning: Document, sections: [FileSection]) {
        self.file = file
        self.beginning = beginning
        self.sections = sections
        version = FileVersion(beginning)
        let stated = sections.reduce(UInt64(PMTilesIndex.startLength)) { max($0, $1.end) }
        size = sections.isEmpty ? GeoTIFFArchive.unknownSize : stated
    }

    package var outage: TileFailure? {
        state.withLock { $0.outage.flatMap { $0.end > .now ? $0.failure : nil } }
    }

    package func plan(_ parts: [FileSection]) { state.withLock { $0.plan = parts } }

    package func read(offset: UInt64, count: Int) throws(TileFailure) -> [UInt8] {
        let section = FileSection(offset: offset, length: UInt64(max(count, 0)))
        guard section.fits(size: size) else {
            throw TileFailure(.badContent, "\(file.name): a part is beyond its end; download it again")
        }
        if count == 0 { return [] }
        if let bytes = PMTilesIndex.slice(beginning.body, section) { return bytes }
        if offset == 0 {
            // Small archives may be shorter than the first bytes.
            return Array(beginning.body.prefix(count))
        }
        if let bytes = state.withLock({ $0.bytes(section) }) { return bytes }
        let part = state.withLock { $0.part(for: section, in: sections) }
        let bytes = try load(part)
        state.withLock { $0.add(part, bytes, limit: Self.partLimit) }
        guard let found = section.bytes(in: bytes, of: part) else {
            throw TileFailure(.badContent, "\(file.name) is truncated; download it again")
        }
        return Array(found)
    }

    /// Loads a part, and blocks the thread until it has arrived.
    private func load(_ part: FileSection) throws(TileFailure) -> [UInt8] {
        if let outage { throw outage }
        let outcome = Mutex<Result<[UInt8], RangeFailure>?>(nil), done = DispatchSemaphore(value: 0)
        Task.detached { [file, version] in
            do throws(RangeFailure) {
                let bytes = try await file.load(part, of: version, priority: .visible(view: .max)).bytes
                outcome.withLock { $0 = .success(bytes) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let found = outcome.withLock({ $0 }) else {
            throw TileFailure(.unreadable, "\(file.name): nothing was received")
        }
        do throws(RangeFailure) {
            return try found.get()
        } catch {
            var failure = error.tileFailure(file)
            if case .failed = error { throw failure }
            if case .changed = error {
                // The directories in memory are those of the old file.
                failure = TileFailure(
                    .unreadable, "\(file.name): the file was replaced on its server; open it again",
                    retryAfter: .seconds(FileVersion.period))
            }
            let end = ContinuousClock.now + failure.retryAfter
            state.withLock { $0.outage = (failure, end) }
            throw failure
        }
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
    fileprivate mutating func part(for section: FileSection, in sections: [FileSection]) -> FileSection {
        let next = plan.partitioningIndex { $0.end > section.offset }
        if plan.indices.contains(next), plan[next].offset <= section.offset, plan[next].end >= section.end {
            return plan[next]
        }
        let isNext = (last.offset...last.end).contains(section.offset)
        ahead = isNext ? min(ahead * 2, RemoteBytes.mostAhead) : RemoteBytes.leastAhead
        let enclosing = sections.first {
            $0.offset <= section.offset && section.end <= $0.end
        }
        let end = min(max(section.end, section.offset + ahead), max(enclosing?.end ?? 0, section.end))
        last = FileSection(section.offset..<end)
        return last
    }
}

extension RemoteArchive {
    /// Returns the archive for commands that read it from a thread that may block. It belongs to the edition
    /// that was opened; reading fails if the file changes on the server.
    /// - Parameter probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`
    package func archive(probe: TileProbe?) throws(ArchiveFailure) -> any TileArchive {
        let opened = versions.opened
        if let image = opened.image {
            let whole = FileSection(offset: 0, length: image.tileBytes)
            let bytes = RemoteBytes(
                file, opened.beginning, sections: image.tileBytes > 0 ? [whole] : [])
            return try GeoTIFFArchive(bytes, path: file.name, name: image.name)
        }
        if let layout = opened.index as? VersaTilesLayout {
            let whole = FileSection(offset: 0, length: layout.header.end)
            return try VersaTilesArchive(
                RemoteBytes(file, opened.beginning, sections: [whole]), name: file.name, probe: probe)
        }
        return try treeArchive(probe: probe)
    }

    /// The archive for listing its tiles; nil if that would load too much.
    package var listable: (any TileArchive)? {
        let opened = versions.opened
        let leaves = (opened.index as? PMTilesIndex)?.header.leaves.length ?? 0
        return opened.image == nil && leaves <= Self.directoryLimit ? try? archive(probe: nil) : nil
    }

    private func treeArchive(probe: TileProbe?) throws(ArchiveFailure) -> PMTilesArchive {
        let opened = versions.opened
        let header = (opened.index as? PMTilesIndex)?.header
        let sections = header.map { [$0.leaves, $0.tiles, $0.metadata, $0.root] } ?? []
        return try PMTilesArchive(
            RemoteBytes(file, opened.beginning, sections: sections), name: file.name, probe: probe)
    }

    /// Returns the declared bounds, extended to the tiles outside of them; nil if they contain all tiles.
    /// Reads all directories of the archive, unless they are too large, or the bounds go around the world.
    /// - Throws: `ArchiveFailure`
    package func extendedBounds() async throws(ArchiveFailure) -> Bounds? {
        guard let leaves = (versions.opened.index as? PMTilesIndex)?.header.leaves.length,
            RemoteArchive.mayExtend(info.bounds, leaves: leaves)
        else { return nil }
        let archive = try treeArchive(probe: nil)
        return try await BlockingExecutor.run { () throws(ArchiveFailure) in
            do { return try archive.extendedBounds() } catch {
                throw error as? ArchiveFailure ?? ArchiveFailure(archive.path, requestFailure: "\(error)")
            }
        }
    }

    /// Returns true if the bounds of an archive are extended to the tiles outside of them.
    /// - Parameter leaves: The size of its directories in bytes, without the root.
    fileprivate static func mayExtend(_ bounds: Bounds?, leaves: UInt64) -> Bool {
        guard let bounds else { return false }
        return (bounds.west > -180 || bounds.east < 180) && leaves <= directoryLimit
    }

    /// The maximum size in bytes of the directories that are read to find the bounds of an archive.
    private static let directoryLimit: UInt64 = 4 << 20
}

extension PMTilesArchive {
    /// Returns the bounds of the tiles that clients install from a copy of the archive on a server; nil if it
    /// declares none.
    package func installedBounds() throws -> Bounds? {
        guard RemoteArchive.mayExtend(info.bounds, leaves: directoryBytes) else {
            return info.bounds
        }
        return try extendedBounds() ?? info.bounds
    }
}
