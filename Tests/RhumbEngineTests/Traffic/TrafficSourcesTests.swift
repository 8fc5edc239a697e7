import RhumbCore
import RhumbEngine
import Testing

struct TrafficSourcesTests {
    private func sources(
        _ variables: [String: String], product: TrafficSources.Product = .classic
    ) -> TrafficSources {
        TrafficSources(product: product, environment: { variables[$0] })
    }

    private let tile = TileID(zoom: 12, x: 2302, y: 1175) ?? .world

    @Test(arguments: FlowMode.allCases)
    func `flow is requested in its mode, with a thickness only where this is allowed`(mode: FlowMode) throws {
        let source = try sources(["TOMTOM_API_KEY": "se cret"]).flow(mode)
        let url =
            "https://api.tomtom.com/traffic/map/4/tile/flow/\(mode.rawValue)/12/2302/1175.png?key=se%20cret&tileSize=256"
        #expect(source.address(for: tile).url == url + (mode.takesThickness ? "&thickness=10" : ""))
        #expect(source.address(for: tile).description.contains("key=…"))
        #expect(source.definition.policy.offline == .denied)
        #expect(source.definition.feature == .trafficFlow)
    }

    @Test(arguments: IncidentStyle.allCases)
    func `incidents are requested with the model, or without`(style: IncidentStyle) throws {
        let source = try sources(["TOMTOM_API_KEY": "k"]).incidents(style)
        let url =
            "https://api.tomtom.com/traffic/map/4/tile/incidents/\(style.rawValue)/12/2302/1175.png?key=k&tileSize=256"
        #expect(source.address(for: tile).url == url)
        #expect(source.address(for: tile, model: TrafficModel("1&2")).url == url + "&t=1%262")
        #expect(source.definition.feature == .trafficIncidents)
    }

    @Test func `the newer generation has other paths`() throws {
        let orbis = sources(
            ["TOMTOM_API_KEY": "k", "RHUMB_TOMTOM_URL": "http://127.0.0.1:9/"], product: .orbis)
        #expect(
            try orbis.flow(.relative0Dark).address(for: tile).url
                == "http://127.0.0.1:9/maps/orbis/traffic/tile/flow/12/2302/1175.png?apiVersion=1&key=k&style=dark&tileSize=256"
        )
        #expect(
            try orbis.incidents(.s1).address(for: tile, model: TrafficModel("m")).url
                == "http://127.0.0.1:9/maps/orbis/traffic/tile/incidents/12/2302/1175.png?apiVersion=1&key=k&style=light&tileSize=256&t=m"
        )
        #expect(
            orbis.modelAddress(.smallest)?.url.hasPrefix("http://127.0.0.1:9/traffic/services/4/") == true)
    }

    @Test func `without TomTom's key flow is from HERE, and there are no incidents`() throws {
        let here = sources(["HERE_API_KEY": "h", "RHUMB_HERE_URL": "http://127.0.0.1:8"])
        #expect(here.providers == [.flow: .here] && here.modelAddress(.smallest) == nil)
        let source = try here.flow(.relative)
        #expect(
            source.address(for: tile).url
                == "http://127.0.0.1:8/v3/flow/mc/12/2302/1175/png?apiKey=h&size=256")
        #expect(source.mode == nil)
        #expect(throws: SourceFailure.self) { try here.incidents(.s0) }
    }

    @Test func `a missing key is reported by name`() {
        do {
            _ = try sources([:]).flow(.relative)
            Issue.record("not refused")
        } catch {
            #expect(error.description.contains("TOMTOM_API_KEY or HERE_API_KEY"))
        }
    }

    @Test func `a service that moved gets a new definition`() throws {
        let list = #"""
            {"sources":[{"id":"tomtom-flow","url":"https://new.example/{style}/{z}/{x}/{y}?key={key}",
             "keys":{"key":{"environment":"TOMTOM_API_KEY","config":"tomtom"}},"values":{"style":""}}]}
            """#
        let moved = TrafficSources(
            definitions: try SourceList.parse(Array(list.utf8)), environment: { _ in nil },
            configuration: { $0 == "tomtom" ? "c" : nil })
        #expect(
            try moved.flow(.absolute).address(for: tile).url
                == "https://new.example/absolute/12/2302/1175?key=c")
    }
}
