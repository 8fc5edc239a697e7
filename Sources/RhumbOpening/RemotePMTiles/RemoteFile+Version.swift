internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Decides whether a file on a server has changed, for all containers.
extension RemoteFile {
    /// The seconds after which a version with the same first bytes and length may be a new one.
    private static let proof: Int64 = 60

    /// Returns the first bytes of the version that replaced another one; nil if that one is current.
    ///
    /// A file with other first bytes or another length is a new version. Otherwise, only a validator that the
    /// server states consistently, and that replaces one which it stated for at least a minute, means a new
    /// version. All other validators are those of mirrors, or invented for each response: the version is
    /// kept, because a new one would be outdated by the next response.
    /// - Parameter found: The header of a response that differs from the version; nil for none.
    func successor(
        of version: FileVersion, found: HTTPHeaders? = nil
    ) async throws(HTTPFailure) -> CachedResponse? {
        var first = try await confirmedBeginning()
        if found != nil, version.match(first.headers) == .certain {
            // Another server may have sent the response that differs, perhaps with another file.
            first = try await confirmedBeginning()
        }
        let isSame = version.match(first.headers) != .other
        if isSame, found == nil { return nil }
        guard isSame || version.hasSameContent(as: first.stored) else { return first }
        let stated = first.headers.fileVersion, now = loader.date()
        if !isSame, version.keptAt == nil, found.map({ $0.fileVersion == stated }) ?? true,
            now.seconds(since: version.beginning.freshness.receivedAt) >= RemoteFile.proof
        {
            let second = try await confirmedBeginning()
            if second.headers.fileVersion == stated { return second }
        }
        if version.keep(at: now) { loader.client.note(.inconsistentVersions(of: resource.address)) }
        if first.isStorable {
            // The stored parts belong to the version that is kept.
            var kept = version.beginning
            kept.freshness = first.stored.freshness
            loader.cached.store(kept, for: beginning.key)
        }
        return nil
    }

    /// Checks a response that differs from a version.
    /// - Parameter found: The header of the response; nil if the file ends before the section.
    /// - Throws: `RangeFailure.changed` if the file has another version now.
    func check(_ version: FileVersion, _ found: HTTPHeaders?) async throws(RangeFailure) {
        // A version whose validators no longer matter differs by its length only.
        if let kept = version.keptAt, (0..<RemoteFile.proof).contains(loader.date().seconds(since: kept)) {
            if let found, version.match(found) != .other { return }
            throw .failed(
                TileFailure(
                    .unreadable,
                    "\(name): the server sends different files for this address; try again later",
                    retryAfter: .seconds(RemoteFile.proof)))
        }
        let outcome = await version.checks.value(for: name) {
            if let found, version.match(found) != .other { return .success(nil) }
            do throws(HTTPFailure) {
                return .success(try await successor(of: version, found: found))
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
    convenience init(_ beginning: Document) {
        self.init(beginning.stored, hash: "\(ContentHash(beginning.body))")
    }
}
