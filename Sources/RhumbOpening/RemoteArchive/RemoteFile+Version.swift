internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

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
                var kept = version.beginning
                kept.freshness = first.stored.freshness
                loader.cached.store(kept, for: beginning.key)
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
        guard let kept = version.storedAt, found.map({ !version.mayHaveLength(of: $0) }) ?? true else {
            return false
        }
        return (0..<FileVersion.period).contains(now.seconds(since: kept))
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
