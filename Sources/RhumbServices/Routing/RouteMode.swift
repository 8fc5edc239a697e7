internal import RhumbBase
internal import RhumbGeo

/// The means of travel.
public enum RouteMode: String, Sendable, CaseIterable {
    case car, bicycle, foot, truck, bus, motorcycle
}

/// A kind of road that a route avoids where possible.
public enum RouteAvoidance: String, Sendable, CaseIterable {
    case tolls, motorways, ferries
}

/// The size and weight of a vehicle. The engine's default applies where a value is nil.
public struct RouteVehicle: Hashable, Sendable {
    /// Height in metres.
    public var height: Double?
    /// Width in metres.
    public var width: Double?
    /// Length in metres.
    public var length: Double?
    /// Total weight in tonnes.
    public var weight: Double?
    /// Weight per axle in tonnes.
    public var axleLoad: Double?
    /// True if the vehicle carries dangerous goods.
    public var isHazardous = false

    /// Creates a vehicle with the engine's defaults.
    public init() {}

    /// True if nothing is specified.
    public var isPlain: Bool { self == RouteVehicle() }

    /// A summary such as "4.2 m high, 40 t"; empty if nothing is specified.
    public var text: String {
        let sizes = [
            height.map { "\($0.plain(2)) m high" }, width.map { "\($0.plain(2)) m wide" },
            length.map { "\($0.plain(2)) m long" },
            weight.map { "\($0.plain(2)) t" }, axleLoad.map { "\($0.plain(2)) t per axle" },
            isHazardous ? "dangerous goods" : nil,
        ]
        return sizes.compactMap(\.self).joined(separator: ", ")
    }
}

/// The time of departure.
public enum RouteDeparture: Hashable, Sendable {
    case now
    /// Local time at the start of the route, such as "2026-11-22T17:00".
    case at(String)

    /// Parses "now" or a local time such as "2026-11-22T17:00"; nil for anything else and for dates that
    /// don't exist.
    public init?(_ text: String) {
        if text == "now" {
            self = .now
            return
        }
        guard text.utf8.count == 16, text.contains("T"), text.dropLast(2).last == ":", text.last != "Z",
            case .moment? = MapTime(text)
        else { return nil }
        self = .at(text)
    }
}
