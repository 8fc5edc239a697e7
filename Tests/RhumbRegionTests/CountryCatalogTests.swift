import Rhumb
import RhumbCore
@testable import RhumbOffline
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the catalogue of a source that has none.
struct CountryCatalogTests {
    private static let catalog = Result {
        try PackageCatalog.countries(of: "https://tiles.example/{z}/{x}/{y}.png")
    }
    private static let tree = Result { try PackageTree(try catalog.get().packages) }

    private func found(_ latitude: Double, _ longitude: Double) throws -> PackageTree.Found? {
        try Self.tree.get().at(Coordinate(latitude: latitude, longitude: longitude))
    }

    private func here(_ latitude: Double, _ longitude: Double) throws -> String? {
        if case .here(let package)? = try found(latitude, longitude) { package.id } else { nil }
    }

    @Test func `the world has seven continents, their countries and provinces`() throws {
        let tree = try Self.tree.get()
        #expect(tree.children(of: tree.root).count == 7)
        #expect(try Self.catalog.get().packages.count > 4700)
        let finland = try #require(tree["finland"])
        #expect(
            finland.parent == "europe" && finland.level == .country && tree.children(of: finland).count > 15)
        #expect(tree.contents(of: finland) == [finland] && tree.contents(of: tree.root).count > 240)
    }

    @Test(arguments: [
        (60.17, 24.94, "finland"), (48.86, 2.35, "france"), (-33.87, 151.2, "australia"),
        (40.71, -74.0, "united-states-of-america"),
        (-29.3, 27.48, "lesotho"), (-1.29, 36.82, "kenya"), (47.14, 9.55, "liechtenstein"),
        (43.94, 12.46, "san-marino"),
        (64.15, -21.94, "iceland"), (-16.5, 179.3, "fiji"), (-16.85, -179.97, "fiji"),
        (35.68, 139.69, "japan"), (60.1, 19.95, "aland"),
        (41.9033, 12.4534, "vatican"), (41.8902, 12.4922, "italy"), (43.739, 7.425, "monaco"),
        (-0.53, 166.93, "nauru"), (-77.85, 166.67, "antarctica"),
    ])
    func `a place is in its province or small country`(
        latitude: Double, longitude: Double, country: String
    ) throws {
        let tree = try Self.tree.get(), id = try #require(try here(latitude, longitude)),
            package = try #require(tree[id])
        #expect(package.level >= .country && (id == country || package.parent == country), "\(id)")
    }

    @Test func `at sea there is no package, and the nearest is returned`() throws {
        guard case .nearest(let package)? = try found(58.9, 21.0) else {
            Issue.record("something is there"); return
        }
        #expect(
            ["sweden", "estonia", "latvia"].contains(package.id)
                || ["sweden", "estonia", "latvia"].contains(package.parent ?? ""))
        guard case .nearest? = try found(0, -30) else { Issue.record("something is there"); return }
    }

    @Test func `every place on a border belongs to one package`() throws {
        let tree = try Self.tree.get(), austria = try #require(tree["austria"]?.area)
        for corner in austria.polygons[0][0].enumerated().filter({ $0.offset % 20 == 0 }).map(\.element) {
            #expect(try here(corner.latitude, corner.longitude) != nil)
            #expect(try here(corner.latitude, corner.longitude) == here(corner.latitude, corner.longitude))
        }
    }

    @Test func `every area can be a region`() throws {
        for package in try Self.catalog.get().packages {
            do { _ = try package.area?.geometry() } catch { Issue.record("\(package.id): \(error)") }
        }
    }

    @Test func `ids are short, plain and easy to type`() throws {
        let ids = try Self.catalog.get().packages.map(\.id)
        #expect(Set(ids).count == ids.count && ids.allSatisfy { $0.utf8.count <= 35 })
        for id in ["curacao", "ivory-coast", "fra-finistere", "usa-massachusetts"] {
            #expect(ids.contains(id), "\(id)")
        }
        #expect(try Self.tree.get()["antarctica"]?.parent == "continent-antarctica")
    }

    @Test func `damaged areas are rejected`() throws {
        #expect(CountryAreas([]) == nil && CountryAreas(Array("RhumbAR1".utf8)) == nil)
        #expect(CountryAreas(Array("RhumbAR1".utf8) + Gzip.packed([0xE8, 7, 1, 1, 0, 0])) == nil)
    }

    @Test func `a country of a source is installed, updated without changes and uninstalled`() async throws {
        let box = try PackageFixture()
        box.intervene { request in
            TileHost.tile(request.target[...]).map {
                LoopbackReply(200, TileHost.body($0), headers: ["Cache-Control": "max-age=3600"])
            }
        }
        let words = box.box.host.server.url("/{z}/{x}/{y}.png"),
            loader = box.loader(of: "countries:0-7:\(words)")
        #expect(
            try await loader.package(at: Coordinate(latitude: 49.6, longitude: 6.1)).package.level >= .country
        )
        let plan = try await loader.plan(["luxembourg"])
        #expect(plan.bytes > 0 && box.box.host.server.requestCount == 0)
        let result = try await loader.installAll("luxembourg")
        #expect(result == .success(["luxembourg"]))
        #expect(try await loader.status("luxembourg") == .explicit)
        let provinces = try await loader.children(of: "luxembourg")
        #expect(provinces.allSatisfy { $0.status == .implicit })
        #expect(try await loader.checkForUpdate().isUpToDate)
        #expect(try await loader.updateAll() == .success([]))
        #expect(try await loader.uninstallAll("luxembourg") == .success(["luxembourg"]))
        #expect(try box.box.store.regions().isEmpty)
    }

    @Test func `a provider that doesn't allow downloads gets no requests`() async throws {
        let box = try PackageFixture(), loader = box.loader(of: "countries:osm")
        await #expect(throws: MapLoaderFailure.self) { try await loader.plan(["luxembourg"]) }
        #expect(try await loader.installAll("luxembourg").reason == .invalidParameters)
        #expect(try box.box.store.regions().isEmpty)
    }
}
