internal import RhumbBase
public import RhumbGeo
public import RhumbWeb

/// The HTTP API of a routing engine.
public enum RouteEngineKind: String, Sendable, CaseIterable {
    /// OSRM's `route` service, version 1.
    case osrm
    /// Valhalla's `route` service, with responses in OSRM's form.
    case valhalla
    /// TomTom's Calculate Route, version 1.
    case tomtom
    /// HERE's Routing, version 8.
    case here

    /// The supported travel modes. OSRM's depend on the addresses configured for it.
    public var modes: Set<RouteMode> {
        switch self {
        case .osrm, .valhalla, .tomtom: Set(RouteMode.allCases)
        case .here: Set(RouteMode.allCases).subtracting([.motorcycle])
        }
    }

    /// True if responses may be stored; TomTom's and HERE's terms forbid it.
    public var mayBeStored: Bool { self == .osrm || self == .valhalla }

    /// Returns the zooms at which an engine offers vector tiles of its road graph: OSRM's `tile` service and
    /// Valhalla's.
    /// - Parameter template: The URL template of the tiles.
    /// - Returns: nil for any other template.
    public static func graphZooms(of template: String) -> ClosedRange<Int>? {
        let parts = URLReference(template)
        if parts.path.contains("/tile/v1/"), parts.path.hasSuffix(".mvt") { return 12...14 }
        return parts.path.hasSuffix("/tile") && parts.query?.hasPrefix("json=") == true ? 7...14 : nil
    }

    /// True if the engine computes isochrones.
    public var tellsReach: Bool { self != .osrm }
}

/// A routing engine at an address, with its key. Builds requests and parses responses, without any network
/// access.
public struct RouteEngine: Sendable {
    /// The engine's API.
    public let kind: RouteEngineKind
    /// The engine's display name.
    public let name: String
    /// The attribution that must be shown with its routes; may be empty.
    public let attribution: String
    /// The base addresses by travel mode, with keys filled in. All modes share one where the API allows it.
    public let bases: [RouteMode: HTTPAddress]
    /// The base address for isochrones; nil if it is the same server.
    public let reachBase: HTTPAddress?

    /// Creates an engine at these addresses.
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

    /// Returns the address of a route request.
    /// - Throws: `RouteFailure` if the request is invalid or this engine doesn't support it.
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

    /// Parses the routes of a response, best first.
    /// - Throws: `RouteFailure` if the response has no route, or one that begins or ends too far from the
    ///   requested places.
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

    /// Returns the address of a request for heights along a line.
    /// - Throws: `RouteFailure` if the engine has no height service.
    public func address(ofHeights line: [Coordinate]) throws(RouteFailure) -> HTTPAddress {
        guard kind == .valhalla, let base = bases.values.first else {
            throw .unsupported("\(name) has no elevation; use Valhalla or HERE")
        }
        return Valhalla.address(ofHeights: line, at: base)
    }

    /// Parses the heights of the response to that request.
    /// - Throws: `RouteFailure` if the response has no heights.
    public func heights(_ body: [UInt8], of count: Int) throws(RouteFailure) -> [Double?] {
        guard let heights = Valhalla.heights(body), heights.count == count else {
            throw .nonsense("\(name): the response has no elevation")
        }
        guard heights.contains(where: { $0 != nil }) else {
            throw .unsupported("\(name) has no elevation data there")
        }
        return heights
    }

    /// Returns the reason that an error response gives; nil if it gives none that is understood.
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
        let modes = RouteMode.allCases.filter { kind.modes.contains($0) && bases[$0] != nil }.map(\.rawValue)
        throw .unsupported(
            "\(name) does not support mode \(mode.rawValue); use \(modes.joined(separator: ", "))")
    }
}

/// Validates a route of any engine.
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

    /// Rejects a distant end: some engines start at the nearest road, even thousands of kilometres away.
    private func check(_ end: Coordinate, at index: Int) throws(RouteFailure) {
        let distance = request.places[index].metres(to: end)
        guard distance > request.reach else { return }
        throw .noRoads(place: index, metres: distance)
    }
}

extension HTTPAddress {
    /// Returns the address with a path and query items appended.
    func appending(path: String, query: [(name: String, value: String)] = []) -> HTTPAddress {
        var parts = URLReference(url)
        parts.path = parts.path.withoutFinalSlash + path
        let items = query.map { "\($0.name)=\($0.value)" }
        let whole = (parts.query.map { [$0] } ?? []).filter { !$0.isEmpty } + items
        parts.query = whole.isEmpty ? nil : whole.joined(separator: "&")
        return HTTPAddress(parts.description, secrets: secrets)
    }
}

extension Coordinate {
    /// "43.7312,7.4189"
    var latitudeFirst: String { "\(latitude.plain()),\(longitude.plain())" }
    /// "7.4189,43.7312"
    var longitudeFirst: String { "\(longitude.plain()),\(latitude.plain())" }
}
