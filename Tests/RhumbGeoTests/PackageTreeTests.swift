import RhumbCore
import RhumbTestSupport
import Testing

/// Tests searching for packages by place and by name.
struct PackageTreeTests {
    private func package(
        _ id: String, in parent: String? = "world", _ level: CatalogPackage.Level = .country,
        titles: [String: String] = [:],
        box: [Double]? = nil
    ) throws -> CatalogPackage {
        let bounds = box.flatMap { Bounds(west: $0[0], south: $0[1], east: $0[2], north: $0[3]) }
        return CatalogPackage(
            id: id, parent: parent, level: level, titles: titles, area: bounds.flatMap(PackageArea.init),
            content: .source("s"))
    }

    private func tree(_ packages: [CatalogPackage]) throws -> PackageTree {
        try PackageTree([try package("world", in: nil, .world, box: [-180, -90, 180, 90])] + packages)
    }

    private func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test func `the smallest package at a place is found, never more than a country`() throws {
        let tree = try tree([
            package("continent", .continent, box: [0, 0, 50, 50]),
            package("country", in: "continent", box: [0, 0, 20, 20]),
            package("province", in: "country", .province, box: [5, 5, 10, 10]),
        ])
        #expect(try tree.at(at(6, 6)) == .here(#require(tree["province"])))
        #expect(try tree.at(at(1, 1)) == .here(#require(tree["country"])))
        #expect(try tree.at(at(21, 5)) == .nearest(#require(tree["country"])))
    }

    @Test func `a chain of packages is at most as deep as the limit`() throws {
        func chain(_ count: Int) throws -> PackageTree {
            try PackageTree((0..<count).map { try package("p\($0)", in: $0 == 0 ? nil : "p\($0 - 1)") })
        }
        #expect(try chain(PackageTree.depthLimit).packages.count == PackageTree.depthLimit)
        #expect(throws: PackageCatalogFailure.tooDeep(package: "p32", limit: 32)) { try chain(20_000) }
    }

    @Test func `a place on a border belongs to one package, regardless of their order`() throws {
        let both = try [package("b", box: [0, 0, 10, 10]), package("a", box: [10, 0, 20, 10])]
        for packages in [both, both.reversed()] {
            #expect(try tree(packages).at(at(5, 10)).map { "\($0)".contains("\"a\"") } == true)
            #expect(try tree(packages).at(at(10, 5)) == .here(both[0]))
        }
    }

    @Test func `the package at a place is the nearest of all, wherever they are`() throws {
        var random = SplitMix(seed: 7)
        let packages = try (0..<60).map { number in
            let west = Double.random(in: -179...170, using: &random)
            let south = Double.random(in: -85...80, using: &random)
            return try package(
                "p\(number)",
                box: [
                    west, south, west + .random(in: 1...9, using: &random),
                    south + .random(in: 1...5, using: &random),
                ])
        }
        let tree = try tree(packages)
        for _ in 0..<200 {
            let place = at(.random(in: -89...89, using: &random), .random(in: -180...180, using: &random))
            let distances = packages.compactMap { $0.area?.distance(to: place) }
            let least = try #require(distances.min())
            switch try #require(tree.at(place)) {
            case .here(let found): #expect(least == 0 && found.area?.distance(to: place) == 0)
            case .nearest(let found): #expect(least > 0 && found.area?.distance(to: place) == least)
            }
        }
    }

    @Test func `at sea the nearest package is returned, even beyond 180°`() throws {
        let tree = try tree([
            package("west", box: [170, 0, 175, 10]), package("east", box: [-160, 0, -150, 10]),
        ])
        #expect(try tree.at(at(5, -178)) == .nearest(#require(tree["west"])))
        #expect(try tree.at(at(5, -165)) == .nearest(#require(tree["east"])))
    }

    @Test func `an area across 180° contains both its sides, but not its hole`() throws {
        let box = try #require(Bounds(west: 170, south: 0, east: -170, north: 10).flatMap(PackageArea.init))
        #expect(box.contains(at(5, 175)) && box.contains(at(5, -175)) && !box.contains(at(5, 0)))
        #expect(box.bounds.crossesAntimeridian)
        func ring(_ low: Double, _ high: Double) -> [Position] {
            [(low, low), (high, low), (high, high), (low, high)].map {
                Position(longitude: $0.0, latitude: $0.1)
            }
        }
        let area = try #require(PackageArea(polygons: [[ring(0, 10), ring(4, 6)]]))
        let whole = try #require(PackageArea(polygons: [[ring(0, 10)]]))
        #expect(
            area.contains(at(2, 2)) && !area.contains(at(5, 5)) && area.contains(at(4, 5))
                && area.size < whole.size)
        #expect(try area.geometry().shapes.count == 1)
    }

    @Test func `without any area nothing is found`() throws {
        #expect(try PackageTree([package("a", in: nil)]).at(at(0, 0)) == nil)
    }

    @Test func `names are found in every language, without their accents, beginnings first`() throws {
        let tree = try tree([
            package("mine", titles: ["en": "New Åland"]),
            package("aland", titles: ["en": "Åland", "fi": "Ahvenanmaa"]),
            package("ivory", titles: ["fr": "Côte d’Ivoire"]), package("x", titles: ["en": "Grælandia"]),
        ])
        #expect(tree.search("ALAND").map(\.id) == ["aland", "mine"])
        #expect(
            tree.search("ahven").map(\.id) == ["aland"]
                && tree.search("côte").map(\.id) == tree.search("cote").map(\.id))
        #expect(
            tree.search("cote").map(\.id) == ["ivory"] && tree.search("") == []
                && tree.search("nowhere") == [])
    }

    /// Every place in the world has one result, the same as when examining all packages.
    @Test func `a search finds the same packages as a scan of all`() throws {
        let seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        let packages = try (0..<60).map { number in
            let west = Double.random(in: -180..<160, using: &generator),
                south = Double.random(in: -80..<60, using: &generator)
            return try package(
                "p\(number)",
                box: [
                    west, south, west + .random(in: 1..<20, using: &generator),
                    south + .random(in: 1..<20, using: &generator),
                ])
        }
        let tree = try tree(packages)
        for _ in 0..<300 {
            let place = at(
                .random(in: -90...90, using: &generator), .random(in: -180..<180, using: &generator))
            let distances = packages.map { ($0, $0.area?.distance(to: place) ?? .infinity) }
            let least = distances.map(\.1).min()
            let best = distances.filter { $0.1 == least }.min {
                ($0.0.area?.size ?? 0) < ($1.0.area?.size ?? 0)
            }.map(\.0)
            #expect(
                tree.at(place) == best.map { least == 0 ? .here($0) : .nearest($0) },
                "RHUMB_TEST_SEED=\(seed)")
        }
    }
}
