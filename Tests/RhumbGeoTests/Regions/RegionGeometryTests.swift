@testable import RhumbGeo
import RhumbCore
import RhumbTestSupport
import Testing

struct RegionGeometryTests {
    static let bowTie = ring([(0, 0), (10, 10), (10, 0), (0, 10)])

    @Test func `a ring that crosses itself is rejected with the position`() {
        #expect {
            try RegionGeometry([.polygon(outer: Self.bowTie, holes: [])])
        } throws: { error in
            guard case .selfCrossing(0, let near)? = error as? RegionGeometryFailure else { return false }
            return abs(near.longitude - 5) < 0.01 && abs(near.latitude - 5) < 0.1
        }
    }

    @Test func `a hole that crosses itself is reported by its ring`() {
        let outer = ring([(-20, -20), (20, -20), (20, 20), (-20, 20)])
        #expect {
            try RegionGeometry([.polygon(outer: outer, holes: [Self.bowTie])])
        } throws: { error in
            guard case .selfCrossing(1, _)? = error as? RegionGeometryFailure else { return false }
            return true
        }
    }

    @Test func `more legs or circles than memory should hold are rejected`() throws {
        var random = SplitMix(seed: 1)
        let places = (0..<310_000).map { _ in
            Position(
                longitude: .random(in: 0...5, using: &random), latitude: .random(in: 40...45, using: &random))
        }
        #expect(throws: RegionGeometryFailure.tooManyCorners) {
            try RegionGeometry([.corridor(places, halfWidth: 1000)])
        }
        let points = places.prefix(70_000).map { RegionShape.circle(center: $0.coordinate, radius: 1000) }
        #expect(throws: RegionGeometryFailure.tooManyCorners) { try RegionGeometry(points) }
        #expect("\(RegionGeometryFailure.tooManyCorners)".contains("use several regions"))
    }

    @Test func `a long track with distant points has a corridor with fewer edges that contains all of them`()
        throws
    {
        // Alternates, so that points are 40 m apart and neither lines nor curves can be simplified.
        let track = (0..<160_000).map {
            Position(longitude: 10 + Double($0) * 1e-5, latitude: 50 + Double($0 % 2) * 0.00036)
        }
        let geometry = try RegionGeometry([.corridor(track, halfWidth: 1000)])
        #expect(FixedPointPolygon(geometry).edges.count < 100_000)
        let cover = RegionTileSet(geometry, zooms: try ZoomRange(14, 14), packing: .exact)
        for place in stride(from: 0, to: track.count, by: 9999).map({ track[$0] }) {
            #expect(cover.contains(TileID(zoom: 14, containing: Mercator.world(place.coordinate))))
        }
    }

    @Test func `a long uneven ring without crossings is accepted, and a crossing in it is found`()
        throws
    {
        var corners = coast(around: Position(longitude: 0, latitude: 0), radius: 40, corners: 5000, seed: 3)
        _ = try RegionGeometry([.polygon(outer: corners, holes: [])])
        corners.swapAt(2000, 2600)
        #expect(throws: RegionGeometryFailure.self) {
            try RegionGeometry([.polygon(outer: corners, holes: [])])
        }
    }

    @Test func `a ring that touches itself, repeats corners or closes itself is accepted`() throws {
        let touching = ring([(0, 0), (10, 0), (5, 5), (10, 10), (0, 10), (5, 5), (5, 5), (0, 0)])
        _ = try RegionGeometry([.polygon(outer: touching, holes: [])])
    }

    static let wrong: [(RegionShape, RegionGeometryFailure)] = [
        (.polygon(outer: ring([(0, 0), (1, 1)]), holes: []), .empty("ring 0 has fewer than three corners")),
        (
            .polygon(outer: ring([(0, 0), (1, 0), (2, 0)]), holes: []),
            .empty("ring 0 has no area on the map")
        ),
        (.polygon(outer: ring([(-300, 0), (100, 0), (0, 10)]), holes: []), .tooWide),
        (
            .polygon(outer: ring([(0, 86), (10, 86), (5, 89)]), holes: []),
            .empty("ring 0 has no area on the map")
        ),
        (.line(ring([(0, 0)])), .empty("a line has fewer than two points")),
        (
            .point(Position(longitude: .nan, latitude: 0)),
            .position("corner 0 is at longitude nan, latitude 0.0")
        ),
        (
            .point(Position(longitude: 0, latitude: 91)),
            .position("corner 0 is at longitude 0.0, latitude 91.0")
        ),
        (.line(ring([(0, 0), (1, .infinity)])), .position("corner 1 is at longitude 1.0, latitude inf")),
        (.point(Position(longitude: 0, latitude: 86)), .beyondMap),
        (.corridor([], halfWidth: 10), .empty("a corridor has no line")),
    ]

    @Test(arguments: wrong)
    func `an invalid shape is rejected with the reason`(
        shape: RegionShape, failure: RegionGeometryFailure
    ) {
        #expect(throws: failure) { try RegionGeometry([shape]) }
    }

    @Test(arguments: [0, -1, 5_000_001, Double.nan, .infinity])
    func `an invalid radius is rejected`(radius: Double) {
        #expect(throws: RegionGeometryFailure.self) {
            try RegionGeometry.circle(around: Coordinate(latitude: 0, longitude: 0), radius: radius)
        }
    }

    @Test func `an empty geometry is rejected`() {
        #expect(throws: RegionGeometryFailure.empty("no shape")) { try RegionGeometry([] as [RegionShape]) }
    }

    @Test func `a box to the poles is cut at the map's edge, and reported`() throws {
        let box = try #require(Bounds(west: -10, south: 80, east: 10, north: 90))
        let geometry = try RegionGeometry.box(box)
        #expect(geometry.reachesBeyondMap && geometry.bounds.north == Mercator.latitudeLimit)
        #expect(RegionTileSet(geometry, zooms: try ZoomRange(3, 3), packing: .exact).contains(tile(3, 4, 0)))
        #expect(throws: RegionGeometryFailure.beyondMap) {
            try RegionGeometry.box(#require(Bounds(west: 0, south: 86, east: 1, north: 90)))
        }
        #expect(try !RegionGeometry.box(.world).reachesBeyondMap)
    }

    @Test func `bounds cross the antimeridian if that is narrower`() throws {
        let islands = [(178.0, -17.0), (-179.0, -16.0), (179.5, -19.0)]
        let geometry = try RegionGeometry(islands.map { .point(Position(longitude: $0.0, latitude: $0.1)) })
        let bounds = geometry.bounds
        #expect(bounds.crossesAntimeridian && abs(bounds.west - 178) < 1e-6 && abs(bounds.east + 179) < 1e-6)
        #expect(abs(bounds.south + 19) < 1e-6 && abs(bounds.north + 16) < 1e-6)
        #expect(abs(geometry.center.longitude - 179.5) < 1e-6)
    }

    @Test(arguments: [(0.0, 500.0), (52, 20_000), (-70, 1_000_000), (84, 300_000), (60, 4_500_000)])
    func `a circle covers the tiles of places within its radius and few others`(
        latitude: Double, radius: Double
    ) throws {
        let center = Coordinate(latitude: latitude, longitude: 179.9)
        let geometry = try RegionGeometry.circle(around: center, radius: radius)
        let cover = RegionTileSet(geometry, zooms: try ZoomRange(0, 12), packing: .exact)
        var random = SplitMix(seed: 5)
        for _ in 0..<2000 {
            let place = Coordinate(
                latitude: .random(in: -85...85, using: &random),
                longitude: .random(in: -180...180, using: &random))
            let near = Coordinate(
                latitude: center.latitude + .random(in: -1.5...1.5, using: &random) * radius / 111_000,
                longitude: center.longitude + .random(in: -3...3, using: &random) * radius / 111_000)
            for place in [place, near] where abs(place.latitude) < 85 {
                let tile = TileID(zoom: 12, containing: Mercator.world(place))
                let apart = metres(center, place),
                    diagonal = metres(tile.center, place) + metres(tile.corner, tile.center)
                if apart <= radius { #expect(cover.contains(tile), "\(place) at \(apart) m") }
                if apart > radius * 1.001 + 2 * diagonal {
                    #expect(!cover.contains(tile), "\(place) at \(apart) m")
                }
            }
        }
    }

    @Test
    func `a corridor covers everything within half its width of the line, even across the antimeridian`()
        throws
    {
        let line = ring([(178, 50), (179.5, 51), (-179, 51.2), (-178, 50)])
        let bare = try RegionGeometry([.line(line)])
        let geometry = try bare.widened(to: 20_000)
        let cover = RegionTileSet(geometry, zooms: try ZoomRange(10, 10), packing: .exact)
        let along = RegionTileSet(bare, zooms: try ZoomRange(10, 10), packing: .exact)
        #expect(Set(along.tiles()).isStrictSubset(of: Set(cover.tiles())))
        #expect(
            cover.contains(
                TileID(zoom: 10, containing: Mercator.world(Coordinate(latitude: 50.08, longitude: 178)))))
        #expect(
            cover.contains(
                TileID(zoom: 10, containing: Mercator.world(Coordinate(latitude: 51.18, longitude: -179)))))
        for tile in cover.tiles() {
            let nearest = along.tiles().map { metres($0.center, tile.center) }.min() ?? .infinity
            // Half the width, and half a tile's diagonal on both sides.
            #expect(nearest < 10_300 + 2 * metres(tile.corner, tile.center), "\(tile)")
        }
    }

    @Test func `only lines and points can be widened`() throws {
        let box = try RegionGeometry.box(#require(Bounds(west: 0, south: 0, east: 1, north: 1)))
        #expect(throws: RegionGeometryFailure.empty("no line for the corridor")) { try box.widened(to: 100) }
        #expect(throws: RegionGeometryFailure.self) {
            try RegionGeometry([.point(Position(longitude: 0, latitude: 0))]).widened(to: -1)
        }
    }
}

