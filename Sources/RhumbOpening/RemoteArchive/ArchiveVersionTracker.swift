package import RhumbCore
package import RhumbEngine
package import RhumbHTTP
internal import RhumbStore
internal import Synchronization

/// Tracks the current version of a remote archive by its ETag, and opens the next one when the file changes.
package actor ArchiveVersionTracker {
    private let file: RemoteFile
    private let onChange: (@Sendable () -> Void)?
    package private(set) var edition: ArchiveVersion {
        didSet { published.withLock { [tiles = edition.tiles] in $0 = tiles } }
    }
    private let published: Mutex<TileEdition>
    /// The edition that the archive was opened with.
    nonisolated let opened: ArchiveVersion
    private let renewal = SingleFlight<String, Result<ArchiveVersion, RangeFailure>>()
    private let opening = SingleFlight<String, Result<ArchiveVersion, RangeFailure>>()
    /// The time of the last request for the edition, by the loader's date.
    private var askedAt: UnixSeconds
    private var changes = FileChanges()

    /// The origin that the tiles are stored under now.
    package nonisolated var origin: TileOrigin { file.origin.of(published.withLock { $0 }) }

    /// The minimum number of seconds between revalidations of an out-of-date archive.
    private static let pause: Int64 = 60

    init(_ file: RemoteFile, _ edition: ArchiveVersion, onChange: (@Sendable () -> Void)?) {
        self.file = file
        self.edition = edition
        self.onChange = onChange
        opened = edition
        published = Mutex(edition.tiles)
        askedAt = ArchiveVersionTracker.wasAsked(edition) ? file.loader.date() : UnixSeconds(0)
    }

    private static func wasAsked(_ edition: ArchiveVersion) -> Bool {
        if case .outdated(nil) = edition.beginning.standing { false } else { true }
    }

    /// Returns the edition to read from. An out-of-date edition is revalidated in the background. One that
    /// must not be used without revalidation is revalidated first, and kept if the server can't be reached.
    package func current() async -> ArchiveVersion {
        guard let state = await state, state != .fresh, isDue else { return edition }
        askedAt = file.loader.date()
        let renewal = Task { await renewed() }
        if state == .mustRevalidate { _ = await renewal.value }
        return edition
    }

    /// True if the pause is over. If the clock was set back, the time of the last request is unknown.
    private var isDue: Bool {
        !(0..<ArchiveVersionTracker.pause).contains(file.loader.date().seconds(since: askedAt))
    }

    /// The freshness of the archive's first bytes; nil if they aren't stored.
    private var state: Freshness.State? {
        get async { await BlockingExecutor.run { [file] in file.beginningState } }
    }

    /// Returns the edition that replaced one that is gone.
    /// - Parameter beginning: The response with its first bytes; nil to ask the server.
    /// - Throws: `RangeFailure` if it can't be opened.
    package func replaced(
        _ old: ArchiveVersion, by beginning: CachedResponse? = nil
    ) async throws(RangeFailure) -> ArchiveVersion {
        guard edition === old else { return edition }
        if let beginning { return try await replace(old, by: beginning).get() }
        return try await renewed().get()
    }

    private nonisolated func renewed() async -> Result<ArchiveVersion, RangeFailure> {
        await renewal.value(for: file.name) { await self.renew() }
    }

    private func renew() async -> Result<ArchiveVersion, RangeFailure> {
        let old = edition
        if let next = old.fileVersion.successor(at: file.loader.date()) {
            return await replace(old, by: next)
        }
        do throws(HTTPFailure) {
            // Meanwhile, the response to a tile may have shown the new version.
            guard let beginning = try await file.successor(of: old.fileVersion), edition === old else {
                return .success(edition)
            }
            return await replace(old, by: beginning)
        } catch {
            return .failure(.request(error))
        }
    }

    /// Opens the version with these first bytes, once for all callers.
    private func replace(
        _ old: ArchiveVersion, by beginning: CachedResponse
    ) async -> Result<ArchiveVersion, RangeFailure> {
        await opening.value(for: file.name) {
            do throws(RangeFailure) {
                return .success(try await self.open(beginning, after: old))
            } catch {
                return .failure(error)
            }
        }
    }

    private func open(
        _ beginning: CachedResponse, after old: ArchiveVersion
    ) async throws(RangeFailure) -> ArchiveVersion {
        guard edition === old else { return edition }
        if let unrest = changes.add(to: file) { throw .failed(unrest) }
        do throws(ArchiveFailure) {
            edition = try await ArchiveVersion(
                file.loader.document(beginning, file.beginning), of: file, replacing: old.fileVersion)
        } catch {
            if error.isAboutContent { file.loader.forget(file.beginning) }
            throw .failed(TileFailure(.unreadable, error.description, retryAfter: .seconds(60)))
        }
        onChange?()
        return edition
    }

    /// The failure of a file that keeps changing on its server; nil for others.
    package var unrest: TileFailure? { changes.unrest(of: file) }
}

/// The times at which a file on a server was replaced.
struct FileChanges {
    private var times: [UnixSeconds] = []
    /// The last time at which a change was ignored because there were too many.
    private var ignoredAt: UnixSeconds?

    /// The period in seconds, and the maximum number of changes in it.
    private static let pause: Int64 = 60, limit = 2

    /// Adds a change.
    /// - Returns: The failure of a file that was already replaced several times within the last minute, such
    ///   as by servers with different files; nil for others.
    mutating func add(to file: RemoteFile) -> TileFailure? {
        let now = file.loader.date()
        times.removeAll { !(0..<FileChanges.pause).contains(now.seconds(since: $0)) }
        if times.count < FileChanges.limit { times.append(now) } else { ignoredAt = now }
        return unrest(of: file)
    }

    /// Returns the failure of a file if a change was ignored within the last minute; nil otherwise.
    func unrest(of file: RemoteFile) -> TileFailure? {
        guard let ignoredAt,
            (0..<FileChanges.pause).contains(file.loader.date().seconds(since: ignoredAt))
        else { return nil }
        return TileFailure(
            .unreadable, "\(file.name): the file keeps changing on its server; try again in a minute",
            retryAfter: .seconds(FileChanges.pause))
    }
}

extension RemoteFile {
    /// The freshness of the stored first bytes; nil if none are stored.
    var beginningState: Freshness.State? { loader.answer(stored: beginning)?.state(at: loader.date()) }
}
