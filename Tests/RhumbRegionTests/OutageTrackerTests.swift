import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests when a download gives up on a server or a network.
struct OutageTrackerTests {
    @Test func `pauses for a server that limits the rate last at most five minutes in total`() {
        var tracker = OutageTracker(networkTimeout: nil)
        for _ in 1...3 {
            tracker.note(SupplyFailure(.wait(.seconds(90)), "HTTP 429"))
            #expect(tracker.begin() != nil && tracker.surrender == nil)
        }
        tracker.note(SupplyFailure(.wait(.seconds(90)), "HTTP 429"))
        #expect(tracker.begin() != nil)
        #expect(tracker.surrender == "rate-limited for too long: HTTP 429; try again after 90 s")
    }

    @Test func `a connection that is always lost is abandoned, but an absent network is waited for`() {
        var tracker = OutageTracker(networkTimeout: nil)
        for _ in 1...100 {
            tracker.note(SupplyFailure(.offline, "no network"))
            #expect(tracker.begin() != nil && tracker.surrender == nil)
        }
        for _ in 1...OutageTracker.losses {
            #expect(tracker.surrender == nil)
            tracker.note(SupplyFailure(.lost, "timed out"))
            #expect(tracker.begin() != nil)
        }
        #expect(tracker.surrender?.contains("timed out") == true)
    }

    @Test func `a command gives up on a network that stays lost, and a success ends the count`() throws {
        var tracker = OutageTracker(networkTimeout: .seconds(600))
        func fail() {
            tracker.note(SupplyFailure(.offline, "connection refused"))
            #expect(tracker.begin() != nil)
        }
        fail()
        tracker.waitedForNetwork(.seconds(599))
        #expect(tracker.surrender == nil)
        let tile = try #require(TileID(zoom: 0, x: 0, y: 0))
        tracker.settled(tile, .present(bytes: 1, isAbsent: false))
        fail()
        tracker.waitedForNetwork(.seconds(599))
        #expect(tracker.surrender == nil)
        fail()
        tracker.waitedForNetwork(.seconds(1))
        #expect(tracker.surrender == "no connection for 10 min: connection refused")
    }

    @Test func `a download with a limit ends at a server that accepts no connection, and can be resumed`()
        async throws
    {
        let box = try RegionFixture()
        var regions = box.regions
        regions.networkTimeout = .milliseconds(1)
        let refused = ScriptedSupply(origin: try box.source().origin) { _ in
            .failure(SupplyFailure(.offline, "connection refused"))
        }
        let record = try regions.add(box.region(), [box.source()])
        let end = try await regions.start(record, [box.source(supply: refused)]).value()
        #expect(end.state == .failed && end.reason.contains("no connection for"), "\(end.reason)")
        let whole = try await box.work(end)
        #expect(whole.state == .complete && whole.tiles == whole.planned)
    }
}
