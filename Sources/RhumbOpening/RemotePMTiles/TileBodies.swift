internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Gets the bodies of a remote archive's tiles, from the store or the server.
package struct TileBodies: Sendable {
    package let file: RemoteFile
    package let keeper: EditionKeeper

    /// The number of times that a file may change while a tile is read.
    private static let patience = 2

    /// A tile, its body unpacked; without a body: there is no such tile.
    func answer(of tile: TileID, _ priority: HTTPPriority) async throws(TileFailure) -> StoredResponse {
        var edition = await keeper.current()
        for _ in 0..<TileBodies.patience {
            do throws(RemoteFile.Failure) {
                return try await answer(of: tile, edition, priority)
            } catch {
                guard case .changed = error else { throw error.tileFailure(file) }
            }
            do throws(ArchiveFailure) {
                edition = try await keeper.replaced(edition)
            } catch {
                throw TileFailure(.unreadable, error.description)
            }
        }
        throw TileFailure(.unreadable, "\(file.name): the archive keeps changing; try again later")
    }

    private func answer(
        of tile: TileID, _ edition: Edition, _ priority: HTTPPriority
    ) async throws(RemoteFile.Failure) -> StoredResponse {
        let key = ResourceKey.tile(origin: file.origin.of(edition.tiles), tile)
        let kept = await BlockingExecutor.run {
            file.stored(key, version: edition.version).map {
                $0.isInvalidated ? $0 : prolonged($0, key, edition)
            }
        }
        if let kept, !kept.isInvalidated { return kept }
        guard let place = try await edition.place(of: tile) else { return noted(nil, key, edition) }
        if kept == nil, let part = await edition.bytesAtHand(place) {
            return noted(try unpacked(part, tile, edition), key, edition)
        }
        do throws(RemoteFile.Failure) {
            let part = try await file.read(place, version: edition.version, priority: priority)
            let body = try unpacked(part.bytes, tile, edition)
            return file.keep(body, of: part, .tiles(), for: key)
        } catch {
            if case .changed = error { throw error }
            guard let kept else { throw error }
            return kept
        }
    }

    /// Returns a stored response with the freshness of its edition.
    private func prolonged(_ kept: StoredResponse, _ key: ResourceKey, _ edition: Edition) -> StoredResponse {
        file.loader.store?.count(.hit)
        guard kept.state(at: file.loader.date()) != .fresh, file.beginningState == .fresh else { return kept }
        var kept = kept
        kept.freshness = edition.answer(nil).freshness
        file.loader.store?.prolong(key, kept.freshness, headers: kept.headers)
        return kept
    }

    private func noted(_ body: [UInt8]?, _ key: ResourceKey, _ edition: Edition) -> StoredResponse {
        let answer = edition.answer(body)
        if edition.beginning.isStorable { file.loader.store?.keep(answer, for: key) }
        return answer
    }

    private func unpacked(
        _ stored: [UInt8], _ tile: TileID, _ edition: Edition
    ) throws(RemoteFile.Failure) -> [UInt8] {
        do throws(TileFailure) {
            return try edition.index.body(stored, "\(tile)")
        } catch {
            throw .failed(error)
        }
    }
}
