import RhumbCore
import Testing

struct TrafficServiceTests {
    private static let key = "se/cret 9"

    @Test func `the viewport is requested in metres with y first, and the key is hidden`() {
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.25), zoom: 2), columns: 128, rows: 64)
        let box = ViewportService.Box(of: view)
        let quarter = "\((Mercator.halfWorld / 4 * 100).rounded() / 100)"
        #expect(box?.zoom == 2)
        let edges = (box?.text ?? "").split(separator: ",").compactMap { Double($0) }
        #expect(edges.count == 4 && edges[1] == -edges[3] && "\(edges[3])" == quarter)
        #expect(edges[0] < edges[2] && edges[0] > 0)
        let address = ViewportService.address(base: "https://t.example", key: Self.key, box: .smallest)
        #expect(
            address.url
                == "https://t.example/traffic/services/4/incidentViewport/0,0,.1,.1/0/0,0,.1,.1/0/false/json?key=se%2Fcret%209"
        )
        #expect(address.description.hasSuffix("?key=…"))
    }

    @Test func `across the antimeridian x continues to increase`() {
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.99, y: 0.5), zoom: 3), columns: 100, rows: 40)
        let edges = (ViewportService.Box(of: view)?.text ?? "").split(separator: ",").compactMap {
            Double($0)
        }
        #expect(edges.count == 4 && edges[3] > Mercator.halfWorld)
    }

    @Test func `a view of more than sixteen tiles is not requested`() {
        let camera = Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 8)
        #expect(ViewportService.Box(of: Viewport(camera: camera, columns: 2048, rows: 50)) != nil)
        #expect(ViewportService.Box(of: Viewport(camera: camera, columns: 2049, rows: 50)) == nil)
    }

    @Test(
        arguments: [
            (
                #"{"viewpResp":{"trafficState":{"@trafficAge":40,"@trafficModelId":"1781953180"},"copyrightIds":"x"}}"#,
                "1781953180", 40
            ),
            (
                #"{"viewpResp":{"trafficState":{"@trafficAge":"41","@trafficModelId":1781953180123}}}"#,
                "1781953180123", 41
            ),
            (#"{"viewpResp":{"trafficState":{"@trafficModelId":"a&b"},"copyrightIds":["x"]}}"#, "a&b", 0),
            (#"{"viewpResp":{"trafficState":{"@trafficModelId":"a","@trafficAge":-5}}}"#, "a", 0),
            (#"{"viewpResp":{"trafficState":{"@trafficAge":40}}}"#, nil, 0), (#"{"viewpResp":{}}"#, nil, 0),
            ("<html>", nil, 0), (#"{"viewpResp":{"trafficState":{"@trafficModelId":""}}}"#, nil, 0),
        ] as [(String, String?, Int)])
    func `the model and its age are read in all their forms`(body: String, id: String?, age: Int) {
        let answer = ViewportService.Answer(reading: Array(body.utf8))
        #expect(answer?.model.id == id)
        if id != nil { #expect(answer?.age == .seconds(age)) }
    }

    @Test func `a model is opaque, and escaped in an address`() {
        #expect(TrafficModel("a&b=c#d")?.encoded == "a%26b%3Dc%23d")
        #expect(TrafficModel("-1") == nil && TrafficModel(String(repeating: "9", count: 201)) == nil)
        #expect(TrafficModel(of: ["trafficmodelid": " 17 "])?.id == "17")
    }

    @Test(arguments: [0.0, 60, -89.99, 85])
    func `details are requested in a box of allowed size`(latitude: Double) throws {
        let place = Coordinate(latitude: latitude, longitude: 179.9)
        let address = IncidentDetails.address(
            base: "https://t.example", key: "k", around: place, radius: 1e9, model: TrafficModel("m 1"))
        #expect(address.url.hasPrefix("https://t.example/traffic/services/5/incidentDetails?key=k&bbox="))
        #expect(address.url.hasSuffix("&t=m%201") && !address.url.contains("{"))
        let box = try #require(
            address.url.split(separator: "&").first { $0.hasPrefix("bbox=") }?.dropFirst(5))
        let edges = box.split(separator: ",").compactMap { Double($0) }
        let bounds = Bounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
        #expect(bounds?.contains(place) == true)
        #expect((edges[3] - edges[1]) * 111.32 <= 100)
    }

    @Test func `incidents are read with sanitised texts`() throws {
        let body = #"""
            {"incidents":[{"type":"Feature","geometry":{"type":"LineString","coordinates":[[22.3,60.4],[22.4,60.5,9],["x"]]},
             "properties":{"id":"7","iconCategory":6,"magnitudeOfDelay":2,"events":[{"description":"queuing\u001b[31m traffic","code":108}],
              "from":"Turku","to":"Salo","length":1234.5,"delay":250,"roadNumbers":["E18"],"startTime":"2026-07-01T10:00:00Z","endTime":null}},
             {"properties":{"id":"8","iconCategory":77,"magnitudeOfDelay":"x","length":-1},"geometry":{"type":"Point","coordinates":[1,2]}},
             {"properties":{}}, 7]}
            """#
        let incidents = try IncidentDetails.read(Array(body.utf8))
        #expect(incidents.map(\.id) == ["7", "8"])
        let jam = try #require(incidents.first), odd = try #require(incidents.last)
        #expect(jam.category == .jam && jam.magnitude == .moderate && jam.places.count == 2 && jam.end == nil)
        #expect(jam.summary == "jam, E18, Turku to Salo: queuing[31m traffic (4 min, 1.2 km)")
        #expect(odd.category == .unknown && odd.length == nil && odd.summary == "incident")
        #expect(odd.places == [Coordinate(latitude: 2, longitude: 1)])
        #expect(throws: JSONFailure.self) { try IncidentDetails.read(Array("<xml/>".utf8)) }
        #expect(try IncidentDetails.read(Array("{}".utf8)).isEmpty)
    }
}

struct TrafficFailureTests {
    private static let address = HTTPAddress("https://t.example/a?key=topsecret&x=1")

    @Test(
        arguments: [
            (403, "", .keyOrQuota), (403, "<h1>Developer Inactive</h1>", .badKey),
            (403, "<h1>Not Authorized</h1>", .notEntitled), (403, "<h1>Developer Over Qps</h1>", .tooFast),
            (403, "<h1>Developer Over Rate</h1>", .overQuota), (401, "", .badKey), (429, "", .tooFast),
            (429, #"{"error":"Quota exceeded"}"#, .overQuota), (400, "", .badRequest),
            (400, #"{"error":"Invalid key"}"#, .badKey), (404, "", .unknownService),
            (405, "", .unknownService),
            (410, "", .unknownService), (596, "<h1>Service Not Found</h1>", .unknownService),
            (418, "", .badRequest), (500, "", .serverTrouble), (503, "", .serverTrouble),
            (599, "", .serverTrouble),
            (999, "", .serverTrouble), (204, "", .badAnswer), (0, "", .badAnswer), (-7, "", .badAnswer),
            (
                403,
                #"{"error":"Forbidden","error_description":"These credentials do not authorize access"}"#,
                .notEntitled
            ),
            (
                401, #"{"error":"Unauthorized","error_description":"apiKey invalid. apiKey not found."}"#,
                .badKey
            ),
        ] as [(Int, String, TrafficFailure.Reason)])
    func `a status and its data have a class`(
        status: Int, body: String, reason: TrafficFailure.Reason
    ) {
        let failure = TrafficFailure(.tomtom, status: status, body: Array(body.utf8), address: Self.address)
        #expect(failure.reason == reason)
        #expect(
            failure.pausesSource
                == [.badKey, .notEntitled, .overQuota, .tooFast, .keyOrQuota].contains(reason))
    }

    @Test(arguments: [
        #"{"errorResponse":{"@errorCode":400,"@description":"old topsecret","@version":"4"}}"#,
        #"{"errorResponse":{"@description":"x"},"detailedError":{"code":"INVALID_REQUEST","message":"old topsecret"}}"#,
        #"{"error":"x","httpStatusCode":400,"detailedError":{"message":"old topsecret"}}"#,
        #"{"title":"x","status":400,"code":"E622001","cause":"old topsecret","action":"y"}"#,
        "<h1>old \u{1B}topsecret</h1>",
    ])
    func `the provider's own text is shown in one line without the key`(body: String) {
        let failure = TrafficFailure(.here, status: 400, body: Array(body.utf8), address: Self.address)
        #expect(failure.detail == "old …")
        #expect(failure.description == "HERE traffic: the service rejected the request (old …)")
    }

    @Test func `a gateway states the reason in a header`() {
        let headers: HTTPHeaders = [
            "X-Mashery-Error-Code": "ERR_403_DEVELOPER_OVER_QPS",
            "X-Error-Detail-Header": "Account Over Queries Per Second Limit",
        ]
        let failure = TrafficFailure(.tomtom, status: 403, headers: headers, address: Self.address)
        #expect(failure.reason == .tooFast && failure.detail == "Account Over Queries Per Second Limit")
    }

    @Test func `a source is left alone for longer each time, and at least as long as it requests`() {
        let refused = TrafficFailure(.tomtom, .badKey)
        #expect(
            [1, 2, 3, 4, 5, 99].map { refused.coolDown(refusals: $0) }
                == [60, 120, 240, 480, 600, 600].map { .seconds($0) })
        let fast = TrafficFailure(.tomtom, .tooFast, retryAfter: .seconds(90))
        #expect(fast.coolDown(refusals: 1) == .seconds(90) && fast.coolDown(refusals: 4) == .seconds(240))
        #expect(
            TrafficFailure(.tomtom, .tooFast, retryAfter: .seconds(9e9)).coolDown(refusals: 1)
                == .seconds(3600))
    }

    @Test(arguments: TransportFault.allCases)
    func `a fault below HTTP never pauses a source`(fault: TransportFault) {
        let failure = TrafficFailure(.tomtom, fault: fault)
        #expect(
            !failure.pausesSource && (failure.reason == .offline) == [.noNetwork, .metered].contains(fault))
    }
}
