@testable import RhumbServices
import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests routes on the roads of vector tiles.
struct RoadRouterTests {
    private static func street(_ name: String, _ more: (String, VectorValue)...) -> [(String, VectorValue)] {
        [("class", .string("minor")), ("name", .string(name))] + more
    }

    /// A block of streets: A to the north, B to the east, C to the south, D to the west.
    private static func block(_ top: (String, VectorValue)...) -> [RoadFixture.Line] {
        [
            ([(500, 500), (3500, 500)], street("A") + top), ([(3500, 500), (3500, 3500)], street("B")),
            ([(3500, 3500), (500, 3500)], street("C")), ([(500, 3500), (500, 500)], street("D")),
        ]
    }

    @Test(arguments: [RouteMode.car, .bicycle, .foot], [false, true])
    func `a route turns at a junction, and names the streets`(mode: RouteMode, isPacked: Bool) throws {
        let fixture = RoadFixture(Self.block(), asksPacked: isPacked)
        let route = try fixture.route(mode, (1000, 500), (3500, 2000))
        #expect(route.instructions == ["Head east on A", "Turn right onto B", "Arrive"])
        #expect(abs(route.distance - 4000 * 0.4327) < 60 && route.duration > 60)
        #expect(route.line.count == 3 && route.legs.count == 1 && !route.remarks.isEmpty)
        #expect(route.steps.map(\.corner) == [0, 1, 2])
    }

    @Test func `cars keep to one-way streets, pedestrians do not`() throws {
        let fixture = RoadFixture(Self.block(("oneway", .one)))
        let back = ((3000, 500), (1000, 500))
        #expect(try fixture.route(.car, back.0, back.1).distance > 3500)
        #expect(try fixture.route(.foot, back.0, back.1).distance < 900)
        #expect(try fixture.route(.bicycle, back.0, back.1).distance < 900)
        #expect(try fixture.route(.car, back.1, back.0).distance < 900)
        let reversed = RoadFixture(Self.block(("oneway", .number(-1))))
        #expect(try reversed.route(.car, back.0, back.1).distance < 900)
    }

    @Test func `a bridge is no junction, and a crossing on the ground is one`() throws {
        let east: RoadFixture.Line = ([(500, 2000), (2000, 2000), (3500, 2000)], Self.street("East"))
        let north: [(Int, Int)] = [(2003, 500), (2003, 3500)]
        let flat = RoadFixture([east, (north, Self.street("North"))])
        #expect(try flat.route(.car, (600, 2000), (2003, 600)).distance < 1300)
        for level in [("brunnel", VectorValue.string("bridge")), ("brunnel", .string("tunnel"))] {
            let bridge = RoadFixture([east, (north, Self.street("North", level))])
            #expect(throws: RouteFailure.noRoute) { try bridge.route(.car, (600, 2000), (2003, 600)) }
        }
        // A corner of the bridge exactly above one of the road.
        let above = RoadFixture([
            east,
            (
                [(2000, 500), (2000, 2000), (2000, 3500)],
                Self.street("North", ("brunnel", .string("bridge")))
            ),
        ])
        #expect(throws: RouteFailure.noRoute) { try above.route(.foot, (600, 2000), (2000, 600)) }
    }

    @Test func `a road that ends on another one meets it there`() throws {
        let fixture = RoadFixture([
            ([(500, 2000), (3500, 2000)], Self.street("East")),
            ([(2000, 500), (2000, 1999)], Self.street("North")),
        ])
        let route = try fixture.route(.car, (600, 2000), (2000, 600))
        #expect(route.steps[1].instruction() == "Turn left onto North")
    }

    @Test func `no route leads through a wall`() {
        let fixture = RoadFixture([
            ([(500, 2000), (3500, 2000)], Self.street("East")),
            ([(500, 2020), (3500, 2020)], Self.street("Other")),
        ])
        #expect(throws: RouteFailure.noRoute) { try fixture.route(.foot, (600, 2000), (3000, 2021)) }
    }

    @Test func `roads continue in the next tile, even if their ends differ by a unit`() throws {
        let fixture = RoadFixture(
            [([(500, 2000), (4160, 2000)], Self.street("East"))],
            east: [([(-64, 2001), (2000, 2001)], Self.street("East"))])
        let route = try fixture.route(.car, (1000, 2000), (5000, 2001))
        #expect(route.steps.count == 2 && abs(route.distance - 4000 * 0.4327) < 30)
    }

