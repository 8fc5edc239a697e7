internal import RhumbCore
internal import RhumbEngine
public import RhumbHTTP
internal import RhumbStore

/// The result of updating a source in the shared cache.
public struct CachedSourceUpdate: Sendable, Equatable {
    /// The outcome of an update.
    public enum Outcome: Sendable, Equatable {
        /// The stored document is the server's current one.
        case current
        /// The server returned a different document, which replaced the stored one.
        case updated
        /// The document was not revalidated.
        case unchecked
        /// The server did not respond.
        case failed(HTTPFailure)
    }

    /// The source's id, or the address of its document; sanitised for terminal output.
    public let name: String
    /// The outcome.
    public let outcome: Outcome
}

extension MapSession {
    /// Returns the sources in the shared cache that `updateCachedSources()` would update. Sends no requests.
    public func listCachedSources() -> [CachedSourceUpdate] {
        cachedDocuments().map { CachedSourceUpdate(name: $0.name, outcome: .unchecked) }
    }

    /// Updates sources in the shared cache by revalidating their documents: TileJSON, styles, and the first
    /// bytes of archives. Tiles of a new edition are fetched when they are displayed.
    /// - Returns: The updated sources, without those that lack a key.
    public func updateCachedSources() async -> [CachedSourceUpdate] {
        var updates: [CachedSourceUpdate] = []
        for (name, resource, before) in cachedDocuments() {
            updates.append(CachedSourceUpdate(name: name, outcome: await outcome(of: resource, before)))
        }
        return updates
    }

    private func cachedDocuments() -> [(name: String, resource: WebResource, body: [UInt8])] {
        var seen: Set<ResourceKey> = []
        return cachedSources().compactMap { source in
            guard let resource = try? opener.web.resource(source), let key = resource.key,
                seen.insert(key).inserted,
                let before = cache?.response(for: key)?.body, MapSession.describesSource(before)
            else { return nil }
            let name = opener.catalog.isNamed(source) ? source.id : resource.address.canonical
            return (SafeText.sanitised(name, limit: 120), resource, before)
        }
    }

    private func outcome(of resource: WebResource, _ before: [UInt8]) async -> CachedSourceUpdate.Outcome {
        do throws(DocumentFailure) {
            let now = try await loader.load(resource, isReload: true)
            if case .outdated(let failure?) = now.standing { return .failed(failure) }
            return now.stored.body == before ? .current : .updated
        } catch {
            if case .notFetched(let failure) = error { return .failed(failure) }
            return .current
        }
    }

    /// Returns the sources that may have a document in the cache: named ones, and those opened by address.
    private func cachedSources() -> [SourceDefinition] {
        let named = (try? opener.catalog.sources()) ?? [], addresses = cache?.documentAddresses() ?? []
        return (named + addresses.compactMap { try? SourceDefinition(address: $0) }).filter {
            $0.kind != .tiles
        }
    }

    /// Returns true for TileJSON, a style, or the beginning of an archive.
    private static func describesSource(_ body: [UInt8]) -> Bool {
        if body.starts(with: "PMTiles".utf8) { return true }
        guard let json = try? JSON.parse(body) else { return false }
        return json["tiles"]?.array != nil || json["layers"]?.array != nil
    }
}

extension SharedCache {
    /// Returns the addresses of the stored documents. For parts of a file, returns the address of the file.
    fileprivate func documentAddresses() -> [String] {
        var filter = CacheFilter()
        filter.zooms = -1 ... -1
        return list(filter, limit: .max).compactMap { row in
            guard case .document(let address) = row.key else { return nil }
            return String(address.prefix { $0 != "#" })
        }
    }
}
