/// Reads BaseStation (SBS-1) messages of aircraft. Callsigns, heights, speeds and positions arrive in
/// separate lines.
struct AircraftReader: Sendable {
    private var aircraft = MovingMarks("")
    private var tracks: [String: Double] = [:]
    private static let limit = 20_000

    /// Reads a message; nil if it changes nothing that is visible.
    mutating func read(_ line: Bytes) -> OverlayFeature? {
        let fields = TableColumns.fields(line, UInt8(ascii: ","))
        guard fields.count > 15, !fields[4].isEmpty else { return nil }
        let id = fields[4]
        if let track = fields[13].number(comma: false) {
            if tracks.count >= Self.limit { tracks = [:] }
            tracks[id] = track
        }
        func fact(_ name: String, _ at: Int, _ unit: String) -> (name: String, value: String) {
            (name, fields[at].isEmpty ? "" : fields[at] + unit)
        }
        let changed = aircraft.update(
            id, name: fields[10],
            [fact("height", 11, " ft"), fact("speed", 12, " kn"), fact("track", 13, "°")])
        guard let latitude = fields[14].number(comma: false), let longitude = fields[15].number(comma: false)
        else { return changed }
        return (try? aircraft.move(id, longitude, latitude, heading: tracks[id], [])) ?? changed
    }
}
