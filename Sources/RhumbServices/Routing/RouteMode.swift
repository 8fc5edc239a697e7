internal import RhumbBase

/// A travel mode.
public enum RouteMode: String, Sendable, CaseIterable {
    case car, bicycle, foot, truck, bus, motorcycle
}

/// A kind of road that a route avoids if possible.
public enum RouteAvoidance: String, Sendable, CaseIterable {
    case tolls, motorways, ferries
}

/// The size and weight of a vehicle; nil for the engine's default.
public struct RouteVehicle: Hashable, Sendable {
    /// In metres.
    public var height: Double?
    /// In metres.
    public var width: Double?
    /// In metres.
    public var length: Double?
    /// Of all of it, in tonnes.
    public var weight: Double?
    /// In tonnes.
    public var axleLoad: Double?
    /// True if it carries dangerous goods.
    public var isHazardous = false

    /// A vehicle without known properties.
    public init() {}

    /// True if no property is known.
    public var isPlain: Bool { self == RouteVehicle() }

    /// A text such as "4.2 m high, 40 t"; empty if no property is known.
    public var words: String {
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
    /// By the clocks where the route begins, as "2026-11-22T17:00".
    case at(String)

    /// Reads "now", or a day and a time as "2026-11-22T17:00"; nil for anything else, and for days that there
    /// are not.
    public init?(_ text: String) {
        if text == "now" {
            self = .now
            return
        }
        let letters = Array(text.utf8)
        guard letters.count == 16, letters[4] == 0x2D, letters[7] == 0x2D, letters[10] == 0x54,
            letters[13] == 0x3A
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            letters[range].allSatisfy { (48...57).contains($0) }
                ? Int64(String(decoding: letters[range], as: UTF8.self)) : nil
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16),
            CivilDate(year: year, month: month, day: day, hour: hour, minute: minute).seconds != nil
        else { return nil }
        self = .at(text)
    }
}
