internal import RhumbCore
internal import RhumbStore

/// Which tiles of an archive are as they were in an earlier edition of it, by the lists of hashes that
/// its publisher made of both.
struct KnownTiles: Sendable {
    /// What tiles of the earlier edition are stored with.
    let earlier: String
    let old: TileHashes
    let new: TileHashes

    /// Whether what is stored of a tile is what the archive has now.
    func holds(_ held: StoredResponse, of tile: TileID) -> Bool {
        held.dataVersion == earlier && old[tile] == new[tile] && (held.body == nil) == (new[tile] == nil)
    }
}
