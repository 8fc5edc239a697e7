import Rhumb
import RhumbTestSupport
import Testing

/// Tests routing engines over HTTP, both correct and faulty ones.
struct RouteFinderTests {
    private static let start = Coordinate(latitude: 43.7312, longitude: 7.4189),
        end = Coordinate(latitude: 43.7350, longitude: 7.4250)
    private let request = RouteRequest(from: start, to: end)

    /// Returns a response of OSRM for a route between two places.
    private static func body(_ start: Coordinate = start, _ end: Coordinate = end) -> [UInt8] {
        let line = Polyline.text([start, end], precision: 6)
        let answer: JSON = [
            "code": "Ok",
            "routes": [
                [
                    "distance": 700, "duration": 60,
                    "legs": [
                        [
                            "distance": 700, "duration": 60,
                            "steps": [
                                [
                                    "maneuver": ["type": "depart"], "geometry": .string(line),
                                    "name": "Rue Grimaldi", "distance": 700, "duration": 60,
                                ],
                                [
                                    "maneuver": ["type": "arrive"],
                                    "geometry": .string(Polyline.text([end, end], precision: 6)),
                                    "distance": 0, "duration": 0,
                                ],
                            ],
                        ]
                    ],
                ]
            ],
        ]
        return Array(answer.text.utf8)
    }

