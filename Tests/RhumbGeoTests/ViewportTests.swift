import RhumbCore
import RhumbTestSupport
import Testing

struct CameraTests {
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func `a camera is drawable with any values`(value: Double) {
        let camera = Camera(center: WorldPoint(x: value, y: value), zoom: value)
        #expect((0..<1).contains(camera.center.x))
        #expect((0...1).contains(camera.center.y))
        #expect(Camera.zoomRange.contains(camera.zoom))
    }

    @Test func `panning once around the world returns to the start`() {
        let camera = Camera(center: Coordinate(latitude: 10, longitude: 20), zoom: 5)
        let round = camera.panned(byPixelsX: camera.worldPixels, y: 0)
        #expect(abs(round.center.x - camera.center.x) < 1e-12)
    }

    @Test func `zooming around a point keeps that point in its place on the screen`() {
        var random = SplitMix(seed: 11)
        for _ in 0..<500 {
            let view = Viewport(
                camera: Camera(
                    center: WorldPoint(
                        x: .random(in: 0..<1, using: &random),
                        y: .random(in: 0.3...0.7, using: &random)),
                    zoom: .random(in: 4...18, using: &random)),
                columns: 120, rows: 38)
            let column = Double.random(in: 0...120, using: &random)
            let row = Double.random(in: 0...38, using: &random)
            let before = view.world(column: column, row: row)
            let zoomed = view.zoomed(to: view.camera.zoom + 0.25, column: column, row: row)
            let after = zoomed.cell(of: before)
            #expect(abs(after.column - column) < 1e-4)
            #expect(abs(after.row - row) < 1e-4)
        }
    }
}

struct ViewportTests {
    @Test func `converting between places and cells is invertible`() {
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 60.4, longitude: 22.4), zoom: 12),
            columns: 80, rows: 22)
        let cell = view.cell(of: view.world(column: 13.5, row: 7.25))
        #expect(abs(cell.column - 13.5) < 1e-6)
        #expect(abs(cell.row - 7.25) < 1e-6)
    }

    @Test func `a square on the ground is a square of the screen's pixels`() {
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 3), columns: 100, rows: 50,
            cellAspect: 2.2)
        #expect(
            abs((view.box.maxX - view.box.minX) / 100 * 2.2 - (view.box.maxY - view.box.minY) / 50) < 1e-12)
    }

    @Test func `a resize keeps the centre`() {
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 48, longitude: 2), zoom: 6), columns: 80,
            rows: 24)
        #expect(view.resized(columns: 200, rows: 60).camera == view.camera)
    }

    @Test func `panning to the pole stops at the edge of the map`() {
        var view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 3), columns: 80, rows: 24)
        for _ in 0..<50 { view = view.panned(columns: 0, rows: -12) }
        #expect(abs(view.box.minY) < 1e-12)
    }

    @Test func `a view taller than the map is centred on the equator`() {
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.1), zoom: 0), columns: 80, rows: 100)
        #expect(view.keptOnMap().camera.center.y == 0.5)
    }

    @Test func `a fitted box is completely visible and fills the screen in one direction`() throws {
        let finland = try #require(Bounds(west: 19, south: 59, east: 32, north: 71))
        let screen = Viewport(
            camera: Camera(center: WorldPoint(x: 0, y: 0), zoom: 0), columns: 120, rows: 38)
        let box = screen.with(screen.fitted(to: finland)).box
        let target = try #require(finland.worldBoxes.first)
        #expect(box.minX <= target.minX + 1e-12 && box.maxX >= target.maxX - 1e-12)
        #expect(box.minY <= target.minY + 1e-12 && box.maxY >= target.maxY - 1e-12)
        let fill = max(
            (target.maxX - target.minX) / (box.maxX - box.minX),
            (target.maxY - target.minY) / (box.maxY - box.minY))
        #expect(abs(fill - 1) < 1e-9)
    }

    @Test func `a width in metres is the width of the view on the ground`() {
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 60, longitude: 25), zoom: 3), columns: 100,
            rows: 40)
        let camera = view.camera(widthInMetres: 7000)
        let metres = Mercator.metresPerPixel(latitude: 60, zoom: camera.zoom) * view.width
        #expect(abs(metres - 7000) < 1e-6)
    }
}

struct TileCoverTests {
    private func view(_ longitude: Double, _ latitude: Double, zoom: Double) -> Viewport {
        Viewport(
            camera: Camera(
                center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom),
            columns: 128, rows: 64)
    }

