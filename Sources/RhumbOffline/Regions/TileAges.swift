internal import RhumbCore
internal import RhumbStore

/// The times at which the tiles of a set were received, and how long they stay fresh.
struct TileAges {
    private struct Run {
        let ids: Range<UInt64>
        let freshness: Freshness
    }

    /// Ascending, without overlaps.
    private var runs: [Run] = []

    /// - Parameter tiles: The tiles of a region that are stored, in any order.
    init(_ tiles: [(tile: TileID, freshness: Freshness)]) {
        for (tile, freshness) in tiles.sorted(by: { $0.tile.hilbertID < $1.tile.hilbertID }) {
            let id = tile.hilbertID
            if let last = runs.last, last.ids.upperBound == id, last.freshness == freshness {
                runs[runs.count - 1] = Run(ids: last.ids.lowerBound..<id + 1, freshness: freshness)
            } else {
                runs.append(Run(ids: id..<id + 1, freshness: freshness))
            }
        }
    }

    /// Reads the ages in a set. Entries that overlap or are damaged are ignored, so that their tiles have no
    /// known age.
    /// - Parameter now: No tile was received later, whatever the clock of the other machine said.
    init(json: JSON, at now: UnixSeconds) {
        for group in json.array ?? [] {
            guard let received = group["receivedAt"]?.int, let age = group["age"]?.int,
                let lifetime = group["lifetime"]?.int, age >= 0, lifetime >= 0, received >= 0
            else { continue }
            let freshness = Freshness(
                receivedAt: min(UnixSeconds(Int64(received)), now), initialAge: Int64(age),
                lifetime: Int64(lifetime))
            let numbers = (group["tiles"]?.array ?? []).map { $0.int ?? -1 }
            for at in stride(from: 0, to: numbers.count - 1, by: 2) {
                guard let first = UInt64(exactly: numbers[at]), let count = UInt64(exactly: numbers[at + 1])
                else { continue }
                let (end, isOverflow) = first.addingReportingOverflow(count)
                if count > 0, !isOverflow { runs.append(Run(ids: first..<end, freshness: freshness)) }
            }
        }
        runs.sort { $0.ids.lowerBound < $1.ids.lowerBound }
        var end: UInt64 = 0
        runs.removeAll { run in
            if run.ids.lowerBound < end { return true }
            end = run.ids.upperBound
            return false
        }
    }

    /// The ages as they are written into a set.
    var json: JSON {
        let groups = Dictionary(grouping: runs) { run in
            [run.freshness.receivedAt.value, run.freshness.initialAge, run.freshness.lifetime]
        }
        return .array(
            groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, runs in
                [
                    "receivedAt": .integer(Int(clamping: key[0])), "age": .integer(Int(clamping: key[1])),
                    "lifetime": .integer(Int(clamping: key[2])),
                    "tiles": .array(
                        runs.flatMap { run in
                            [
                                JSON.integer(Int(clamping: run.ids.lowerBound)),
                                .integer(run.ids.count),
                            ]
                        }),
                ]
            })
    }

    /// Returns the freshness of a tile; nil if it is unknown.
    subscript(tile: TileID) -> Freshness? {
        let id = tile.hilbertID
        var low = 0, high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].ids.upperBound <= id { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].ids.contains(id) ? runs[low].freshness : nil
    }
}
