public import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// The times at which the tiles of a set were received, how long they stay fresh, and their validators.
struct TileAges {
    struct Age: Hashable {
        let freshness: Freshness
        var validators = Validators()
    }

    private struct Run {
        let ids: Range<UInt64>
        let age: Age
    }

    /// Ascending, without overlaps.
    private var runs: [Run] = []

    /// - Parameter tiles: The tiles of a region that are stored, in any order.
    init(_ tiles: [(tile: TileID, freshness: Freshness, validators: Validators)]) {
        for tile in tiles.sorted(by: { $0.tile.hilbertID < $1.tile.hilbertID }) {
            let id = tile.tile.hilbertID, age = Age(freshness: tile.freshness, validators: tile.validators)
            if let last = runs.last, last.ids.upperBound == id, last.age == age {
                runs[runs.count - 1] = Run(ids: last.ids.lowerBound..<id + 1, age: age)
            } else {
                runs.append(Run(ids: id..<id + 1, age: age))
            }
        }
    }

    /// Reads the ages in a set. Entries that overlap or are damaged are ignored, so that their tiles have no
    /// known age.
    /// - Parameter now: No tile was received later, whatever the clock of the other machine said.
    init(json: JSON, at now: UnixSeconds) {
        for group in json.array ?? [] {
            guard let received = group["receivedAt"]?.int, let initialAge = group["age"]?.int,
                let lifetime = group["lifetime"]?.int, initialAge >= 0, lifetime >= 0, received >= 0
            else { continue }
            let freshness = Freshness(
                receivedAt: min(UnixSeconds(Int64(received)), now), initialAge: Int64(initialAge),
                lifetime: Int64(lifetime))
            let validators = Validators(
                etag: Self.field(group["etag"]), lastModified: Self.field(group["lastModified"]))
            let age = Age(freshness: freshness, validators: validators)
            let numbers = (group["tiles"]?.array ?? []).map { $0.int ?? -1 }
            for at in stride(from: 0, to: numbers.count - 1, by: 2) {
                guard let first = UInt64(exactly: numbers[at]), let count = UInt64(exactly: numbers[at + 1])
                else { continue }
                let (end, isOverflow) = first.addingReportingOverflow(count)
                if count > 0, !isOverflow { runs.append(Run(ids: first..<end, age: age)) }
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

    /// Returns the value of a header field; nil for one that no server could have sent.
    private static func field(_ value: JSON?) -> String? {
        value?.string.flatMap { $0.utf8.allSatisfy { $0 >= 32 && $0 != 127 } ? $0 : nil }
    }

    /// The ages as they are written into a set.
    var json: JSON {
        let groups = Dictionary(grouping: runs, by: \.age).map { age, runs in
            var group = JSONObject()
            group["receivedAt"] = .integer(Int(clamping: age.freshness.receivedAt.value))
            group["age"] = .integer(Int(clamping: age.freshness.initialAge))
            group["lifetime"] = .integer(Int(clamping: age.freshness.lifetime))
            group["tiles"] = .array(
                runs.flatMap { [.integer(Int(clamping: $0.ids.lowerBound)), .integer($0.ids.count)] })
            group["etag"] = age.validators.etag.map(JSON.string)
            group["lastModified"] = age.validators.lastModified.map(JSON.string)
            return (first: runs[0].ids.lowerBound, json: JSON.object(group))
        }
        return .array(groups.sorted { $0.first < $1.first }.map(\.json))
    }

    /// Returns the age of a tile; nil if it is unknown.
    subscript(tile: TileID) -> Age? {
        let id = tile.hilbertID
        var low = 0, high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].ids.upperBound <= id { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].ids.contains(id) ? runs[low].age : nil
    }
}

extension RegionStore {
    /// Returns the earliest expiry time of a region's own tiles; nil if none is stored.
    /// - Parameter includesUnknown: True to include tiles without a lifetime, which are stale as soon as they
    ///   are received, such as those of an archive whose server states none.
    /// - Throws: `RegionStoreFailure`
    public func earliestExpiry(
        of region: RegionRecord, includesUnknown: Bool = false
    ) throws(RegionStoreFailure) -> UnixSeconds? {
        var earliest: UnixSeconds?
        for (origin, cover) in region.covers {
            let expiry = try earliestExpiry(
                of: region.number, origin, includesUnknown: includesUnknown, isOwn: cover.contains)
            earliest = [earliest, expiry].compactMap(\.self).min()
        }
        return earliest
    }
}
