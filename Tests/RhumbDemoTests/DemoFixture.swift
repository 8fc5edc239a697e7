import Rhumb
import RhumbCore
import RhumbDemo
import RhumbDrawing
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbTestSupport

/// The simulated provider on the loopback interface, with everything from there to the drawing. The provider
/// uses the manual clock.
struct DemoFixture: Sendable {
    let clock = ManualClock()
    let provider: DemoTraffic
    let server: DemoServer
    let engine: TileEngine
    let traffic: TrafficTiles
    let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.27), zoom: 12), columns: 80, rows: 24
    )

    init(
        _ variable: String = "TOMTOM_API_KEY", key: String = "demo-secret",
        product: TrafficSources.Product = .classic, zooms: ClosedRange<Int>? = nil
    ) throws {
        let clock = clock
        let provider = DemoTraffic { 1_800_000_000 + Int(clock.now.components.seconds) }
        let server = try DemoServer { provider.answer($0) }
        engine = TileEngine(decoder: SniffingDecoder(), clock: clock.engineClock)
        let variables = [
            variable: key, "RHUMB_TOMTOM_URL": server.address, "RHUMB_HERE_URL": server.address,
        ]
        traffic = TrafficTiles(
            engine: engine,
            sources: TrafficSources(
                definitions: zooms.map { [DemoFixture.flow(server, $0)] } ?? [], product: product,
                environment: { variables[$0] }),
            decoder: SniffingDecoder(), fetcher: HTTPTrafficFetcher(try DemoFixture.client()),
            drawer: TrafficDrawings(), clock: clock.engineClock)
        self.provider = provider
        self.server = server
    }

    /// Returns a source of vector tiles of flow with these zooms.
    private static func flow(_ server: DemoServer, _ zooms: ClosedRange<Int>) -> SourceDefinition {
        var source = SourceDefinition(
            id: "tomtom-flow-vector", name: "Flow",
            addresses: [server.address + "/traffic/map/4/tile/flow/{style}/{z}/{x}/{y}.pbf?key={key}"])
        source.keys = [.init(token: "key", environment: "TOMTOM_API_KEY", configuration: "tomtom")]
        source.values = ["style": "relative"]
        source.zooms = zooms
        source.bindKeys()
        return source
    }

    static func client() throws -> HTTPClient {
        HTTPClient(ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
    }

    func start(_ choice: TrafficChoice) async throws {
        traffic.show(view, over: [])
        try traffic.choose(choice)
        await traffic.settled()
    }

    /// The levels that are drawn.
    var levels: Set<TrafficLevel> {
        let colours = FlowColours(TrafficRamp.standard)
        let pixels = traffic.scene(of: view, over: []).layers.filter { $0.layer.role == .trafficFlow }
            .flatMap(\.pictures).flatMap(\.raster.pixels)
        let found = stride(from: 0, to: pixels.count, by: 4).compactMap { at in
            colours.level(
                of: RGB(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2]), alpha: pixels[at + 3])
        }
        return Set(found)
    }

    var tilesAsked: [String] {
        provider.requests.filter { $0.hasSuffix(".png") || $0.hasSuffix("/png") || $0.hasSuffix(".pbf") }
    }
}
