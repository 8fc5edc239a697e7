internal import Glibc
internal import RhumbCore

/// Measures planning regions without listing their tiles, and iterating over them nearest first.
enum RegionBench {
    static func rows() -> [BenchRow] {
        guard let country = country, let zooms = try? ZoomRange(0, 16) else { return [] }
        let exact = RegionTileSet(country, zooms: zooms, packing: .exact)
        return planning(country, exact, zooms) + [viewPlan, nearestFirst(exact)].compactMap { $0 }
    }

    private static func planning(
        _ country: RegionGeometry, _ exact: RegionTileSet, _ zooms: ZoomRange
    ) -> [BenchRow] {
        let memory = MemoryGrowth()
        let count = Timing(runs: 5) { _ = RegionTileSet(country, zooms: zooms, packing: .exact).counts() }
        let peak = memory.peak
        let packs = Timing(runs: 5) { _ = PackSet(country, zooms: zooms).counts() }
        let total = Double(exact.counts().total) / 1e6
        return [
            BenchRow(name: "tiles of a country, zooms 0-16", value: total, unit: "million", anchor: ""),
            BenchRow(name: "count them exactly", value: count.best, unit: "ms", anchor: "at most 1000"),
            BenchRow(
                name: "memory it took at most", value: peak, unit: "MiB", anchor: "at most 50"),
            BenchRow(name: "count its packs", value: packs.best, unit: "ms", anchor: ""),
        ]
    }

    private static var viewPlan: BenchRow? {
        guard let box = Bounds(west: 13.3, south: 52.45, east: 13.5, north: 52.58),
            let geometry = try? RegionGeometry.box(box), let zooms = try? ZoomRange(12, 16)
        else { return nil }
        let plan = Timing(runs: 20) {
            _ = RegionTileSet(geometry, zooms: zooms).counts()
            _ = PackSet(geometry, zooms: zooms).counts()
        }
        return BenchRow(
            name: "plan a visible box, tiles and packs", value: plan.best, unit: "ms", anchor: "at most 10")
    }

    private static func nearestFirst(_ cover: RegionTileSet) -> BenchRow {
        let some = 2_000_000
        let clock = ContinuousClock()
        let time = clock.measure { for _ in cover.tiles().prefix(some) {} }
        return BenchRow(
            name: "go through tiles, nearest first", value: Double(some) / (time / .seconds(1)) / 1e6,
            unit: "million/s", anchor: "")
    }

    /// A country in the north, about 140° by 36°, with 400 vertices.
    private static var country: RegionGeometry? {
        let corners = (0..<400).map { index in
            let turn = Double(index) / 400 * 2 * Double.pi
            let reach = 1 + 0.2 * sin(7 * turn) + 0.05 * cos(61 * turn) + 0.02 * sin(173 * turn)
            return Position(longitude: 95 + 56 * reach * cos(turn), latitude: 60 + 14 * reach * sin(turn))
        }
        return try? RegionGeometry([.polygon(outer: corners, holes: [])])
    }
}
