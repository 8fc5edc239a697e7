import Rhumb
import RhumbTestSupport
import Testing

/// Tests search services over HTTP, both correct and faulty ones.
struct OnlineSearchEngineTests {
    private static let list =
        #"[{"lat":"43.77","lon":"11.25","name":"Osteria","display_name":"Osteria, Firenze","category":"amenity","type":"restaurant"}]"#
    private let query = MapSearchQuery("osteria", near: Coordinate(latitude: 43.77, longitude: 11.25))

    private static func good(_ text: String = list) -> LoopbackReply {
        LoopbackReply(200, Array(text.utf8), headers: ["Content-Type": "application/json"])
    }

    private static func client(isOffline: Bool = false) throws -> HTTPClient {
        let client = HTTPClient(
            ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
        client.isOffline = isOffline
        return client
    }

    private static func engine(
        _ client: HTTPClient, own: String? = nil, environment: [String: String] = [:],
        passing: Set<Feature> = [], agreed: Set<String> = []
    ) throws -> OnlineSearchEngine {
        OnlineSearchEngine(
            client, SourceCatalog(own: try own.map { try JSON.parse($0) }, environment: environment),
            configuration: {
                var configuration = LayerConfiguration()
                configuration.passThroughFeatures = passing
                return configuration
            }, hasAgreed: { agreed.contains($0) })
    }

    private func failure(
        _ reply: LoopbackReply
    ) async throws -> (failure: OnlineSearchFailure?, requests: Int) {
        let server = try LoopbackServer { _ in reply }, engine = try Self.engine(try Self.client())
        do throws(OnlineSearchFailure) {
            _ = try await engine.search(query, by: "nominatim=" + server.url(""))
            return (nil, server.requestCount)
        } catch {
            return (error, server.requestCount)
        }
    }

    // MARK: One request

    @Test func `a query is one request, and the same query is not sent again`() async throws {
        let server = try LoopbackServer { _ in Self.good() }, engine = try Self.engine(try Self.client())
        for _ in 0..<3 {
            let answer = try await engine.search(query, by: "nominatim=" + server.url(""))
            #expect(
                answer.features.map(\.name) == ["Osteria"] && answer.attribution.contains("OpenStreetMap"))
        }
        #expect(server.requestCount == 1)
        let asked = try #require(server.record.requests.first)
        #expect(asked.target.hasPrefix("/search?format=jsonv2") && asked.target.contains("q=osteria"))
        #expect(asked.header("User-Agent")?.contains("RhumbTests") == true)
    }

