internal import RhumbCore

/// The sources that a program has reloaded, and the tiles received from each since.
struct Reloads {
    private struct Reload {
        let number: Int
        var received: Set<TileID> = []
    }
    private var reloads: [TileOrigin: Reload] = [:]
    private var last = 0

    /// Begins a reload of a source: its stored tiles count as outdated until they are received again.
    mutating func begin(_ origin: TileOrigin) {
        last += 1
        reloads[origin] = Reload(number: last)
    }

    /// Returns the reload for which a tile must be requested; nil if there is none.
    func pending(_ key: ResourceKey?) -> Int? {
        guard case .tile(let origin, let tile)? = key, let reload = reloads[origin] else { return nil }
        return reload.received.contains(tile) ? nil : reload.number
    }

    /// Records a tile as received, unless its source was reloaded again since its request.
    mutating func end(_ number: Int?, of key: ResourceKey?) {
        guard case .tile(let origin, let tile)? = key, let number, reloads[origin]?.number == number else {
            return
        }
        reloads[origin]?.received.insert(tile)
    }
}
