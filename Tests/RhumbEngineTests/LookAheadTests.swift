import RhumbCore
@testable import RhumbEngine
import RhumbTestSupport
import Testing

struct LookAheadTests {
    /// A view of 480 × 320 map pixels.
    private let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 50, longitude: 10), zoom: 8), columns: 240, rows: 80)
    private let layer = TileLayer.test(ScriptedSource { _, _ in .silence }, zooms: 0...12)
    private var cover: [TileID] { layer.cover(of: view).map(\.tile) }

    private func ahead(_ x: Double = 0, _ y: Double = 0, of layer: TileLayer? = nil) -> [TileID] {
        LookAhead.tiles(around: view, motion: (x, y), of: layer ?? self.layer)
    }

    /// Returns how far the tiles of a list at its own zoom extend beyond those in view, in columns and rows.
    private func edges(_ tiles: [TileID]) -> (west: Int, east: Int, north: Int, south: Int) {
        let ring = tiles.filter { $0.zoom == 8 }, seen = cover
        func edge(_ list: [TileID], _ part: (TileID) -> Int) -> (Int, Int) {
            (list.map(part).min() ?? 0, list.map(part).max() ?? 0)
        }
        let ringX = edge(ring, \.x), seenX = edge(seen, \.x)
        let ringY = edge(ring, \.y), seenY = edge(seen, \.y)
        return (seenX.0 - ringX.0, ringX.1 - seenX.1, seenY.0 - ringY.0, ringY.1 - seenY.1)
    }

    @Test func `a view at rest is prefetched in all directions`() {
        let edges = edges(ahead())
        #expect(edges.west == 1 && edges.east == 1 && edges.north == 1 && edges.south == 1)
        #expect(Set(ahead().filter { $0.zoom == 8 }) == ring())
    }

    /// Returns all tiles of the ring around the view.
    private func ring() -> Set<TileID> {
        let xs = cover.map(\.x), ys = cover.map(\.y)
        var ring: Set<TileID> = []
        for x in (xs.min() ?? 0) - 1...(xs.max() ?? 0) + 1 {
            for y in (ys.min() ?? 0) - 1...(ys.max() ?? 0) + 1 {
                if let tile = TileID(zoom: 8, x: x, y: y), !cover.contains(tile) { ring.insert(tile) }
            }
        }
        return ring
    }

    @Test(arguments: [(40, 0), (-40, 0), (0, 40), (0, -40)] as [(Double, Double)])
    func `motion reaches a tile farther ahead, and the tiles ahead come first`(x: Double, y: Double) {
        let tiles = ahead(x, y), edges = edges(tiles)
        let reach = x > 0 ? edges.east : x < 0 ? edges.west : y > 0 ? edges.south : edges.north
        #expect(reach == 2)
        let middle = (x: view.camera.center.x * 256, y: view.camera.center.y * 256)
        let along = tiles.filter { $0.zoom == 8 }.map { tile in
            (Double(tile.x) + 0.5 - middle.x) * x.signum + (Double(tile.y) + 0.5 - middle.y) * y.signum
        }
        let first = along.prefix(along.count / 2).reduce(0, +),
            second = along.suffix(along.count / 2).reduce(0, +)
        #expect(first > second)
        #expect((along.first ?? -1) > 0)
    }

    @Test func `a view that moves by its width is prefetched by the same distance, and no farther`() {
        let wide = view.resized(columns: 480, rows: 80), seen = layer.cover(of: wide).map(\.tile.x).max() ?? 0
        func east(_ motion: Double) -> Int {
            let tiles = LookAhead.tiles(around: wide, motion: (motion, 0), of: layer).filter { $0.zoom == 8 }
            return (tiles.map(\.x).max() ?? 0) - seen
        }
        #expect(east(40) <= 2 && east(960) >= 4 && east(9600) == east(960))
    }

    @Test func `nothing in view is in the list, nothing is repeated, and the list is bounded`() {
        for motion in [(0.0, 0.0), (30, 10), (-3, -3)] {
            let tiles = ahead(motion.0, motion.1)
            #expect(Set(tiles).count == tiles.count && Set(tiles).isDisjoint(with: cover))
            #expect(tiles.count <= LookAhead.limit)
        }
    }

    @Test func `parents come after the ring, and children after them`() {
        let zooms = ahead().map(\.zoom)
        #expect(zooms == zooms.filter { $0 == 8 } + zooms.filter { $0 == 7 } + zooms.filter { $0 == 9 })
        #expect(zooms.contains(7) && zooms.contains(9))
        let parents = Set(cover.compactMap(\.parent))
        #expect(parents.isSubset(of: ahead()))
    }

    @Test func `only zooms and places of the layer are listed`() {
        let flat = TileLayer.test(ScriptedSource { _, _ in .silence }, zooms: 8...8)
        #expect(Set(ahead(of: flat).map(\.zoom)) == [8])
        var small = layer
        small.boundingBox = Bounds(west: 9, south: 49, east: 11, north: 51)
        #expect(ahead(of: small).allSatisfy { small.boundingBox?.intersects($0) == true })
        var hidden = layer
        hidden.visibleZooms = ZoomSet(8...8)
        #expect(Set(ahead(of: hidden).map(\.zoom)) == [8])
    }

    @Test func `nothing beyond the edge of the map is listed`() {
        let pole = Viewport(
            camera: Camera(center: Coordinate(latitude: 84, longitude: 179), zoom: 3), columns: 240, rows: 80)
        let tiles = LookAhead.tiles(around: pole.keptOnMap(), motion: (9, -9), of: layer)
        #expect(!tiles.isEmpty && tiles.contains { $0.zoom == 3 && $0.x == 0 })
    }
}

extension Double {
    fileprivate var signum: Double { self > 0 ? 1 : self < 0 ? -1 : 0 }
}
