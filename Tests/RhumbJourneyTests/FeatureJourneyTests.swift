import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

/// Commands typed on the map take effect at once.
struct FeatureJourneyTests {
    @Test func `search follows :features, off and on again`() throws {
        let journey = try Journey(columns: 140, rows: 40)
        try journey.see("z0.")
        try journey.type(":features rendering\r")
        try journey.settle()
        try journey.type("/åbo")
        try journey.see("needs the feature")
        try journey.type("\u{1B}")
        try journey.settle()
        try journey.type(":features rendering,offlineSearch\r")
        try journey.settle()
        try journey.type("/åbo")
        try journey.see("Turku (Åbo)")
    }

    @Test func `while :metered is on a region waits, and continues when it is off`() throws {
        let gate = LoopbackGate(), isHeld = Mutex(false)
        defer { gate.open() }
        let server = try LoopbackServer { _ in
            LoopbackReply(200, blankPicture(.init(0x336699), side: 256)).with {
                $0.gate = isHeld.withLock(\.self) ? gate : nil
            }
        }
        let home = TemporaryFolder()
        let sources =
            #"{"sources":[{"id":"web","url":"\#(server.url("/{z}/{x}/{y}.png"))","policy":{"offline":"allowed","packLimit":null}}]}"#
        home.write(Array(sources.utf8), to: "config.json")
        let journey = try Journey(
            ["web", "-c", "10,20", "-z", "6", "--config", home.path + "/config.json"], columns: 120, rows: 30,
            environment: ["HOME": home.path])
        try journey.see("z6.0")
        try journey.type(":metered on\r")
        try journey.see("Metered connection: downloads paused")
        try journey.type("D")
        try journey.settle()
        try journey.type("r")
        try journey.see("metered")
        try journey.type("\u{1B}")
        try journey.settle()
        // So that it doesn't end before it is looked at.
        isHeld.withLock { $0 = true }
        try journey.type(":metered off\r")
        try journey.see("Downloads resumed")
        try journey.type("r")
        try journey.see("running")
        #expect(try journey.quit() == .exited(0))
    }
}