/// Returns the great-circle distance, from the angle between the directions of the places.
private func metres(_ a: Coordinate, _ b: Coordinate) -> Double {
    let north = (a.latitude - b.latitude) * .pi / 360, east = (a.longitude - b.longitude) * .pi / 360
    let cosines = sine((90 - a.latitude) * .pi / 180) * sine((90 - b.latitude) * .pi / 180)
    let half = sine(north) * sine(north) + cosines * sine(east) * sine(east)
    return 2 * 6_371_008.8 * arcsine(min(half.squareRoot(), 1))
}

private func sine(_ angle: Double) -> Double {
    let x = angle - (angle / (2 * .pi)).rounded() * 2 * .pi
    var term = x, sum = x
    for step in 1...14 {
        term *= -x * x / Double((2 * step) * (2 * step + 1))
        sum += term
    }
    return sum
}

/// Returns the arcsine by bisection.
private func arcsine(_ value: Double) -> Double {
    var low = 0.0, high = Double.pi / 2
    for _ in 0..<60 {
        let middle = (low + high) / 2
        if sine(middle) < value { low = middle } else { high = middle }
    }
    return low
}

extension TileID {
    fileprivate var corner: Coordinate { Mercator.coordinate(WorldPoint(x: box.minX, y: box.maxY)) }
}
