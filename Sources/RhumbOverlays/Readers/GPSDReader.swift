internal import RhumbGeo

/// Reads gpsd messages: positions of the receiver, and ships received by AIS.
struct GPSDReader: Sendable {
    private var ships = MovingMarks("mmsi ")

    /// Reads a line.
    /// - Returns: False if the line isn't from gpsd.
    mutating func read(_ text: Bytes, into sink: inout FeatureSink) throws(InputFault) -> Bool {
        guard text.begins(with: "{\"class\":") else { return false }
        var members: [String: Bytes] = [:], cursor = JSONCursor(text)
        try cursor.members { cursor, name throws(InputFault) in members[name.text] = try cursor.value() }
        switch members["class"]?.jsonWords {
        case "TPV": sink.fixes.append(Self.fix(members))
        case "AIS": try ship(members).map { sink.features.append($0) }
        case "ERROR": throw InputFault("gpsd: \(members["message"]?.jsonWords ?? "an error")")
        default: break
        }
        return true
    }

    private static func fix(_ members: [String: Bytes]) -> PositionFix {
        func number(_ name: String) -> Double? { members[name]?.jsonNumber }
        let time = members["time"].flatMap { $0.count > 2 ? $0.part(1..<$0.count - 1).moment : nil }
        guard (number("mode") ?? 0) >= 2, let latitude = number("lat"), let longitude = number("lon"),
            abs(latitude) <= 90
        else {
            return PositionFix(place: nil, time: time)
        }
        let spread = number("eph") ?? number("epx").flatMap { x in number("epy").map { max(x, $0) } }
        let speed = number("speed")
        return PositionFix(
            place: Coordinate(latitude: latitude, longitude: longitude), accuracy: spread,
            // At rest, the track is noise.
            heading: (speed ?? 1) >= 0.5 ? number("track") : nil, speed: speed,
            height: number("altMSL") ?? number("altHAE") ?? number("alt"), time: time)
    }

    private mutating func ship(_ members: [String: Bytes]) throws(InputFault) -> OverlayFeature? {
        guard let id = members["mmsi"].map({ MovingMarks.mmsi($0.jsonWords) }) else { return nil }
        let named = members["shipname"].flatMap { name in
            ships.update(
                id, name: name.jsonWords, [("destination", members["destination"]?.jsonWords ?? "")])
        }
        guard let latitude = members["lat"]?.jsonNumber, let longitude = members["lon"]?.jsonNumber,
            abs(latitude) <= 90,
            abs(longitude) <= 180
        else { return named }
        var facts: [(name: String, value: String)] = []
        for (name, unit) in [
            ("speed", " kn"), ("course", "°"), ("heading", "°"), ("status_text", ""), ("type", ""),
        ] {
            if let value = members[name]?.jsonWords, !value.isEmpty { facts.append((name, value + unit)) }
        }
        let heading =
            members["heading"]?.jsonNumber.flatMap { $0 < 360 ? $0 : nil } ?? members["course"]?.jsonNumber
        return try ships.move(id, longitude, latitude, heading: heading, facts)
    }
}
