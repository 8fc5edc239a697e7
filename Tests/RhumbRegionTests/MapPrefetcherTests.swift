@testable import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOffline
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests tiles that are fetched into the cache before they are viewed.
struct MapPrefetcherTests {
    private let box: RegionFixture
    private let square: RegionGeometry
    private let zooms: ZoomRange

    init() throws {
        box = try RegionFixture()
        square = try .box(try require(Bounds(west: 0.1, south: 0.1, east: 1.3, north: 1.3)))
        zooms = try ZoomRange(7, 9)
    }

    private func prefetcher(
        _ cache: SharedCache? = nil, _ change: (inout SourceDefinition) -> Void = { _ in }
    ) throws -> MapPrefetcher {
        let source = try box.source(change: change), cache = cache ?? box.cache
        let fetcher = CachedTileFetcher(
            box.client, store: cache, regions: box.store, date: { [box] in box.now })
        return MapPrefetcher(source.layer, fetcher, cache)
    }

    @Test func `an area is fetched once, and the plan excludes cached tiles`() async throws {
        let prefetcher = try prefetcher(), before = try prefetcher.plan(square, zooms: zooms)
        #expect(before.tiles == 6 && before.present == 0 && before.bytes > 0)
        #expect(try await before.start().value().fetched == 6)
        let after = try prefetcher.plan(square, zooms: zooms)
        #expect(after.present == 6 && after.missing == 0 && after.bytes == 0)
        #expect(try await after.start().value().present == 6)
        #expect(box.host.asked.count == 6)
        #expect(try box.store.regions().isEmpty)
    }

    @Test func `tiles of regions are not fetched again`() async throws {
        try await box.download(try box.region())
        let asked = box.host.asked.count
        #expect(try prefetcher().plan(square, zooms: zooms).missing == 0)
        _ = try await prefetcher().plan(square, zooms: zooms).start().value()
        #expect(box.host.asked.count == asked)
    }

    @Test func `a prefetch larger than the cache is not planned`() throws {
        var options = SharedCache.Options()
        options.quota = 1 << 20
        let small = try SharedCache.open(box.folder.path + "/small.db", options)
        let prefetcher = try prefetcher(small)
        for zooms in [try ZoomRange(7, 12), try ZoomRange(0, 16)] {
            let failure = #expect(throws: OfflineFailure.self) { try prefetcher.plan(square, zooms: zooms) }
            guard case .tooLarge? = failure else { Issue.record("\(String(describing: failure))"); return }
        }
        #expect(box.host.asked.isEmpty)
    }

    private func refusal(of plan: PrefetchPlan) async -> OfflineFailure? {
        do throws(OfflineFailure) {
            _ = try await plan.start()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a provider's policy is obeyed`() async throws {
        var denied = try prefetcher { $0.policy.offline = .denied }.plan(square, zooms: zooms),
            asking = try prefetcher { $0.policy.offline = .ask }.plan(square, zooms: zooms)
        denied.isPermitted = true
        #expect(await refusal(of: denied) == .prefetchDenied("Web", nil))
        #expect(await refusal(of: asking) == .unsaid("Web", nil))
        #expect(box.host.asked.isEmpty)
        asking.isPermitted = true
        #expect(try await asking.start().value().fetched == 6)
    }

    @Test func `the area around a place has a radius of one to fifty kilometres`() throws {
        let place = Coordinate(latitude: 0.5, longitude: 0.5)
        for radius in [0, 999, 50_001, .nan, .infinity] {
            #expect(throws: OfflineFailure.radius) {
                try MapPrefetcher.ground(around: place, radius: radius)
            }
        }
        for radius in [1000.0, 50_000] {
            #expect(try MapPrefetcher.ground(around: place, radius: radius).bounds.contains(place))
        }
    }

    @Test func `an interrupted prefetch keeps its tiles, and the rest is counted`() async throws {
        let task = try await prefetcher().plan(square, zooms: ZoomRange(7, 13)).start()
        task.cancel()
        await #expect(throws: OfflineFailure.cancelled) { try await task.value() }
        let tally = task.progress
        #expect(tally.failed == 0 && tally.fetched <= box.host.asked.count)
    }

    @Test func `unavailable tiles are counted with their reason`() async throws {
        box.host.answer { _ in LoopbackReply(403) }
        let tally = try await prefetcher().plan(square, zooms: zooms).start().value()
        #expect(tally.failed == 6 && tally.problem != nil)
    }
}
