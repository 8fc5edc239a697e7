internal import RhumbCore

/// The tiles that are gradually replacing their substitutes, with their progress.
struct TileFades {
    /// The duration of a fade.
    static let length = Duration.milliseconds(240)
    /// The time between two different pictures of a fade.
    static let step = Duration.milliseconds(60)

    private var now = Duration.zero
    /// The tiles that a substitute was drawn for in the last frame, and in this one.
    private var before: Set<TileKey> = []
    private var covered: Set<TileKey> = []
    private var begun: [TileKey: Duration] = [:]

    /// Begins a frame.
    mutating func begin(at now: Duration) {
        self.now = now
        before = covered
        covered = []
        begun = begun.filter { now - $0.value < TileFades.length }
    }

    /// Records that a substitute is drawn for a tile in this frame.
    mutating func noteStandIn(for key: TileKey) { covered.insert(key) }

    /// Returns the opacity of a loaded tile, above 0 to 1.
    mutating func strength(of key: TileKey) -> Double {
        if before.contains(key) { begun[key] = now }
        guard let start = begun[key] else { return 1 }
        let steps = TileFades.length / TileFades.step
        return min(((now - start) / TileFades.step + 1).rounded(.down) / steps, 1)
    }
}
