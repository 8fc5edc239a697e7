import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
import RhumbTestSupport
import Testing

/// Tests estimates based on a few tiles.
struct TileWeightsTests {
    private let box = Bounds(west: 0.1, south: 0.1, east: 1.3, north: 1.3)

    @Test func `a few tiles give an estimate close to the download's size`() async throws {
        let fixture = try RegionFixture(), source = try fixture.source()
        let definition = try fixture.region(zooms: 8...12)
        let first = try fixture.regions.plan(definition, [source])
        var weights = TileWeights()
        #expect(await weights.sample(of: definition, [source], first, in: try #require(box)))
        let asked = fixture.host.server.requestCount
        #expect((1...12).contains(asked))
        let better = weights.applied(to: first)
        let record = try await fixture.download(definition, source)
        #expect(
            better.size.margin < first.size.margin && better.tiles == first.tiles && better.seconds != nil)
        #expect(abs(better.size.bytes - record.bytes) <= better.size.margin)
    }

    @Test func `sampled tiles are not fetched again by the download`() async throws {
        let fixture = try RegionFixture(), source = try fixture.source()
        let definition = try fixture.region(zooms: 8...12)
        let plan = try fixture.regions.plan(definition, [source])
        var weights = TileWeights()
        _ = await weights.sample(
            of: definition, [source], plan, in: try #require(box), cache: fixture.cache)
        let asked = fixture.host.server.requestCount
        let record = try await fixture.download(definition, source)
        #expect(asked > 0 && fixture.host.server.requestCount == record.planned)
    }

    @Test func `known and forbidden tiles are not requested`() async throws {
        let fixture = try RegionFixture()
        func asked(_ source: RegionSource, _ weights: inout TileWeights) async throws -> Int {
            let definition = try fixture.region(zooms: 10...12),
                before = fixture.host.server.requestCount
            let plan = try fixture.regions.plan(definition, [source])
            _ = await weights.sample(of: definition, [source], plan, in: try #require(box))
            return fixture.host.server.requestCount - before
        }
        var weights = TileWeights()
        #expect(try await asked(fixture.source(), &weights) > 0)
        #expect(try await asked(fixture.source(), &weights) == 0)
        var none = TileWeights()
        #expect(try await asked(fixture.source { $0.policy.offline = .denied }, &none) == 0)
    }

    @Test func `the sources of one style have names of their own in a plan`() throws {
        let fixture = try RegionFixture()
        let sources = try ["web", "other"].map { id in
            let source = try fixture.source(id)
            return RegionSource("style", source.layer, source.supply, definition: source.definition)
        }
        let plan = try fixture.regions.plan(fixture.region(sources: ["style"]), sources)
        #expect(Set(plan.sources.map(\.id)).count == 2 && Set(plan.sources.map(\.name)).count == 2)
        #expect(Set(plan.rows.map(\.source)).count == 2)
    }
}
