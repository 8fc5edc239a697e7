package import RhumbCore
package import RhumbEngine
package import RhumbHTTP
package import RhumbStore
internal import Synchronization

/// A file on a web server that is read in parts, through the response store.
package struct RemoteFile: Sendable {
    /// The whole file. Requests are for ranges of it.
    let resource: WebResource
    package let loader: DocumentLoader
    /// The address that identifies the tiles of all builds of the file; nil for its own.
    var sharedAddress: String?
    /// The address of a copy to request ranges of, whose tiles have the same origin; nil to request the file
    /// itself.
    var location: HTTPAddress?
    /// The copy to read from; nil to request ranges.
    var copy: WholeFile?
    let limit = RangeLimit()
    /// The maximum number of checks of responses that differ from the version, for one load.
    private static let checkLimit = 2

    /// The file's name for the user and in errors.
    package var name: String { (location ?? resource.address).canonical }

    /// The origin of its tiles in every edition. Its size is 0: only the archive states the size.
    var origin: TileOrigin {
        TileOrigin(
            source: resource.rules?.id ?? resource.address.host,
            address: sharedAddress ?? resource.address.canonical,
            size: 0)
    }

    /// Returns the address under which regions store a part, so that the map opens from it without a network:
    /// that of the file, even if the part was requested from its copy.
    package func storedAddress(of part: String) -> String {
        guard let copy = location?.canonical, part.hasPrefix(copy + "#") else { return part }
        return resource.address.canonical + part.dropFirst(copy.count)
    }

    func range(_ section: FileSection) -> WebResource {
        var range = WebResource(
            document: location ?? resource.address,
            range: ByteRange(offset: section.offset, count: section.length), rules: resource.rules,
            headers: resource.headers)
        range.passesThrough = resource.passesThrough
        return range
    }

    /// The first bytes, which an archive is opened with.
    var beginning: WebResource {
        var beginning = range(.init(offset: 0, length: UInt64(PMTilesIndex.startLength)))
        beginning.expected = .archiveStart
        return beginning
    }

    /// Loads the first bytes, which contain the header and the root directory.
    /// - Parameters:
    ///   - prefersStored: If true, a stored response is used regardless of its age.
    ///   - isReload: If true, a fresh stored response is revalidated.
    package func start(prefersStored: Bool, isReload: Bool) async throws(ArchiveFailure) -> Document {
        do throws(DocumentFailure) {
            if let copy {
                let bytes = copy.bytes(FileSection(offset: 0, length: UInt64(PMTilesIndex.startLength)))
                return try await loader.take(copy.response.part(bytes), HTTPRequest(beginning), beginning)
            }
            if prefersStored, let stored = loader.stored(beginning) { return stored }
            return try await loader.load(beginning, isReload: isReload)
        } catch {
            throw ArchiveFailure(error, name: name)
        }
    }

    /// Loads a section, and stores it as a document.
    func document(_ section: FileSection, of version: FileVersion) async throws(RangeFailure) -> [UInt8] {
        let range = try await load(section, of: version, priority: .visible(view: .max))
        store(range, for: section)
        return range.bytes
    }

    /// Returns a section from the store, or loads it and stores it as a document.
    func storedDocument(
        _ section: FileSection, of version: FileVersion
    ) async throws(RangeFailure) -> [UInt8] {
        if let stored = await stored(section, of: version) { return stored }
        return try await document(section, of: version)
    }

    /// Returns a section from the store; nil if it isn't stored.
    func stored(_ section: FileSection, of version: FileVersion) async -> [UInt8]? {
        let key = key(of: section)
        return await BlockingExecutor.run { [loader] in
            loader.cached.match(key, version: version.name)?.response.body
        }
    }

    /// Stores a section as a document, if that is allowed.
    func store(_ range: LoadedRange, for section: FileSection) {
        store(range.bytes, of: range, .documents, for: key(of: section))
    }

    /// Stores a body that was read from a section, if that is allowed.
    @discardableResult
    func store(
        _ body: [UInt8], of range: LoadedRange, _ storage: StoragePolicy, for key: ResourceKey?
    ) -> StoredResponse {
        let (response, isStorable) = range.response(body, storage)
        if isStorable { loader.cached.store(response, for: key) }
        return response
    }

    /// Loads one section.
    /// - Parameter version: The version that the file must still have.
    func load(
        _ section: FileSection, of version: FileVersion, priority: HTTPPriority
    ) async throws(RangeFailure) -> LoadedRange {
        var batch = RangeBatch([(item: (), section: section)]), found: LoadedRange?
        try await load(&batch, of: version, priority: priority) { found = $1 }
        guard let found else { throw .truncated(name) }
        return found
    }

    /// Loads sections from the server, or from the copy of the file if there is one. A response that differs
    /// from the version is checked.
    /// See `CachedClient.load(_:of:limit:priority:retrying:onRequest:range:take:)`.
    package nonisolated(nonsending) func load<Item: Sendable>(
        _ batch: inout RangeBatch<Item>, of version: FileVersion, priority: HTTPPriority,
        retrying rule: RetryRule? = nil, onRequest: () -> Void = {}, take: (Item, LoadedRange) -> Void
    ) async throws(RangeFailure) {
        guard let copy else {
            var checks = 0
            while true {
                do throws(RangeFailure) {
                    return try await loader.cached.load(
                        &batch, of: version, limit: limit, priority: priority, retrying: rule,
                        onRequest: onRequest, range: range, take: take)
                } catch {
                    guard case .differs(let headers) = error else { throw error }
                    guard checks < RemoteFile.checkLimit else {
                        // The version is current, but the file ends before the section.
                        throw headers == nil ? .truncated(name) : error
                    }
                    checks += 1
                    try await check(version, headers)
                }
            }
        }
        while let section = batch.request(limit: RangeLimit.bounds.upperBound) {
            let request = HTTPRequest(range(section), priority: priority)
            for (item, bytes) in batch.add(copy.bytes(section)) {
                take(item, LoadedRange(bytes, copy.response.part([]), to: request, version: version.name))
            }
            guard batch.isRequestComplete else { throw .truncated(name) }
        }
    }

    /// Returns the key of a part that is not a tile.
    func key(of section: FileSection) -> ResourceKey? { range(section).key }
}

