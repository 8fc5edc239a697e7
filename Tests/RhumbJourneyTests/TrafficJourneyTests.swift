import Glibc
import RhumbCore
import RhumbDemo
import RhumbTestSupport
import Testing

struct TrafficJourneyTests {
    private let provider: DemoTraffic
    private let server: DemoServer
    private let home = TemporaryFolder()

    init() throws {
        let provider = DemoTraffic { 1_800_000_000 }
        server = try DemoServer { provider.answer($0) }
        self.provider = provider
    }

    private var environment: [String: String] {
        [
            "TOMTOM_API_KEY": "demo-secret", "RHUMB_TOMTOM_URL": server.address, "HOME": home.path,
            "XDG_CACHE_HOME": home.path + "/cache", "XDG_DATA_HOME": home.path + "/data",
            "XDG_STATE_HOME": home.path + "/state", "XDG_CONFIG_HOME": home.path + "/config",
        ]
    }

    private static let place = ["--traffic", "all", "-c", "52.52,13.40", "-z", "9"]

    @Test func `traffic is shown with its age and legend, and never reaches a file`() throws {
        let journey = try Journey(Self.place, environment: environment)
        try journey.see(" s old")
        try journey.see("speed against free flow")
        #expect(provider.requests.contains { $0.contains("/tile/flow/") })
        #expect(provider.requests.contains { $0.contains("/tile/incidents/") })
        #expect(try journey.quit() == .exited(0))
        #expect(journey.program.output.firstRange(of: Array("demo-secret".utf8)) == nil)
        #expect(!home.everyFile.isEmpty)
        #expect(home.everyFileContaining(DemoTraffic.marker).isEmpty)
    }

    @Test func `vector tiles are shown with marks and legend, and never reach a file`() throws {
        let place = ["--traffic", "vector", "-c", "52.52,13.40", "-z", "9"]
        let journey = try Journey(place, columns: 120, rows: 40, environment: environment)
        try journey.see(" s old")
        try journey.see("road works")
        try journey.type("i")
        try journey.see("On the map")
        #expect(provider.requests.contains { $0.contains("/tile/flow/relative/9/") && $0.hasSuffix(".pbf") })
        #expect(provider.requests.contains { $0.contains("/tile/incidents/9/") && $0.hasSuffix(".pbf") })
        #expect(try journey.quit() == .exited(0))
        #expect(journey.program.output.firstRange(of: Array("demo-secret".utf8)) == nil)
        #expect(home.everyFileContaining(DemoTraffic.marker).isEmpty)
    }

    @Test(arguments: ["tomtom-flow-vector", "tomtom-incidents-vector", "here-flow"])
    func `a traffic service is listed and shown with its provider's policy`(name: String) throws {
        let list = try Journey(["source", "list"], columns: 160, environment: environment)
        try list.see(name)
        let sheet = try Journey(["source", "show", name], columns: 160, environment: environment)
        try sheet.see("denied")
        #expect(sheet.program.output.firstRange(of: Array("demo-secret".utf8)) == nil)
    }

    @Test func `i requests the incidents around the point`() async throws {
        let journey = try Journey(Self.place, columns: 120, rows: 40, environment: environment)
        try journey.see(" s old")
        try journey.type("i")
        try journey.see("Traffic incidents")
        #expect(await eventually { provider.requests.contains { $0.contains("incidentDetails") } })
    }

    @Test func `without a key t names the missing key`() throws {
        let journey = try Journey(columns: 140)
        try journey.see("World")
        try journey.type("t")
        try journey.see("Live requests are billed")
        try journey.see("TOMTOM_API_KEY")
    }

    @Test func `render also draws traffic`() throws {
        let arguments = ["render", "--size", "80x24", "--colors", "16", "-c", "52.52,13.40", "-z", "9"]
        let bare = try Journey(arguments, environment: environment)
        let busy = try Journey(arguments + ["--traffic", "flow"], environment: environment)
        #expect(try bare.program.readToEnd() == .exited(0))
        #expect(try busy.program.readToEnd() == .exited(0))
        #expect(provider.requests.contains { $0.contains("/tile/flow/relative/") })
        #expect(bare.program.output != busy.program.output)
    }

    @Test func `render without a network requests traffic only if it may pass through`() throws {
        let arguments = [
            "render", "--size", "80x24", "--colors", "16", "-c", "52.52,13.40", "-z", "9", "--traffic",
            "flow", "--offline",
        ]
        let bare = try Journey(arguments, environment: environment)
        #expect(try bare.program.readToEnd() == .exited(0))
        #expect(provider.requests.isEmpty)
        let busy = try Journey(arguments + ["--pass-through", "trafficFlow"], environment: environment)
        #expect(try busy.program.readToEnd() == .exited(0))
        #expect(provider.requests.contains { $0.contains("/tile/flow/relative/") })
        #expect(bare.program.output != busy.program.output)
    }

    @Test(arguments: ["tomtom-flow", "tomtom-incidents", "tomtom-flow-vector", "here-flow"])
    func `a region of traffic is rejected by name`(source: String) throws {
        let journey = try Journey(
            ["region", "add", "jams", "--source", source, "--bbox", "13,52,14,53", "--zooms", "8-9"],
            columns: 160, environment: environment)
        try journey.see("is traffic, which its provider does not allow storing")
        #expect(provider.requests.isEmpty)
    }
}
