internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Returns the bodies of a remote archive's tiles, from the store or the server.
package struct TileBodies: Sendable {
    package let file: RemoteFile
    package let keeper: ArchiveVersionTracker
    private var cached: CachedClient { file.loader.cached }

    /// The number of times that a file may change while a tile is read.
    private static let patience = 2

    /// Returns a tile with its body unpacked, or without a body if there is no such tile.
    func answer(of tile: TileID, _ priority: HTTPPriority) async throws(TileFailure) -> StoredResponse {
        var edition = await keeper.current()
        for _ in 0..<TileBodies.patience {
            do throws(RangeFailure) {
                do throws(RangeFailure) {
                    return try await answer(of: tile, edition, priority)
                } catch {
                    guard case .changed(let beginning) = error else { throw error }
                    edition = try await keeper.replaced(edition, by: beginning)
                }
            } catch {
                throw error.tileFailure(file)
            }
        }
        throw RangeFailure.differs(nil).tileFailure(file)
    }

    private func answer(
        of tile: TileID, _ edition: ArchiveVersion, _ priority: HTTPPriority
    ) async throws(RangeFailure) -> StoredResponse {
        let key = ResourceKey.tile(origin: file.origin.of(edition.tiles), tile)
        let match = await BlockingExecutor.run { stored(key, edition) }, now = file.loader.date()
        if let match, case .use = CacheRules.decide(match, ofVersion: edition.version, at: now) {
            return match.response
        }
        if let unrest = await keeper.unrest {
            guard let match else { throw .failed(unrest) }
            return match.response
        }
        guard let place = try await edition.place(of: tile) else { return noted(nil, key, edition) }
        if match == nil, let part = await edition.bytesAtHand(place) {
            return noted(try unpacked(part, tile, edition), key, edition)
        }
        do throws(RangeFailure) {
            let range = try await file.load(place, of: edition.fileVersion, priority: priority)
            return file.store(try unpacked(range.bytes, tile, edition), of: range, .tiles(), for: key)
        } catch {
            if case .changed = error { throw error }
            guard let match else { throw error }
            return match.response
        }
    }

    /// Returns the stored tile of an edition. An expired tile becomes fresh together with the first bytes of
    /// the file, because it belongs to the same version.
    private func stored(_ key: ResourceKey, _ edition: ArchiveVersion) -> StoreMatch? {
        guard var match = cached.match(key, version: edition.version) else { return nil }
        guard !match.response.isInvalidated else { return match }
        cached.cache?.count(.hit)
        guard match.response.state(at: cached.date()) != .fresh, file.beginningState == .fresh else {
            return match
        }
        match.response.freshness = edition.answer(nil).freshness
        cached.cache?.prolong(key, match.response.freshness, headers: match.response.headers)
        return match
    }

    private func noted(_ body: [UInt8]?, _ key: ResourceKey, _ edition: ArchiveVersion) -> StoredResponse {
        let answer = edition.answer(body)
        if edition.beginning.isStorable { cached.store(answer, for: key) }
        return answer
    }

    private func unpacked(
        _ stored: [UInt8], _ tile: TileID, _ edition: ArchiveVersion
    ) throws(RangeFailure) -> [UInt8] {
        do throws(TileFailure) {
            return try edition.index.body(stored, "\(tile)")
        } catch {
            throw .failed(error)
        }
    }
}
