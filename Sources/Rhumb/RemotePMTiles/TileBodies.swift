internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Gets the bodies of a remote archive's tiles, from the store or the server.
struct TileBodies: Sendable {
    let file: RemoteFile
    let keeper: EditionKeeper

    /// How often a file may change under one tile's feet.
    private static let patience = 2

    /// A tile's body, unpacked; nil if there is no such tile.
    func body(of tile: TileID, _ priority: HTTPPriority) async throws(TileFailure) -> [UInt8]? {
        var edition = await keeper.current()
        for _ in 0..<TileBodies.patience {
            do throws(RemoteFile.Failure) {
                return try await body(of: tile, edition, priority)
            } catch {
                if case .failed(let failure) = error { throw failure }
            }
            do throws(ArchiveFailure) {
                edition = try await keeper.replaced(edition)
            } catch {
                throw TileFailure(.unreadable, error.description)
            }
        }
        throw TileFailure(.unreadable, "\(file.name): the archive changes all the time; try again later")
    }

    private func body(
        of tile: TileID, _ edition: Edition, _ priority: HTTPPriority
    ) async throws(RemoteFile.Failure) -> [UInt8]? {
        let key = ResourceKey.tile(origin: file.origin.of(edition.tiles), tile)
        let kept = file.stored(key, version: edition.version)
        if let kept, !kept.isInvalidated {
            file.loader.store?.count(.hit)
            return kept.body
        }
        guard let place = try await edition.place(of: tile) else { return nil }
        if kept == nil, let part = edition.bytesAtHand(place) {
            let body = try unpacked(part, tile, edition)
            if !CacheControl(of: edition.beginning.headers).noStore {
                file.loader.store?.keep(edition.answer(body), for: key)
            }
            return body
        }
        do throws(RemoteFile.Failure) {
            let part = try await file.read(place, version: edition.version, priority: priority)
            let body = try unpacked(part.bytes, tile, edition)
            file.keep(body, of: part, .tiles(), for: key)
            return body
        } catch {
            guard let kept, case .failed = error else { throw error }
            return kept.body
        }
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