extension RangeFailure {
    /// Returns the failure of a tile that needs the part.
    package func tileFailure(_ file: RemoteFile) -> TileFailure {
        switch self {
        case .failed(let failure): failure
        case .request(let failure): TileFailure(failure)
        case .changed, .differs:
            TileFailure(.unreadable, "\(file.name): the archive changed while it was read; try again")
        }
    }
}

extension ArchiveFailure {
    /// Creates the failure to load an archive's first bytes.
    init(_ failure: DocumentFailure, name: String) {
        guard case .notFetched(let cause) = failure else {
            self.init(name, .cannotOpen, "no such file on the server", "check the URL")
            return
        }
        if cause.fault == .webPage || cause.headers["content-type"]?.hasPrefix("text/html") == true {
            self.init(
                name, .cannotOpen, "the server answers with a web page, not with an archive",
                "check the URL in a browser; it may need a login")
            return
        }
        if cause.fault == .rangeIgnored || cause.status == 200 {
            self.init(
                name, .unsupported, "the server does not support range requests",
                "download the archive and open the file")
            obstacle = .wholeFilesOnly
            return
        }
        if let fault = cause.fault, fault == .wrongRange || fault == .codedRange {
            self.init(name, .unsupported, fault.explanation, "download the archive and open the file")
            obstacle = .wholeFilesOnly
            return
        }
        self.init(name, requestFailure: cause.message)
        remedy = cause.remedy
        obstacle = cause.obstacle
    }
}

extension HTTPFailure {
    /// The obstacle that may end without the user's help; nil if a retry would fail, too.
    package var obstacle: ArchiveFailure.Obstacle? {
        switch (failureClass, fault) {
        case _ where !isLostConnection: nil
        case (.rate, _) where status.map { $0 < 500 } ?? false: .rateLimit(pause: retryAfter)
        case (.rate, _), (_, .truncated): .failingServer(pause: retryAfter)
        case (_, .connectionLost), (_, .timedOut), (_, .tlsFailed): .lostConnection(pause: retryAfter)
        default: .connection
        }
    }
}

/// Decides whether a file on a server has changed, for all containers.
extension RemoteFile {
    /// Returns the first bytes of the version that replaced another one; nil if that one is current.
    ///
    /// A file with other first bytes or another length is a new version. Otherwise, another validator means a
    /// new version only if the server states it consistently. If the server contradicts itself, the
    /// validators are those of mirrors, or invented for each response: the version is kept, because a new one
    /// would be outdated by the next response.
    /// - Parameter found: The header of a response that differs from the version; nil for none.
    func successor(
        of version: FileVersion, found: HTTPHeaders? = nil
    ) async throws(HTTPFailure) -> CachedResponse? {
        var stated = StatedValidators(found.map { [$0.fileVersion] } ?? [], current: version.validator)
        var loaded: Set<String?> = []
        while true {
            let first = try await confirmedBeginning(), validator = first.headers.fileVersion
            let match = version.match(first.headers)
            guard match == .certain || version.hasSameContent(as: first.stored) else { return first }
            stated.append(validator)
            loaded.insert(validator)
            let now = loader.date(), isKept: Bool
            switch stated.verdict {
            case _ where found == nil && match != .other: isKept = false
            case nil: continue
            case .replaced where version.isReplaceable(by: validator, at: now): return first
            // The server contradicts itself, but does not return to the version.
            case .contradictory
            where !loaded.contains(version.validator) && version.isReplaceable(by: validator, at: now):
                return first
            case .current: isKept = version.contradict(stated.others, at: now)
            case .invented: isKept = version.accept(stated.others, invented: now)
            case .replaced, .contradictory:
                isKept = version.accept(loaded.intersection(stated.others), invented: nil)
            }
            if isKept { loader.client.note(.inconsistentVersions(of: resource.address)) }
            if match != .certain, first.isStorable {
                // The stored parts belong to the version that is kept.
                var stored = version.beginning
                stored.freshness = first.stored.freshness
                loader.cached.store(stored, for: beginning.key)
            }
            return nil
        }
    }

