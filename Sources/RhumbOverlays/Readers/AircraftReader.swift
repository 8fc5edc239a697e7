/// Reads BaseStation (SBS-1) messages of aircraft. Callsigns, heights, speeds and positions arrive in
/// separate lines.
struct AircraftReader: Sendable {
    private struct Aircraft { var callsign = "", height = "", speed = "", track = "" }
    private var known: [String: Aircraft] = [:]
    private static let limit = 20_000

    /// Reads a message; nil if it has no position.
    mutating func read(_ line: Bytes) -> OverlayFeature? {
        let fields = TableColumns.fields(line, UInt8(ascii: ","))
        guard fields.count > 15, !fields[4].isEmpty, known[fields[4]] != nil || known.count < Self.limit
        else { return nil }
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
        for (name, value, unit) in [
            ("height", aircraft.height, " ft"), ("speed", aircraft.speed, " kn"),
            ("track", aircraft.track, "°"),
        ]
        where !value.isEmpty { OverlayAttributes.append(name.utf8, (value + unit).utf8, to: &packed) }
        return OverlayFeature(
            .point(point), id: fields[4], name: aircraft.callsign.isEmpty ? fields[4] : aircraft.callsign,
            heading: aircraft.track.number(comma: false) ?? .nan,
            attributes: OverlayAttributes(packed: packed))
    }
}
