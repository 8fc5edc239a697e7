/// Reads what gpsd says: positions of the receiver, and ships that one for AIS hears.
struct GPSDReader: Sendable {
    /// What gpsd is told to have it say everything, a line.
    static let watch = "?WATCH={\"enable\":true,\"json\":true,\"scaled\":true}\n"
    /// What is known of ships besides their positions.
    private var names: [String: String] = [:]
    private static let shipLimit = 20_000
    private static let knots = 1852.0 / 3600

    /// Reads a line.
    /// - Returns: whether it is gpsd's; others are left alone.
    mutating func read(_ text: Bytes, into sink: inout FeatureSink) throws(InputFault) -> Bool {
        guard text.begins(with: "{\"class\":") else { return false }
        var members: [String: Bytes] = [:], cursor = JSONCursor(text)
        try cursor.members { cursor, name throws(InputFault) in members[name.text] = try cursor.value() }
        func number(_ name: String) -> Double? { members[name]?.jsonNumber }
        switch members["class"]?.jsonWords {
        case "TPV": sink.fixes.append(Self.fix(members))
        case "AIS": try ship(members).map { sink.features.append($0) }
        case "ERROR": throw InputFault("gpsd says: \(members["message"]?.jsonWords ?? "an error")")
        default: break
        }
        return true
    }

    private static func fix(_ members: [String: Bytes]) -> PositionFix {
        func number(_ name: String) -> Double? { members[name]?.jsonNumber }
        let time = members["time"].flatMap { $0.count > 2 ? $0.part(1..<$0.count - 1).moment : nil }
        guard (number("mode") ?? 0) >= 2, let latitude = number("lat"), let longitude = number("lon"), abs(latitude) <= 90 else {
            return PositionFix(place: nil, time: time)
        }
        let spread = number("eph") ?? number("epx").flatMap { x in number("epy").map { max(x, $0) } }
        let speed = number("speed")
        return PositionFix(
            place: Coordinate(latitude: latitude, longitude: longitude), accuracy: spread,
            // At rest the track is noise.
            heading: (speed ?? 1) >= 0.5 ? number("track") : nil, speed: speed,
            height: number("altMSL") ?? number("altHAE") ?? number("alt"), time: time)
    }

    private mutating func ship(_ members: [String: Bytes]) throws(InputFault) -> OverlayFeature? {
        guard let id = members["mmsi"]?.jsonWords else { return nil }
        if let name = members["shipname"]?.jsonWords, names.count < Self.shipLimit { names[id] = SafeText.sanitised(name, limit: 40) }
        guard let latitude = members["lat"]?.jsonNumber, let longitude = members["lon"]?.jsonNumber, abs(latitude) <= 90,
            abs(longitude) <= 180
        else { return nil }
        var packed: [UInt8] = []
        for (name, unit) in [("speed", " kn"), ("course", "°"), ("heading", "°"), ("status_text", ""), ("type", ""), ("destination", "")] {
            guard let value = members[name]?.jsonWords, !value.isEmpty else { continue }
            OverlayAttributes.append(name.utf8, (value + unit).utf8, to: &packed)
        }
        let heading = members["heading"]?.jsonNumber.flatMap { $0 < 360 ? $0 : nil } ?? members["course"]?.jsonNumber
        return OverlayFeature(
            .point(try GeoJSONFeatures.world(longitude, latitude)), id: "mmsi \(id)", name: names[id] ?? id, heading: heading ?? .nan,
            attributes: OverlayAttributes(packed: packed))
    }
}

/// Reads messages of aircraft in BaseStation's lines (SBS-1): callsigns, heights, speeds and positions come in lines
/// of their own.
struct AircraftReader: Sendable {
    private struct Aircraft { var callsign = "", height = "", speed = "", track = "" }
    private var known: [String: Aircraft] = [:]
    private static let limit = 20_000

    /// A message; nil for one without a position.
    mutating func read(_ line: Bytes) -> OverlayFeature? {
        let fields = TableColumns.fields(line, UInt8(ascii: ","))
        guard fields.count > 15, !fields[4].isEmpty, known[fields[4]] != nil || known.count < Self.limit else { return nil }
        var aircraft = known[fields[4]] ?? Aircraft()
        if !fields[10].isEmpty { aircraft.callsign = fields[10] }
        if !fields[11].isEmpty { aircraft.height = fields[11] }
        if !fields[12].isEmpty { aircraft.speed = fields[12] }
        if !fields[13].isEmpty { aircraft.track = fields[13] }
        known[fields[4]] = aircraft
        guard let latitude = fields[14].number(comma: false), let longitude = fields[15].number(comma: false),
            let point = try? GeoJSONFeatures.world(longitude, latitude)
        else { return nil }
        var packed: [UInt8] = []
        for (name, value, unit) in [("height", aircraft.height, " ft"), ("speed", aircraft.speed, " kn"), ("track", aircraft.track, "°")]
        where !value.isEmpty { OverlayAttributes.append(name.utf8, (value + unit).utf8, to: &packed) }
        return OverlayFeature(
            .point(point), id: fields[4], name: aircraft.callsign.isEmpty ? fields[4] : aircraft.callsign,
            heading: aircraft.track.number(comma: false) ?? .nan, attributes: OverlayAttributes(packed: packed))
    }
}
