public import RhumbBase
public import RhumbGeo
public import RhumbWeb

/// TomTom's Incident Details service, version 5.
public enum IncidentDetails {
    /// Maximum area of a requested box, in square metres on the ground.
    static let largestArea = 10_000e6

    /// Returns the address of a request for the incidents near a place.
    /// - Parameters:
    ///   - base: "https://api.tomtom.com" or a substitute, without a trailing slash.
    ///   - key: The unencoded key. Descriptions of the address don't contain it.
    ///   - radius: Radius in metres, clamped to the service's limits.
    ///   - model: The traffic model; nil for the newest.
    public static func address(
        base: String, key: String, around place: Coordinate, radius: Double, model: TrafficModel? = nil
    ) -> HTTPAddress {
        let secret = PercentCoding.encoded(key)
        var items = [
            "key=\(secret)", "bbox=\(box(around: place, radius: radius))",
            "fields=\(PercentCoding.encoded(fields))", "language=en-GB",
            "timeValidityFilter=present",
        ]
        if let model { items.append("t=\(model.encoded)") }
        return HTTPAddress(
            "\(base)/traffic/services/5/incidentDetails?" + items.joined(separator: "&"),
            secrets: [key, secret])
    }

    private static let fields =
        "{incidents{type,geometry{type,coordinates},properties{id,iconCategory,magnitudeOfDelay,"
        + "events{description,code,iconCategory},startTime,endTime,from,to,length,delay,roadNumbers}}}"

    /// Returns the box as minLon,minLat,maxLon,maxLat in degrees.
    private static func box(around place: Coordinate, radius: Double) -> String {
        let longest = largestArea.squareRoot() / 2
        let metres = radius.isFinite ? min(max(radius, 50), longest * 0.99) : 1000
        let degree = Mercator.earthRadius * .pi / 180
        let up = metres / degree
        let across = metres / (degree * max(cosine(ofDegrees: place.latitude), 0.01))
        let edges = [
            max(place.longitude - across, -180), max(place.latitude - up, -90),
            min(place.longitude + across, 180), min(place.latitude + up, 90),
        ]
        return edges.map { $0.plain() }.joined(separator: ",")
    }

    private static func cosine(ofDegrees latitude: Double) -> Double {
        Mercator.metresPerPixel(latitude: latitude, zoom: 0) / Mercator.metresPerPixel(latitude: 0, zoom: 0)
    }

    /// Parses a response. Drops invalid members of incidents, and incidents without an id.
    /// - Throws: `JSONFailure`.
    public static func read(_ body: [UInt8]) throws(JSONFailure) -> [TrafficIncident] {
        let document = try JSON.parse(body)
        return (document["incidents"]?.array ?? []).prefix(1000).compactMap(incident)
    }

    private static func incident(_ json: JSON) -> TrafficIncident? {
        guard let facts = json["properties"], let id = text(facts["id"]) else { return nil }
        var incident = TrafficIncident(id: id)
        incident.category = facts["iconCategory"]?.int.flatMap(TrafficIncident.Category.init) ?? .unknown
        incident.magnitude =
            facts["magnitudeOfDelay"]?.int.flatMap(TrafficIncident.Magnitude.init) ?? .unknown
        incident.events = (facts["events"]?.array ?? []).prefix(20).compactMap { text($0["description"]) }
        incident.roads = (facts["roadNumbers"]?.array ?? []).prefix(20).compactMap(text)
        incident.from = text(facts["from"])
        incident.to = text(facts["to"])
        incident.start = text(facts["startTime"])
        incident.end = text(facts["endTime"])
        incident.length = amount(facts["length"])
        incident.delay = amount(facts["delay"])
        incident.places = places(json["geometry"])
        return incident
    }

    private static func text(_ json: JSON?) -> String? {
        json?.string.map { SafeText.sanitised($0, limit: 200) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func amount(_ json: JSON?) -> Double? {
        json?.double.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    private static func places(_ geometry: JSON?) -> [Coordinate] {
        let list = geometry?["coordinates"]?.array ?? []
        return geometry?["type"]?.string == "Point"
            ? [place(.array(list))].compactMap(\.self) : list.prefix(10_000).compactMap(place)
    }

    private static func place(_ json: JSON) -> Coordinate? {
        guard let pair = json.array?.prefix(2).compactMap(\.double), pair.count == 2 else { return nil }
        return Coordinate(latitude: pair[1], longitude: pair[0])
    }
}
