internal import RhumbBase
public import RhumbGeo
internal import RhumbOverlays
public import RhumbWeb

/// A way to ask for routes over HTTP.
public enum RouteEngineKind: String, Sendable, CaseIterable {
    /// OSRM's `route` service, version 1.
    case osrm
    /// Valhalla's `route`, asked for an answer as OSRM's.
    case valhalla
    /// TomTom's Calculate Route, version 1.
    case tomtom
    /// HERE's Routing, version 8.
    case here

    /// The modes that it has; OSRM's are those that its addresses are for.
    public var modes: Set<RouteMode> {
        switch self {
        case .osrm, .valhalla, .tomtom: Set(RouteMode.allCases)
        case .here: Set(RouteMode.allCases).subtracting([.motorcycle])
        }
    }

    /// Whether answers may be kept; TomTom's and HERE's terms forbid it.
    public var mayBeKept: Bool { self == .osrm || self == .valhalla }

    /// Whether it knows how traffic flows, so that a departure matters.
    public var knowsTraffic: Bool { self == .tomtom || self == .here }

    /// The zooms at which an engine has vector tiles of the roads that it knows: OSRM's `tile` service and
    /// Valhalla's.
    /// - Parameter template: what they are asked for by.
    /// - Returns: nil for a template of anything else.
    public static func graphZooms(of template: String) -> ClosedRange<Int>? {
        let parts = URLReference(template)
        if parts.path.contains("/tile/v1/"), parts.path.hasSuffix(".mvt") { return 12...14 }
        return parts.path.hasSuffix("/tile") && parts.query?.hasPrefix("json=") == true ? 7...14 : nil
    }

    /// Whether it tells what can be reached in a time.
    public var tellsReach: Bool { self != .osrm }
}

/// An engine at an address, with the key it needs: what makes requests and reads answers. It asks nobody.
public struct RouteEngine: Sendable {
    /// How it is asked.
    public let kind: RouteEngineKind
    /// What people call it.
    public let name: String
    /// Who must be thanked for its routes; may be empty.
    public let attribution: String
    /// Where it is by mode, keys filled in; one of all modes where the kind needs no other.
    public let bases: [RouteMode: HTTPAddress]
    /// Where it tells what can be reached, where that is another server.
    public let reachBase: HTTPAddress?

    /// An engine that is asked at these addresses.
    public init(
        _ kind: RouteEngineKind, name: String, attribution: String = "", bases: [RouteMode: HTTPAddress],
        reachBase: HTTPAddress? = nil
    ) {
        self.kind = kind
        self.name = name
        self.attribution = attribution
        self.bases = bases
        self.reachBase = reachBase
    }

    /// Where a route is asked for.
    /// - Throws: `RouteFailure`, for what can't be asked, or not of this engine.
    public func address(of request: RouteRequest) throws(RouteFailure) -> HTTPAddress {
        try request.check()
        let base = try base(for: request.mode)
        switch kind {
        case .osrm: return try OSRM.address(of: request, at: base)
        case .valhalla: return Valhalla.address(of: request, at: base)
        case .tomtom: return TomTomRouting.address(of: request, at: base)
        case .here: return HERERouting.address(of: request, at: base)
        }
    }

    /// The routes in an answer, the best first.
    /// - Throws: `RouteFailure`, for what is no route, and for one that begins or ends elsewhere.
    public func routes(_ body: [UInt8], to request: RouteRequest) throws(RouteFailure) -> [Route] {
        let routes: [Route]
        do throws(JSONFailure) {
            switch kind {
            case .osrm, .valhalla: routes = try OSRM.routes(body)
            case .tomtom: routes = try TomTomRouting.routes(body)
            case .here: routes = try HERERouting.routes(body)
            }
        } catch {
            throw refusal(body) ?? .nonsense("\(name): the response is \(error)")
        }
        guard !routes.isEmpty else { throw refusal(body) ?? .nonsense("\(name): the response has no route") }
        for route in routes { try RouteCheck(name: name, request: request).check(route) }
        return routes
    }