    /// Returns a server that identifies itself as OSRM at `/status` and answers routes with a reply.
    private static func server(
        _ reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) throws -> LoopbackServer {
        try LoopbackServer { asked in
            asked.target == "/status"
                ? LoopbackReply(400, Array(#"{"code":"InvalidUrl","message":"x"}"#.utf8)) : reply(asked)
        }
    }

    private static func client() throws -> HTTPClient {
        HTTPClient(ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
    }

    private static func finder(
        _ client: HTTPClient, own: String? = nil, environment: [String: String] = [:],
        passing: Set<Feature> = [],
        agreed: Set<String> = []
    ) throws -> RouteFinder {
        let catalog = SourceCatalog(own: try own.map { try JSON.parse($0) }, environment: environment)
        return RouteFinder(
            client, catalog,
            configuration: {
                var configuration = LayerConfiguration()
                configuration.passThroughFeatures = passing
                return configuration
            }, hasAgreed: { agreed.contains($0) })
    }

    private func failure(
        _ reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) async throws -> RouteFailure? {
        let server = try Self.server(reply), finder = try Self.finder(try Self.client())
        do throws(RouteFailure) {
            _ = try await finder.routes(request, by: [server.url("")], now: UnixSeconds(0))
            return nil
        } catch {
            return error
        }
    }

    @Test func `an OSRM server at a URL is recognised and queried once`() async throws {
        let server = try Self.server { _ in LoopbackReply(200, Self.body()) }
        let answer = try await Self.finder(try Self.client()).routes(
            request, by: [server.url("")], now: UnixSeconds(5))
        #expect(
            answer.routes.count == 1 && answer.provider.hasPrefix("OSRM at 127.0.0.1") && answer.mayBeStored)
        #expect(server.record.requests.map(\.target).filter { $0.hasPrefix("/route/v1/driving/") }.count == 1)
    }

    @Test func `each mode is queried at its own OSRM server, and a mode without one is rejected`()
        async throws
    {
        let cars = try Self.server { _ in LoopbackReply(200, Self.body()) },
            feet = try Self.server { _ in LoopbackReply(200, Self.body()) }
        let finder = try Self.finder(try Self.client()),
            engines = ["car=" + cars.url(""), "foot=" + feet.url("")]
        var walk = request
        walk.mode = .foot
        _ = try await finder.routes(walk, by: engines, now: UnixSeconds(0))
        #expect(cars.record.requests.allSatisfy { $0.target == "/status" } && feet.requestCount == 2)
        walk.mode = .bicycle
        await #expect(throws: RouteFailure.self) {
            try await finder.routes(walk, by: engines, now: UnixSeconds(0))
        }
    }

    // MARK: Faults

    @Test func `a server without such roads is reported`() async throws {
        let failure = try await failure { _ in
            LoopbackReply(400, Array(#"{"code":"NoSegment","message":"x"}"#.utf8))
        }
        #expect(failure == .noRoads(place: nil, metres: nil))
    }

    @Test func `a server that answers Ok from far away has no roads here`() async throws {
        let there = Coordinate(latitude: 60.17, longitude: 24.94)
        let failure = try await failure { _ in LoopbackReply(200, Self.body(there, there)) }
        guard case .noRoads(place: 0, metres: _?)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `login pages, truncated responses and other JSON are rejected`() async throws {
        for reply in [
            LoopbackReply(
                200, Array("<!DOCTYPE html><html></html>".utf8), headers: ["Content-Type": "text/html"]),
            LoopbackReply(200, Array(Self.body().dropLast(40))), LoopbackReply(200, Array("{}".utf8)),
        ] {
            let failure = try await failure { _ in reply }
            guard case .nonsense? = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
    }

    @Test func `a response larger than any route is not read`() async throws {
        let body = [UInt8](repeating: 0x20, count: 50 << 20)
        let failure = try await failure { _ in LoopbackReply(200, body) }
        guard case .nonsense? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a server that limits requests states for how long`() async throws {
        let failure = try await failure { _ in LoopbackReply(429, headers: ["Retry-After": "30"]) }
        guard case .busy(_, let seconds?)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect((25...31).contains(seconds))
    }

    @Test func `a port without a server is reported, and so is a different kind of server`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200, Array("hello".utf8)) }
        let finder = try Self.finder(try Self.client()), url = server.url("")
        await #expect(throws: RouteFailure.self) {
            try await finder.routes(request, by: [url], now: UnixSeconds(0))
        }
        server.stop()
        await #expect(throws: RouteFailure.self) {
            try await finder.routes(request, by: [url], now: UnixSeconds(0))
        }
    }

    @Test func `a slow engine is abandoned immediately when nobody waits`() async throws {
        let gate = LoopbackGate(),
            server = try Self.server { _ in LoopbackReply(200, Self.body()).with { $0.gate = gate } }
        let finder = try Self.finder(try Self.client()), request = request, url = server.url("")
        let work = Task { try await finder.routes(request, by: [url], now: UnixSeconds(0)) }
        #expect(await eventually { server.record.requests.contains { $0.target.hasPrefix("/route") } })
        work.cancel()
        await #expect(throws: RouteFailure.cancelled) { try await work.value }
        gate.open()
    }

    // MARK: Offline

    @Test func `offline, an engine on this machine is still queried`() async throws {
        let server = try Self.server { _ in LoopbackReply(200, Self.body()) }, client = try Self.client()
        client.isOffline = true
        #expect(
            try await Self.finder(client).routes(request, by: [server.url("")], now: UnixSeconds(0)).routes
                .count == 1)
    }

    @Test func `offline, engines elsewhere are queried only if routes pass through`() async throws {
        let client = try Self.client()
        client.isOffline = true
        await #expect(throws: RouteFailure.offline("http://192.0.2.1:8002")) {
            try await Self.finder(client).routes(request, by: ["http://192.0.2.1:8002"], now: UnixSeconds(0))
        }
    }

    @Test func `an engine on this machine is not queried if its feature is off`() async throws {
        let server = try Self.server { _ in LoopbackReply(200, Self.body()) }
        let finder = RouteFinder(
            try Self.client(), SourceCatalog(),
            configuration: {
                LayerConfiguration(enabledFeatures: [.rendering])
            },
            hasAgreed: { _ in false })
        await #expect(throws: RouteFailure.self) {
            try await finder.routes(request, by: [server.url("")], now: UnixSeconds(0))
        }
        #expect(server.record.requests.allSatisfy { $0.target == "/status" })
    }

    @Test(arguments: [(RouteMode.truck, "truck"), (.bus, "offlineBusRouting")])
    func `truck and bus routes by an engine on this machine need their features`(
        mode: RouteMode, feature: String
    ) async throws {
        let server = try Self.server { _ in LoopbackReply(200, Self.body()) }
        var request = request
        request.mode = mode
        for isOn in [false, true] {
            var features: Set<Feature> = [.rendering, .offlineRouting]
            if isOn { features.insert(try .named(feature)) }
            let configuration = LayerConfiguration(
                enabledFeatures: features, implicitlyPrefetchedFeatures: [])
            let finder = RouteFinder(
                try Self.client(), SourceCatalog(), configuration: { configuration },
                hasAgreed: { _ in false })
            let engines = ["\(mode.rawValue)=\(server.url(""))"]
            do throws(RouteFailure) {
                _ = try await finder.routes(request, by: engines, now: UnixSeconds(0))
                #expect(isOn)
            } catch {
                #expect(
                    !isOn && error.description.contains("needs the feature \(feature), which is off"),
                    "\(error)")
                #expect(error.remedy == .enableFeature)
            }
        }
    }

    // MARK: Providers

    @Test func `volunteers' servers are queried only after the user accepted their terms`() async throws {
        let server = try Self.server { _ in LoopbackReply(200, Self.body()) }
        let own =
            #"{"sources":[{"id":"ours","kind":"osrm","url":"\#(server.url("/routed-{mode}"))","modes":{"car":"car"},"policy":{"needsAgreement":true,"policyURL":"https://rules.example"}}]}"#
        let finder = try Self.finder(try Self.client(), own: own)
        await #expect(
            throws: RouteFailure.notAgreed(source: "ours", name: "ours", rules: "https://rules.example")
        ) {
            try await finder.routes(request, by: ["ours"], now: UnixSeconds(0))
        }
        #expect(server.requestCount == 0)
        let agreed = try Self.finder(try Self.client(), own: own, agreed: ["ours"])
        _ = try await agreed.routes(request, now: UnixSeconds(0))
        #expect(
            server.record.requests.map(\.target).contains { $0.hasPrefix("/routed-car/route/v1/driving/") })
    }

    @Test func `TomTom's rejection of a key is shown without the key, and its routes are never stored`()
        async throws
    {
        let server = try LoopbackServer { asked in
            asked.target.contains("key=SECRET-1")
                ? LoopbackReply(403, Array(#"{"detailedError":{"code":"Forbidden"}}"#.utf8))
                : LoopbackReply(500)
        }
        let finder = try Self.finder(
            try Self.client(),
            environment: ["RHUMB_TOMTOM_URL": server.url(""), "TOMTOM_API_KEY": "SECRET-1"])
        await #expect(throws: RouteFailure.notEntitled(provider: "TomTom routing")) {
            try await finder.routes(request, by: ["tomtom-routing"], now: UnixSeconds(0))
        }
        #expect(
            server.record.requests.first?.target.hasPrefix(
                "/routing/1/calculateRoute/43.7312%2C7.4189%3A43.735%2C7.425/json?key=SECRET-1") == true)
        #expect(!"\(RouteFailure.notEntitled(provider: "TomTom routing"))".contains("SECRET"))
        #expect(!RouteEngineKind.tomtom.mayBeStored && !RouteEngineKind.here.mayBeStored)
    }

    @Test func `the failure of a provider without a key names the variable to set`() async throws {
        await #expect {
            try await Self.finder(try Self.client()).routes(
                request, by: ["here-routing"], now: UnixSeconds(0))
        } throws: { "\($0)".contains("HERE_API_KEY") }
    }
}
