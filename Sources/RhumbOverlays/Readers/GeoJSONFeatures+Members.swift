internal import RhumbBase

/// The coordinate systems of GeoJSON before RFC 7946, and the members that JSON-FG (OGC 21-045) adds.
extension GeoJSONFeatures {
    /// The EPSG codes from 4000 to 4999 of projected systems.
    static let projectedCodes = [
        4026...4026, 4037...4038, 4048...4051, 4056...4071, 4082...4100, 4217...4217, 4390...4462,
        4467...4467, 4471...4471, 4474...4474, 4484...4489, 4491...4554, 4559...4589, 4647...4656,
        4766...4800, 4812...4812, 4822...4822, 4826...4880,
    ]

    /// Returns the name, address or code of a coordinate system; nil for null and other values.
    static func referenceName(_ text: Bytes) -> String? {
        guard let reference = try? JSON.parse(Array(text)), reference.object != nil else { return nil }
        let properties = reference["properties"]
        if let name = properties?["name"]?.string ?? properties?["href"]?.string { return name }
        // The form before GeoJSON 1.0.
        guard let code = properties?["code"], let type = reference["type"]?.string else { return text.text }
        return "\(type):" + (code.string ?? code.int.map { "\($0)" } ?? "")
    }

    /// The reason why a feature whose position is only in the member "place" is not shown.
    static let placeFault =
        "its position is only in the member \"place\" of JSON-FG, which is not read; convert the file with "
        + "ogr2ogr -f GeoJSON -t_srs EPSG:4326"

    /// Returns the time of a feature in JSON-FG, or the start of its interval, in seconds since 1970; NaN if
    /// it has none.
    static func featureTime(_ text: Bytes) -> Double {
        guard text.first == UInt8(ascii: "{"), let time = try? JSON.parse(Array(text)) else { return .nan }
        let moment = time["timestamp"] ?? time["date"] ?? time["interval"]?.array?.first
        guard let words = moment?.string else { return .nan }
        return Array(words.utf8).withUnsafeBufferPointer { $0.moment ?? .nan }
    }
}
