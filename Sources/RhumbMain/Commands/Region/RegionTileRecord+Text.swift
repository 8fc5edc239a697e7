internal import Rhumb

extension StoredResponse {
    /// Returns the size, age and freshness of a tile in a region, such as "12 kB, 3 d old, fresh".
    func standing(at now: UnixSeconds) -> String {
        let what = body.map { AmountText.bytes($0.count) } ?? "absent at the source"
        let age = AmountText.age(max(now.seconds(since: freshness.receivedAt), 0))
        return "\(what), \(age) old, " + (state(at: now) == .fresh ? "fresh" : "stale, but shown offline")
    }
}

extension RegionRecord {
    /// The region or package with its name, such as "region turku (Turku)" or "package finland of the
    /// catalogue osm (Finland), edition 2026.47".
    var designation: String {
        guard let package else { return "region \(id) (\(name))" }
        return "package \(package) (\(name))" + (packageEdition.map { ", edition \($0)" } ?? "")
    }

    /// The region's name, followed by the package and edition if it is a package.
    var title: String {
        guard let package else { return name }
        return "\(name), package \(package)" + (packageEdition.map { ", edition \($0)" } ?? "")
    }
}

extension RegionTileRecord {
    /// Returns a description of the stored tile as lines of text.
    func explanation(of tile: TileID, at now: UnixSeconds) -> [String] {
        [
            SafeText.sanitised("\(origin.source) \(tile)", limit: 300), "  stored in \(region.designation)",
            "  \(response.standing(at: now))", "  key \(SafeText.sanitised("\(origin)", limit: 300))",
        ]
    }

    /// Returns the stored tile as JSON.
    func json(of tile: TileID, at now: UnixSeconds) -> JSON {
        [
            "region": .string(region.id), "package": region.package.map { .string($0.package) } ?? .null,
            "source": .string(SafeText.sanitised(origin.source)), "key": .string("\(origin)"),
            "tile": .string("\(tile)"), "bytes": .count(response.body?.count),
            "receivedAt": .time(response.freshness.receivedAt),
            "isFresh": .bool(response.state(at: now) == .fresh),
        ]
    }
}