    @Test func `a query at a place is one request, with the same rules as a search`() async throws {
        let house =
            #"{"lat":"43.77","lon":"11.25","name":"","display_name":"x","address":{"house_number":"12","road":"Via dei Neri"}}"#
        let server = try LoopbackServer { _ in Self.good(house) }, words = "nominatim=" + server.url("")
        var query = MapSearchQuery("43.77,11.25", area: .everywhere)
        query.spot = Coordinate(latitude: 43.77, longitude: 11.25)
        let engine = try Self.engine(try Self.client())
        for _ in 0..<2 {
            #expect(try await engine.search(query, by: words).features.map(\.name) == ["Via dei Neri 12"])
        }
        #expect(
            server.record.requests.map(\.target) == [
                "/reverse?format=jsonv2&accept-language=en&lat=43.77&lon=11.25"
            ])
        let offline = try Self.engine(try Self.client(isOffline: true))
        await #expect(throws: OnlineSearchFailure.offline("127.0.0.1")) {
            try await offline.search(query, by: words)
        }
        let agreeing = try Self.engine(
            try Self.client(), environment: ["RHUMB_NOMINATIM_URL": server.url("")])
        await #expect(throws: OnlineSearchFailure.self) { try await agreeing.search(query, by: "nominatim") }
        #expect(server.requestCount == 1)
        let passing = try Self.engine(try Self.client(isOffline: true), passing: [.onlineSearch])
        #expect(try await passing.search(query, by: words).features.count == 1 && server.requestCount == 2)
    }

    @Test func `queries are sent at most once a second, whatever an entry states`() async throws {
        let server = try LoopbackServer { _ in Self.good("[]") }
        let own =
            #"{"sources":[{"id":"mine","kind":"nominatim","url":"\#(server.url(""))","policy":{"requestsPerSecond":50}}]}"#
        let engine = try Self.engine(try Self.client(), own: own), start = ContinuousClock.now
        for words in ["a", "b", "c"] { _ = try await engine.search(MapSearchQuery(words)) }
        #expect(start.duration(to: .now) > .seconds(1.8) && server.requestCount == 3)
    }

    // MARK: Consent

    @Test func `no service is queried unless it is configured or accepted`() async throws {
        let server = try LoopbackServer { _ in Self.good() },
            environment = ["RHUMB_NOMINATIM_URL": server.url("")]
        let none = try Self.engine(try Self.client(), environment: environment)
        await #expect(throws: OnlineSearchFailure.noService) { try await none.search(query) }
        #expect(throws: OnlineSearchFailure.noService) { try none.serviceName() }
        await #expect(throws: OnlineSearchFailure.self) { try await none.search(query, by: "nominatim") }
        #expect(server.requestCount == 0)
        let agreed = try Self.engine(try Self.client(), environment: environment, agreed: ["nominatim"])
        #expect(try agreed.serviceName() == "Nominatim")
        #expect(try await agreed.search(query).provider == "Nominatim" && server.requestCount == 1)
    }

    @Test func `the user's own service precedes an accepted one`() async throws {
        let mine = try LoopbackServer { _ in Self.good(#"{"type":"FeatureCollection","features":[]}"#) },
            other = try LoopbackServer { _ in Self.good() }
        let own = #"{"sources":[{"id":"mine","name":"Mine","kind":"photon","url":"\#(mine.url(""))"}]}"#
        let engine = try Self.engine(
            try Self.client(), own: own, environment: ["RHUMB_NOMINATIM_URL": other.url("")],
            agreed: ["nominatim"])
        #expect(try await engine.search(query).provider == "Mine")
        #expect(mine.record.requests.first?.target.hasPrefix("/api/?") == true && other.requestCount == 0)
    }

    @Test func `a service at a known host is queried by its rules, whatever its name`() throws {
        let engine = try Self.engine(try Self.client())
        for words in [
            "nominatim", "nominatim=https://nominatim.openstreetmap.org",
            "nominatim=https://nominatim.openstreetmap.org/",
        ] {
            #expect(throws: OnlineSearchFailure.self, "\(words)") { try engine.serviceName(words) }
        }
        for words in ["google", "valhalla=http://127.0.0.1", "nominatim=ftp://x", "osm"] {
            #expect(throws: OnlineSearchFailure.self, "\(words)") { try engine.serviceName(words) }
        }
    }

    @Test func `no service is queried offline, unless the feature passes through`() async throws {
        let server = try LoopbackServer { _ in Self.good() }, words = "nominatim=" + server.url("")
        let offline = try Self.engine(try Self.client(isOffline: true))
        await #expect(throws: OnlineSearchFailure.offline("127.0.0.1")) {
            try await offline.search(query, by: words)
        }
        #expect(server.requestCount == 0)
        let passing = try Self.engine(try Self.client(isOffline: true), passing: [.onlineSearch])
        #expect(try await passing.search(query, by: words).features.count == 1)
    }

    @Test func `a key is sent but never shown`() async throws {
        let words = Array(#"{"error":"key SECRET-1 is not valid"}"#.utf8)
        let server = try LoopbackServer { _ in LoopbackReply(403, words) }
        let own =
            #"{"sources":[{"id":"mine","kind":"nominatim","url":"\#(server.url("/v1?key={key}"))","keys":{"key":{"environment":"MY_KEY","config":"mine"}}}]}"#
        let engine = try Self.engine(try Self.client(), own: own, environment: ["MY_KEY": "SECRET-1"])
        do throws(OnlineSearchFailure) {
            _ = try await engine.search(query)
            Issue.record("the refusal was taken for an answer")
        } catch {
            #expect("\(error)".contains("is not valid") && !"\(error)".contains("SECRET-1"))
        }
        #expect(server.record.requests.first?.target.contains("key=SECRET-1") == true)
    }

    // MARK: Faults

    @Test func `a service that limits requests is not queried for the time it states`() async throws {
        let outcome = try await failure(
            LoopbackReply(429, Array("slow down".utf8), headers: ["Retry-After": "60"]))
        #expect(outcome.failure == .busy(provider: "127.0.0.1", seconds: 60) && outcome.requests == 1)
    }

    @Test func `a service that denies access is queried once, and its message is shown`() async throws {
        for status in [401, 403] {
            let outcome = try await failure(
                LoopbackReply(status, Array(#"{"error":{"message":"blocked\u001b[2J"}}"#.utf8)))
            guard case .refused(let words)? = outcome.failure else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(words.contains("blocked") && !words.contains("\u{1b}") && outcome.requests == 1)
        }
    }

    @Test func `HTML pages, truncated responses and other JSON are rejected`() async throws {
        for reply in [
            LoopbackReply(
                200, Array("<!DOCTYPE html><html>login</html>".utf8), headers: ["Content-Type": "text/html"]),
            Self.good(String(Self.list.dropLast(9))), Self.good("{}"), Self.good(""),
        ] {
            let outcome = try await failure(reply)
            guard case .nonsense? = outcome.failure else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test func `a broken connection and an enormous response are failures`() async throws {
        var broken = Self.good()
        broken.ending = .close(after: 20)
        #expect(try await failure(broken).failure != nil)
        #expect(
            try await failure(LoopbackReply(200, [UInt8](repeating: 0x20, count: 50 << 20))).failure != nil)
    }

    @Test func `an error of the server and a missing service are reported`() async throws {
        let outcome = try await failure(LoopbackReply(500))
        #expect(outcome.failure.isUnreachable && outcome.requests == 1, "\(outcome)")
        let absent = try await failure(LoopbackReply(404))
        #expect(absent.failure.isUnreachable, "\(absent)")
    }

    @Test func `a response is merged with stored results: matches first, no duplicates, both distinguished`()
        async throws
    {
        let server = try LoopbackServer { _ in Self.good() }
        let answer = try await Self.engine(try Self.client()).search(query, by: "nominatim=" + server.url(""))
        func stored(_ name: String, at place: Coordinate) -> SearchMatch {
            let tile = TileID(zoom: 14, containing: Mercator.world(place))
            var feature = FeatureMatch(IndexedFeature(name, .food, at: SIMD2(9, 9)), in: tile)
            feature.kind = "restaurant"
            return .feature(feature)
        }
        let far = Coordinate(latitude: 45, longitude: 9), query = MapSearchQuery("osteria", limit: 4)
        let joined = SearchResult([stored("Hosteria", at: far), stored("Osteria Bella", at: far)]).joined(
            with: answer, to: query)
        #expect(joined.matches.map { $0.title() } == ["Osteria Bella", "Osteria", "Hosteria"])
        #expect(
            joined.matches.map(\.provider) == ["", "127.0.0.1", ""]
                && joined.attribution.contains("OpenStreetMap"))
        let same = SearchResult(
            answer.features.map { feature in
                var feature = feature
                feature.provider = ""
                return .feature(feature)
            })
        #expect(same.joined(with: answer, to: query) == same)
        let many = SearchResult((0..<9).map { stored("Osteria \($0)", at: far) }).joined(
            with: answer, to: query)
        #expect(many.matches.count == 4 && many.matches.contains { $0.provider == "127.0.0.1" })
    }
}

extension OnlineSearchFailure? {
    fileprivate var isUnreachable: Bool { if case .unreachable? = self { true } else { false } }
}