    @Test func `a gap in the stored map is named`() {
        let fixture = RoadFixture([
            ([(500, 2000), (4160, 2000)], Self.street("East")),
            ([(500, 3000), (3500, 3000)], Self.street("South")),
        ])
        #expect {
            try fixture.route(.car, (1000, 2000), (3000, 3000))
        } throws: { error in
            guard case .notStored(let place)? = error as? RouteFailure else { return false }
            return place.metres(to: RoadFixture.place(4096, 2000)) < 5
        }
    }

    @Test(arguments: [
        ("transportation", "class", "minor", "oneway"), ("roads", "kind_detail", "residential", "oneway"),
        ("roads", "highway", "residential", "oneway"), ("streets", "kind", "residential", "oneway"),
    ])
    func `all schemas are read`(layer: String, key: String, value: String, oneway: String) throws {
        let lines = Self.block().map { line -> RoadFixture.Line in
            let isTop = line.points[0] == (500, 500)
            let road: [(String, VectorValue)] = [(key, .string(value))]
            return (
                line.points,
                road + (isTop ? [(oneway, layer == "streets" ? .bool(true) : .string("yes"))] : [])
            )
        }
        let fixture = RoadFixture(lines, layer: layer)
        #expect(try fixture.route(.car, (3000, 500), (1000, 500)).distance > 3500)
        #expect(try fixture.route(.car, (1000, 500), (3000, 500)).distance < 900)
    }

    @Test func `names come from the layer of labels`() throws {
        let line = [(500, 2000), (3500, 2000)]
        let tile = VectorTileFixture([
            ("transportation", [.init(.line, through: line, [("class", .string("path"))])]),
            (
                "transportation_name",
                [
                    .init(
                        .line, through: line,
                        [
                            ("name", .string("Stairs")), ("class", .string("path")),
                            ("subclass", .string("steps")),
                        ])
                ]
            ),
        ])
        let roads = TileRoads(try VectorTile(tile.bytes))
        #expect(roads.roads.map(\.traits.kind) == [.steps] && roads.names == ["", "Stairs"])
    }

    @Test func `a subclass path is a path, and a class path without one is a footway`() throws {
        let line = [(500, 2000), (3500, 2000)]
        func traits(_ attributes: [(String, VectorValue)]) -> RoadTraits? {
            RoadFixture.roads([(line, attributes)]).roads.first?.traits
        }
        #expect(traits([("class", .string("path"))])?.kind == .footway)
        #expect(traits([("class", .string("path")), ("subclass", .string("path"))])?.kind == .path)
        // Levels may be texts.
        let above: [RoadFixture.Line] = ["1", "0"].enumerated().map { at, level in
            (
                at == 0
                    ? [(500, 2000), (2000, 2000), (3500, 2000)] : [(2000, 500), (2000, 2000), (2000, 3500)],
                Self.street("Road \(at)", ("layer", .string(level)))
            )
        }
        #expect(throws: RouteFailure.noRoute) {
            try RoadFixture(above).route(.foot, (600, 2000), (2000, 600))
        }
    }

    @Test func `a spiral that crosses itself is no junction`() throws {
        let spiral = RoadFixture([
            ([(500, 2000), (3000, 2000), (3000, 1000), (2000, 1000)], Self.street("Ramp")),
            ([(2000, 1000), (2000, 3000), (500, 3000)], Self.street("Ramp")),
        ])
        #expect(try spiral.route(.car, (600, 2000), (600, 3000)).distance > 5800 * 0.4327)
    }

    @Test func `turns a few metres apart are one step`() throws {
        // Over the street from one pavement to the other, and along an offset of 10 units (4 m).
        let lines: [RoadFixture.Line] = [
            ([(500, 2000), (2000, 2000)], Self.street("A")),
            ([(2000, 2000), (2000, 2010)], Self.street("B")),
            ([(2000, 2010), (3500, 2010)], Self.street("A")),
            ([(2000, 2010), (2000, 3500)], Self.street("B")),
            ([(2000, 2000), (2000, 500)], Self.street("B")),
        ]
        let fixture = RoadFixture(lines)
        let straight = try fixture.route(.foot, (600, 2000), (3400, 2010))
        #expect(straight.instructions == ["Head east on A", "Arrive"])
        #expect(abs(straight.steps[0].distance - 2810 * 0.4327) < 5)
        #expect(try fixture.route(.car, (600, 2000), (3400, 2010)).steps.count == 2)
    }

    @Test(arguments: [RouteMode.car, .bicycle, .foot])
    func `a segment of less than 1 m does not decide the direction of a turn`(mode: RouteMode) throws {
        // The street to the south begins with 1 unit (0.4 m) to the north-west, or to the north-east.
        for stub in [(1999, 1999), (2001, 1999)] {
            let whole = RoadFixture([
                ([(500, 2000), (2000, 2000), (3500, 2000)], Self.street("A")),
                ([(2000, 2000), stub, (stub.0, 3500)], Self.street("B")),
            ])
            // The same as roads of their own, because a service road ends there.
            let cut = RoadFixture([
                ([(500, 2000), (2000, 2000), (3500, 2000)], Self.street("A")),
                ([(2000, 2000), stub], Self.street("B")), ([stub, (stub.0, 3500)], Self.street("B")),
                ([stub, (2700, 1000)], Self.street("C")),
            ])
            for fixture in [whole, cut] {
                let route = try fixture.route(mode, (600, 2000), (stub.0, 3400))
                #expect(route.instructions == ["Head east on A", "Turn right onto B", "Arrive"])
            }
        }
    }

    @Test(arguments: [RouteMode.car, .bicycle, .foot])
    func `two turns to the left within 5 m are one sharp turn`(mode: RouteMode) throws {
        // Around the end of a wall of 10 units (4 m).
        let fixture = RoadFixture([
            ([(500, 2000), (2000, 2000), (3500, 2000)], Self.street("A")),
            ([(2000, 2000), (2000, 1990)], Self.street("B")),
            ([(3500, 1990), (2000, 1990), (500, 1900)], Self.street("C")),
        ])
        let route = try fixture.route(mode, (600, 2000), (600, 1906))
        #expect(route.instructions == ["Head east on A", "Turn sharp left onto C", "Arrive"])
    }

    @Test func `a turn at the very end and a street that has its name again are no steps`() throws {
        let fixture = RoadFixture([
            ([(500, 2000), (1500, 2000)], Self.street("A")),
            ([(1500, 2000), (2000, 2000)], [("class", .string("minor"))]),
            ([(2000, 2000), (3500, 2000)], Self.street("A")),
            ([(1500, 2000), (1500, 500)], Self.street("B")),
            ([(2000, 2000), (2000, 3500)], Self.street("C")),
            ([(3500, 500), (3500, 3500)], Self.street("D")),
        ])
        let route = try fixture.route(.car, (600, 2000), (3500, 2004))
        #expect(route.instructions == ["Head east on A", "Arrive"])
    }

    @Test func `a ferry, a push against one-way streets and a distant end are named`() throws {
        let ferry = RoadFixture([
            ([(500, 2000), (3500, 2000)], [("class", .string("ferry")), ("name", .string("Boat"))]),
            ([(3500, 2000), (3500, 3500)], Self.street("A")),
        ])
        #expect(try ferry.route(.foot, (600, 2000), (3500, 3000)).instructions[0] == "Take the ferry Boat")
        let back = try RoadFixture(Self.block(("oneway", .one))).route(.bicycle, (3000, 500), (1000, 500))
        #expect(
            back.remarks.contains { $0.hasPrefix("push the bicycle for 8") && $0.hasSuffix("streets: A") })
        let far = try RoadFixture(Self.block()).route(.foot, (1000, 500), (2500, 1500))
        #expect(far.remarks.contains { $0.hasPrefix("the route ends 4") && $0.contains("destination") })
        let near = try RoadFixture(Self.block()).route(.bicycle, (1000, 500), (2500, 510))
        #expect(near.remarks.count == 1)
    }

    @Test func `a long route loads only main roads between its ends`() throws {
        let lines: [RoadFixture.Line] = [
            ([(-64, 2048), (2048, 2048), (4160, 2048)], [("class", .string("primary"))]),
            ([(2048, -64), (2048, 2048), (2048, 4160)], [("class", .string("secondary"))]),
            ([(-64, 1000), (2048, 1000), (4160, 1000)], [("class", .string("minor"))]),
        ]
        let roads = RoadFixture.roads(lines), loads = Mutex<[Bool]>([])
        let router = RoadRouter(zoom: 14) { _, isMainOnly in
            loads.withLock { $0.append(isMainOnly) }
            var copy = TileRoads()
            let isRead =
                copy.add(packed: roads.packed(isMain: true))
                && (isMainOnly || copy.add(packed: roads.packed(isMain: false)))
            return isRead ? copy : nil
        }
        let end = RoadFixture.place(110 * 4096 + 2000, 10 * 4096 + 1000)
        let route = try router.routes(RouteRequest(from: RoadFixture.place(2000, 1000), to: end))[0]
        #expect((190_000...240_000).contains(route.distance))
        let whole = loads.withLock { $0.count { !$0 } }
        #expect(whole < 300, "\(whole) whole tiles")
    }

    @Test func `a start on an island begins on the mainland beside it`() throws {
        var lines: [RoadFixture.Line] = [([(2080, 2080), (2110, 2110)], Self.street("Island"))]
        for at in stride(from: 100, through: 3900, by: 190) {
            lines.append(([(100, at), (3900, at)], Self.street("Row \(at)")))
            lines.append(([(at, 100), (at, 3900)], Self.street("Column \(at)")))
        }
        #expect(try RoadFixture(lines).route(.car, (2095, 2095), (3000, 3000)).distance > 500)
    }

    @Test func `a walk above a tunnel or near a ferry starts on the nearest street`() throws {
        let above = RoadFixture([
            ([(500, 2000), (3500, 2000)], Self.street("Tunnel", ("brunnel", .string("tunnel")))),
            ([(500, 2150), (3500, 2150)], Self.street("Hill")),
            ([(3500, 2150), (3500, 2000)], Self.street("End")),
        ])
        func start(_ mode: RouteMode) throws -> String {
            try above.route(mode, (600, 2010), (3400, 2140)).steps[0].instruction()
        }
        #expect(try start(.foot) == "Head east on Hill" && start(.car) == "Head east on Tunnel")
        let ferry = RoadFixture([
            ([(500, 2000), (3500, 2000)], [("class", .string("ferry")), ("name", .string("Boat"))]),
            ([(500, 2000), (500, 500), (3500, 500)], Self.street("Quay")),
        ])
        let ashore = try ferry.route(.foot, (700, 2000), (600, 600)) { $0.avoids = [.ferries] }
        #expect(ashore.steps[0].instruction().hasSuffix("on Quay"))
    }

    @Test func `turns along one street, the same turn again and stairs have words of their own`() throws {
        let bends = RoadFixture([
            ([(500, 500), (2000, 500)], Self.street("A")), ([(2000, 500), (3500, 500)], Self.street("B")),
            ([(2000, 500), (2000, 2000)], Self.street("A")),
            ([(2000, 2000), (3500, 2000)], Self.street("C")),
            ([(2000, 2000), (2000, 3500)], Self.street("D")),
            ([(2000, 2000), (500, 2000)], Self.street("A")),
            ([(500, 2000), (500, 3500)], [("class", .string("path")), ("subclass", .string("steps"))]),
        ])
        let route = try bends.route(.foot, (600, 500), (500, 3400))
        #expect(
            route.instructions == [
                "Head east on A", "Turn right to stay on A", "Turn right to stay on A again",
                "Turn left onto the stairs", "Arrive",
            ])
        #expect(route.steps[3].name.isEmpty)
    }

    @Test func `a via point at the start has no way to it`() throws {
        let route = try RoadFixture(Self.block()).route(.car, (1000, 500), (3500, 2000)) {
            $0.places.insert($0.places[0], at: 1)
        }
        #expect(route.instructions == ["Arrive", "Head east on A", "Turn right onto B", "Arrive"])
    }

    @Test func `one-way streets around a square are no roundabout`() throws {
        let square = RoadFixture(
            [
                [(1900, 1900), (1900, 2100)], [(1900, 2100), (2100, 2100)], [(2100, 2100), (2100, 1900)],
                [(2100, 1900), (2000, 1900), (1900, 1900)],
            ].map { ($0, Self.street("Square", ("oneway", .one))) } + [
                ([(500, 2100), (1900, 2100)], Self.street("West")),
                ([(2100, 2100), (3500, 2100)], Self.street("East")),
            ])
        let route = try square.route(.car, (600, 2100), (3400, 2100))
        #expect(route.steps.allSatisfy { $0.manoeuvre.kind != .roundabout })
    }

    @Test func `the exits of a roundabout are counted`() throws {
        let ring = [
            (2200, 2000), (2141, 1859), (2000, 1800), (1859, 1859), (1800, 2000), (1859, 2141), (2000, 2200),
            (2141, 2141), (2200, 2000),
        ]
        .map { ((($0.0 - 2000) / 2) + 2000, (($0.1 - 2000) / 2) + 2000) }
        let fixture = RoadFixture([
            (ring, Self.street("Circle")), ([(500, 2000), (1900, 2000)], Self.street("West")),
            ([(2000, 2100), (2000, 3500)], Self.street("South")),
            ([(2100, 2000), (3500, 2000)], Self.street("East")),
        ])
        let route = try fixture.route(.car, (600, 2000), (3400, 2000))
        #expect(
            route.instructions == [
                "Head east on West", "At the roundabout take the second exit onto East", "Arrive",
            ])
    }

    @Test func `places without roads and other modes are refused with a reason`() {
        let fixture = RoadFixture([([(100, 100), (400, 100)], Self.street("A"))])
        #expect {
            try fixture.route(.foot, (3900, 3900), (200, 100))
        } throws: { error in
            if case .noRoads(place: 0, metres: .some)? = error as? RouteFailure { true } else { false }
        }
        #expect {
            try fixture.route(.truck, (100, 100), (300, 100))
        } throws: { "\($0)".contains("no heights and weights of roads") }
        #expect(throws: RouteFailure.samePlace) { try fixture.route(.foot, (100, 100), (100, 100)) }
    }

    @Test func `alternatives and via points are found`() throws {
        let fixture = RoadFixture(Self.block())
        var request = RouteRequest(from: RoadFixture.place(500, 1900), to: RoadFixture.place(3500, 2000))
        request.alternatives = 2
        let routes = try fixture.router.routes(request)
        #expect(routes.count == 2 && routes[0].distance < routes[1].distance)
        let via = RouteRequest(
            from: RoadFixture.place(1000, 500), to: RoadFixture.place(2000, 500),
            via: [RoadFixture.place(3500, 1000)])
        let route = try fixture.router.routes(via)[0]
        #expect(route.legs.count == 2 && route.steps.count(where: { $0.manoeuvre.kind == .arrive }) == 2)
    }

    @Test func `reachable areas contain near places only`() throws {
        let fixture = RoadFixture(Self.block())
        var request = RouteRequest(from: RoadFixture.place(500, 500), to: RoadFixture.place(500, 500))
        request.mode = .foot
        let areas = try fixture.router.reach([5, 10], from: RoadFixture.place(500, 500), request)
        #expect(areas.map(\.minutes) == [5, 10] && areas.allSatisfy { $0.shapes.count == 1 })
        #expect(areas.allSatisfy { !$0.isCut })
        // The street ends at a tile that is not stored.
        let edge = RoadFixture([([(500, 2000), (4160, 2000)], Self.street("East"))])
        let start = RoadFixture.place(3500, 2000)
        let cut = try edge.router.reach([1, 30], from: start, RouteRequest(from: start, to: start))
        #expect(cut.map(\.isCut) == [true, true])
        var walk = RouteRequest(from: start, to: start)
        walk.mode = .foot
        #expect(try edge.router.reach([1, 30], from: start, walk).map(\.isCut) == [false, true])
        // 5 minutes on foot are 417 m, or 963 units.
        for (area, distance) in zip(areas, [963, 1926]) {
            guard case .polygon(let outer, _)? = area.shapes.first else { continue }
            let east = outer.map(\.longitude).max() ?? 0
            #expect(abs(east - RoadFixture.place(500 + distance, 500).longitude) < 0.002)
        }
    }
}

extension Route {
    fileprivate var instructions: [String] { steps.map { $0.instruction() } }
}
