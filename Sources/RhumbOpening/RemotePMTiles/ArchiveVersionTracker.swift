package import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
package import RhumbStore
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
    private let renewal = SingleFlight<String, Result<ArchiveVersion, ArchiveFailure>>()
    /// The time of the last request for the edition, by the loader's date.
    private var askedAt: UnixSeconds

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
        let renewal = Task { await renewed(isReload: false) }
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
    /// - Throws: `ArchiveFailure` if it can't be opened.
    package func replaced(_ old: ArchiveVersion) async throws(ArchiveFailure) -> ArchiveVersion {
        guard edition === old else { return edition }
        return try await renewed(isReload: true).get()
    }

    private nonisolated func renewed(isReload: Bool) async -> Result<ArchiveVersion, ArchiveFailure> {
        await renewal.value(for: file.name) { await self.renew(isReload: isReload) }
    }

    private func renew(isReload: Bool) async -> Result<ArchiveVersion, ArchiveFailure> {
        do throws(ArchiveFailure) {
            let beginning = try await file.start(prefersStored: false, isReload: isReload)
            let new = try ArchiveVersion(beginning, of: file)
            if new.version != edition.version {
                edition = new
                onChange?()
            }
            return .success(edition)
        } catch {
            return .failure(error)
        }
    }
}

extension RemoteFile {
    /// The freshness of the stored first bytes; nil if none are stored.
    var beginningState: Freshness.State? { loader.answer(kept: beginning)?.state(at: loader.date()) }
}