    /// Checks a response that differs from a version.
    /// - Parameter found: The header of the response; nil if the file ends before the section.
    /// - Throws: `RangeFailure.changed` if the file has another version now.
    func check(_ version: FileVersion, _ found: HTTPHeaders?) async throws(RangeFailure) {
        if let found, version.match(found) != .other { return }
        if let next = knownSuccessor(of: version, found) { throw .changed(next) }
        if isInconsistent(version, found) {
            throw .failed(
                TileFailure(
                    .unreadable,
                    "\(name): the server sends different files for this address; try again later",
                    retryAfter: .seconds(FileVersion.period)))
        }
        let outcome = await version.checks.value(for: name) {
            if let found, version.match(found) != .other { return .success(nil) }
            if let next = knownSuccessor(of: version, found) { return .success(next) }
            do throws(HTTPFailure) {
                let next = try await successor(of: version, found: found)
                // Equal contents are rather those of mirrors, which are checked each time.
                if let next, !version.hasSameContent(as: next.stored) {
                    version.replace(by: next, at: loader.date())
                }
                return .success(next)
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(nil): return
        case .success(let next?): throw .changed(next)
        case .failure(let failure): throw .request(failure)
        }
    }

    /// Returns the first bytes of the version that a response belongs to, if a recent check found that it
    /// replaced this one; nil otherwise.
    private func knownSuccessor(of version: FileVersion, _ found: HTTPHeaders?) -> CachedResponse? {
        guard let stated = found?.fileVersion, let next = version.successor(at: loader.date()) else {
            return nil
        }
        return next.headers.fileVersion == stated ? next : nil
    }

    /// Returns true if the server sent a response that differs from a version, although checks within the
    /// last minute showed that the version is current.
    private func isInconsistent(_ version: FileVersion, _ found: HTTPHeaders?) -> Bool {
        let now = loader.date()
        if let found, version.isContradicted(found.fileVersion, at: now) { return true }
        guard let stored = version.storedAt, found.map({ !version.mayHaveLength(of: $0) }) ?? true else {
            return false
        }
        return (0..<FileVersion.period).contains(now.seconds(since: stored))
    }

    /// Opens the file after a copy of its first bytes could not be opened: with those of a region, or else
    /// with those of the server. The unusable copy is removed from the cache.
    /// - Parameters:
    ///   - failure: The failure, which is thrown if there is no other copy.
    ///   - unusable: The copy.
    ///   - isReload: If true, no stored copy is used instead of the server's.
    func reopened(
        after failure: ArchiveFailure, _ unusable: Document, isReload: Bool
    ) async throws(ArchiveFailure) -> ArchiveVersion {
        guard failure.isAboutContent else { throw failure }
        loader.forget(beginning)
        let isSent = unusable.standing == .sent
        if !isReload || !isSent, let stored = loader.stored(beginning), stored.body != unusable.body,
            let version = try? await ArchiveVersion(stored, of: self)
        {
            return version
        }
        guard !isSent, let sent = try? await loader.loadAgain(beginning) else { throw failure }
        do throws(ArchiveFailure) {
            return try await ArchiveVersion(sent, of: self)
        } catch {
            loader.forget(beginning)
            throw error
        }
    }

    /// Loads the first bytes from the server.
    /// - Throws: `HTTPFailure`, also if bytes are stored.
    private func confirmedBeginning() async throws(HTTPFailure) -> CachedResponse {
        let response = try await loader.cached.load(beginning, .reload, priority: loader.priority)
        if let failure = response.failure { throw failure }
        guard response.body != nil else { throw .absent(resource.address) }
        return response
    }
}

extension FileVersion {
    /// Creates the version of a file with these first bytes.
    /// - Parameter old: The version that it replaces; nil for none.
    convenience init(_ beginning: Document, replacing old: FileVersion? = nil) {
        self.init(beginning.stored, replacing: old, hash: "\(ContentHash(beginning.body))")
    }
}

extension ArchiveFailure {
    /// True if the bytes themselves are wrong, rather than their transfer.
    var isAboutContent: Bool { [.damaged, .notRecognised].contains(reason) }
}

/// A copy of a file on a server that ignores ranges. It has no name, so that the system deletes it when it is
/// closed, also if the process is killed.
package final class WholeFile: Sendable {
    private let file: Mutex<PartFile>
    /// The response that the file arrived in. Only its headers matter.
    let response: HTTPResponse
    /// The size in bytes.
    let size: Int

    /// Creates a copy.
    /// - Parameter file: A file without a name, with all bytes.
    package init(_ file: sending PartFile, _ response: HTTPResponse, size: Int) {
        self.file = Mutex(file)
        self.response = response
        self.size = size
    }

    /// Returns the bytes of a section; fewer if the file ends within it.
    func bytes(_ section: FileSection) -> [UInt8] {
        guard section.offset < UInt64(size) else { return [] }
        let count = min(section.length, UInt64(size) - section.offset)
        return file.withLock { $0.read(at: Int(section.offset), count: Int(count)) }
    }
}