    @Test func `the cover is exactly the tiles whose area meets the view`() throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<50 {
            let view = view(
                .random(in: -170...170, using: &random), .random(in: -60...60, using: &random), zoom: 3)
            let cover = Set(TileCover.tiles(in: view, zoom: 3))
            for y in 0..<8 {
                for x in -8..<16 {
                    let tile = try #require(TileID(zoom: 3, wrappingX: x, y: y))
                    let placed = PlacedTile(tile: tile, copy: x >> 3)
                    #expect(cover.contains(placed) == placed.box.overlaps(view.box))
                }
            }
        }
    }

    @Test func `across the antimeridian the world is repeated`() {
        let cover = TileCover.tiles(in: view(180, 0, zoom: 2), zoom: 2)
        #expect(Set(cover.map(\.copy)).count == 2)
        #expect(Set(cover.map { $0.tile.x }) == [3, 0])
    }

    @Test func `the middle tiles come first`() {
        let view = view(11, 47, zoom: 6.4)
        let cover = TileCover.tiles(in: view, zoom: 6)
        #expect(cover.first?.tile == TileID(zoom: 6, containing: view.camera.center))
    }

    @Test func `tiles outside the bounds are omitted, and the number is limited`() throws {
        let finland = try #require(Bounds(west: 19, south: 59, east: 32, north: 71))
        let cover = TileCover.tiles(in: view(25, 62, zoom: 4), zoom: 8, bounds: finland)
        #expect(!cover.isEmpty)
        #expect(cover.allSatisfy { finland.intersects($0.tile) })
        #expect(TileCover.tiles(in: view(25, 62, zoom: 0), zoom: 20, limit: 100).count == 100)
    }
}

struct CameraMoveTests {
    @Test func `a move begins at its start, stops at its end and stays drawable in between`() {
        let start = Camera(center: Coordinate(latitude: 60, longitude: 170), zoom: 3)
        let end = Camera(center: Coordinate(latitude: -40, longitude: -170), zoom: 9)
        let move = CameraMove(from: start, to: end, duration: 0.4)
        #expect(move.camera(after: 0).zoom == start.zoom)
        #expect(abs(move.camera(after: 0).center.x - start.center.x) < 1e-12)
        #expect(move.camera(after: 0.4) == end)
        #expect(move.camera(after: .nan).zoom.isFinite)
        let middle = move.camera(after: 0.2).coordinate.longitude
        #expect(abs(middle) > 165)
    }
}

struct ViewHistoryTests {
    private static let cameras = (0...3).map { Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: Double($0)) }

    @Test func `views return in the reverse order, and forward again`() {
        var history = ViewHistory(), present = Self.cameras[3], seen: [Double?] = []
        for camera in Self.cameras[..<3] { history.push(camera) }
        for goesBack in [true, true, true, true, false, true, false, false, false, false] {
            let next = goesBack ? history.back(from: present) : history.forward(from: present)
            present = next ?? present
            seen.append(next?.zoom)
        }
        #expect(seen == [2, 1, 0, nil, 1, 0, 1, 2, 3, nil])
    }

    @Test func `after a move elsewhere the user can't go forward`() {
        var history = ViewHistory()
        history.push(Self.cameras[0])
        #expect(history.back(from: Self.cameras[1]) == Self.cameras[0])
        history.push(Self.cameras[0])
        #expect(history.forward(from: Self.cameras[2]) == nil)
    }

    @Test func `the same view twice is stored once, and old ones are dropped`() {
        var history = ViewHistory()
        let camera = Self.cameras[1]
        history.push(camera)
        history.push(camera)
        #expect(history.back(from: Self.cameras[2]) == camera)
        #expect(history.isEmpty)
        for step in 0..<1000 { history.push(camera.zoomed(to: Double(step) / 100)) }
        var count = 0
        while history.back(from: Self.cameras[3]) != nil { count += 1 }
        #expect(count == ViewHistory.limit)
    }
}

struct LeastZoomTests {
    @Test(arguments: [(80, 22), (120, 38), (200, 58), (24, 3), (300, 100)])
    func `a view zooms out until the world fits, but never beyond zoom 0`(
        columns: Int, rows: Int
    ) {
        let near = Viewport(
            camera: Camera(center: WorldPoint(x: 0.3, y: 0.3), zoom: 3), columns: columns, rows: rows)
        let far = near.zoomed(to: -20), side = far.camera.worldPixels
        #expect(far.camera.zoom == far.leastZoom && far.camera.zoom <= 0 && far.camera.center.y == 0.5)
        #expect(side <= 256 && (side - min(far.width, far.height, 256)).magnitude < 0.01)
    }

    @Test func `zooming out at the mouse beyond the least zoom keeps the place under it`() {
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 0), columns: 80, rows: 22)
        let least = view.zoomed(to: view.leastZoom, column: 70, row: 11),
            beyond = view.zoomed(to: -20, column: 70, row: 11)
        #expect(least == beyond)
    }
}