    /// Where heights along a line are asked for.
    /// - Throws: `RouteFailure`, for engines that tell none by themselves.
    public func address(ofHeights line: [Coordinate]) throws(RouteFailure) -> HTTPAddress {
        guard kind == .valhalla, let base = bases.values.first else {
            throw .unsupported("\(name) has no elevation; use Valhalla or HERE")
        }
        return Valhalla.address(ofHeights: line, at: base)
    }

    /// The heights in an answer to that.
    /// - Throws: `RouteFailure`, where it has none.
    public func heights(_ body: [UInt8], of places: Int) throws(RouteFailure) -> [Double?] {
        guard let heights = Valhalla.heights(body), heights.count == places else {
            throw .nonsense("\(name): the response has no elevation")
        }
        guard heights.contains(where: { $0 != nil }) else {
            throw .unsupported("\(name) has no elevation data there")
        }
        return heights
    }

    /// What an answer that is no route says of why; nil where it says nothing that is understood.
    public func refusal(_ body: [UInt8]) -> RouteFailure? {
        guard let json = try? JSON.parse(body) else { return nil }
        switch kind {
        case .osrm, .valhalla: return OSRM.refusal(json, name)
        case .tomtom: return TomTomRouting.refusal(json, name)
        case .here: return HERERouting.refusal(json, name)
        }
    }

    func base(for mode: RouteMode) throws(RouteFailure) -> HTTPAddress {
        if kind.modes.contains(mode), let base = bases[mode] { return base }
        let known = RouteMode.allCases.filter { kind.modes.contains($0) && bases[$0] != nil }.map(\.rawValue)
        throw .unsupported(
            "\(name) does not support mode \(mode.rawValue); use \(known.joined(separator: ", "))")
    }
}

/// The checks on a route from any engine.
struct RouteCheck {
    let name: String
    let request: RouteRequest

    func check(_ route: Route) throws(RouteFailure) {
        guard let first = route.line.first, let last = route.line.last, route.isPlausible else {
            throw .nonsense(
                "\(name): the response has a route without a line, or with an invalid length or duration")
        }
        try check(first, at: 0)
        try check(last, at: request.places.count - 1)
        guard route.line.count > 1 else { throw .samePlace }
    }

    /// Some engines begin at whatever road is nearest, thousands of kilometres away.
    private func check(_ end: Coordinate, at place: Int) throws(RouteFailure) {
        let distance = request.places[place].metres(to: end)
        guard distance > request.reach else { return }
        throw .noRoads(place: place, metres: distance)
    }
}

extension HTTPAddress {
    /// The address with more of a path and of a query; what it has of a query goes first.
    func appending(path: String, query: [(name: String, value: String)] = []) -> HTTPAddress {
        var parts = URLReference(url)
        parts.path = (parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path) + path
        let items = query.map { "\($0.name)=\($0.value)" }
        let whole = (parts.query.map { [$0] } ?? []).filter { !$0.isEmpty } + items
        parts.query = whole.isEmpty ? nil : whole.joined(separator: "&")
        return HTTPAddress(parts.description, secrets: secrets)
    }
}

extension Double {
    /// With so many decimals at most and no exponent, as addresses have it.
    func plain(_ decimals: Int = 6) -> String {
        let scale = Polyline.power(decimals), units = Int((magnitude * scale).rounded())
        let fraction = String(units % Int(scale)),
            zeros = String(repeating: "0", count: decimals - fraction.utf8.count)
        var text = "\(units / Int(scale)).\(zeros)\(fraction)"
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return self < 0 && text != "0" ? "-" + text : text
    }
}

extension Coordinate {
    /// "43.7312,7.4189"
    var latitudeFirst: String { "\(latitude.plain()),\(longitude.plain())" }
    /// "7.4189,43.7312"
    var longitudeFirst: String { "\(longitude.plain()),\(latitude.plain())" }
}
