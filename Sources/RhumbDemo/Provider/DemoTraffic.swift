internal import RhumbCore
internal import Synchronization

/// Simulates the traffic services of TomTom and HERE over a fictional worldwide road network, for tests and
/// for users without a key. Every key except "bad" and "" is valid.
///
/// For manual tests, `/demo/model` publishes a new model, `/demo/fault/429` sets a fault (see `DemoFault`),
/// and `/demo/fault/none` clears it.
public final class DemoTraffic: Sendable {
    /// A marker in every tile that must not be stored on disk.
    public static let marker = "rhumb-demo-tile-never-to-be-stored"
    /// A marker in every tile that may be stored.
    public static let harmlessMarker = "rhumb-demo-tile-that-may-be-stored"
    /// The number of seconds between models.
    static let modelSeconds = 60

    struct State {
        var fault: DemoFault?
        var extraModels = 0
        var requests: [String] = []
    }
    private let state = Mutex(State())
    private let seconds: @Sendable () -> Int

    /// Creates a provider.
    /// - Parameter seconds: Returns the time in seconds since 1970, which tests can control.
    public init(seconds: @escaping @Sendable () -> Int) { self.seconds = seconds }

    /// The current fault; nil if there is none.
    public var fault: DemoFault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Publishes a new model ahead of time.
    public func renew() { state.withLock { $0.extraModels += 1 } }

    /// The paths of the most recent requests, up to a thousand, without their queries.
    public var requests: [String] { state.withLock { $0.requests } }

    /// Answers a request; see `DemoServer`.
    public func answer(_ request: DemoRequest) -> DemoReply {
        state.withLock { state in
            if state.requests.count >= 1000 { state.requests.removeFirst(500) }
            state.requests.append(String(request.target.prefix { $0 != "?" }))
        }
        let path = request.path
        switch path.first {
        case "demo": return control(Array(path.dropFirst()))
        case "v3": return here(request, Array(path.dropFirst()))
        case "traffic", "maps": return tomtom(request, path)
        default: return DemoReply(404)
        }
    }

    private func control(_ path: [String]) -> DemoReply {
        switch (path.first, path.count > 1 ? DemoFault(rawValue: path[1]) : nil) {
        case ("model", _): renew()
        case ("fault", let fault?): self.fault = fault
        case ("fault", nil) where path.last == "none": fault = nil
        default: return DemoReply(404)
        }
        return DemoReply(200, body: Array("done\n".utf8))
    }

    /// The current moment, in minutes.
    var moment: Int { seconds() / DemoTraffic.modelSeconds + state.withLock { $0.extraModels } }
    /// The number of seconds since the model was created.
    var age: Int { seconds() % DemoTraffic.modelSeconds }
    /// The identifier of the newest model.
    var model: String { DemoTraffic.model(of: moment) }

    static func model(of moment: Int) -> String { "\(moment * modelSeconds)" }

    /// Returns the moment of a model, or the newest moment if `model` is nil; nil if the model is too old.
    func moment(of model: String?) -> Int? {
        guard let model, model != "-1" else { return moment }
        guard fault != .oldModel else { return nil }
        return [moment, moment - 1].first { DemoTraffic.model(of: $0) == model }
    }
}

/// TomTom's Incident Details service, version 5.
extension DemoTraffic {
    func details(_ request: DemoRequest, _ path: [String]) -> DemoReply {
        let edges = (request.query("bbox") ?? "").split(separator: ",").compactMap { Double($0) }
        guard path == ["incidentDetails"], let bounds = Bounds(edges: edges),
            let box = bounds.worldBoxes.first, box.maxX - box.minX < 0.02
        else { return .invalid("bbox") }
        guard let moment = moment(of: request.query("t")) else {
            return .invalid("traffic model id out of date")
        }
        let incidents = DemoIncident.near(box, upTo: 13, moment: moment).filter {
            bounds.contains(Mercator.coordinate($0.place))
        }
        return DemoReply.json(200, ["incidents": .array(incidents.prefix(100).map(json))])
            .adding([TrafficModel.header: DemoTraffic.model(of: moment)])
    }

    private func json(_ incident: DemoIncident) -> JSON {
        let line = incident.line.map { point -> JSON in
            let place = Mercator.coordinate(point)
            return [.number(place.longitude), .number(place.latitude)]
        }
        let delay = incident.magnitude * 150
        return [
            "type": "Feature",
            "geometry": ["type": "LineString", "coordinates": .array(line)],
            "properties": [
                "id": .string(incident.id), "iconCategory": .integer(incident.category),
                "magnitudeOfDelay": .integer(incident.magnitude),
                "events": [
                    ["description": .string(words(incident)), "iconCategory": .integer(incident.category)]
                ],
                "roadNumbers": [.string("D\(incident.road.level).\(abs(incident.road.index) % 100)")],
                "from": .string("Exit \(abs(incident.stretch) % 90)"),
                "to": .string("Exit \(abs(incident.stretch) % 90 + 1)"),
                "length": .integer(300 * incident.magnitude),
                "delay": incident.category == 8 ? .null : .integer(delay),
            ],
        ]
    }

    func words(_ incident: DemoIncident) -> String {
        switch incident.category {
        case 1: "Accident"
        case 7: "Lane closed"
        case 8: "Closed"
        case 9: "Roadworks"
        default: incident.magnitude > 2 ? "Stationary traffic" : "Queuing traffic"
        }
    }
}

/// HERE's Traffic Raster Tile service, version 3. Tiles change every other minute and have validators.
extension DemoTraffic {
    /// Returns the reply to flow/mc/{z}/{x}/{y}/png.
    func here(_ request: DemoRequest, _ path: [String]) -> DemoReply {
        switch fault {
        case .badKey: return DemoTraffic.unauthorized
        case .tooFast:
            return .json(429, ["title": "Too many requests", "status": 429]).adding(["Retry-After": "60"])
        case .outage, .wrongVersion: return DemoReply(fault == .outage ? 503 : 404)
        case .oldModel, .damage, nil: break
        }
        let key = request.query("apiKey") ?? ""
        guard key != "" && key != "bad" else { return DemoTraffic.unauthorized }
        guard path.count == 6, path[0] == "flow", path[1] == "mc", path[5] == "png",
            let tile = DemoTraffic.tile(path[2...4], ""), let side = side(request.query("size") ?? "512")
        else {
            return .json(
                400,
                ["title": "Malformed request", "status": 400, "code": "E622001", "cause": "no such tile"])
        }
        return flow(tile, side, request)
    }

    private static var unauthorized: DemoReply {
        .json(401, ["error": "Unauthorized", "error_description": "apiKey invalid. apiKey not found."])
    }

    private func flow(_ tile: TileID, _ side: Int, _ request: DemoRequest) -> DemoReply {
        let moment = moment / 2 * 2
        let etag = "\"\(moment)-\(tile.zoom)-\(tile.x)-\(tile.y)-\(side)\""
        let made = UnixSeconds(Int64(moment * DemoTraffic.modelSeconds))
        let headers: HTTPHeaders = ["ETag": etag, "Last-Modified": "\(made)", "Cache-Control": "max-age=60"]
        if request.headers.first("If-None-Match") == etag { return DemoReply(304, headers: headers) }
        let file = DemoPicture.flow(
            tile, side: side, moment: moment, width: 3, marker: DemoTraffic.harmlessMarker
        ) { share, _ in DemoPalette.here(share) }
        return DemoReply.png(file).adding(headers)
    }
}
