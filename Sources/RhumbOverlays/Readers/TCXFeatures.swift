internal import RhumbBase

/// Creates features from Garmin's Training Center XML: each activity or course as a line.
struct TCXFeatures: XMLFeatures, Sendable {
    private enum Name {
        static let activity = XMLName("Activity"), course = XMLName("Course"),
            id = XMLName("Id")
        static let title = XMLName("Name"), sport = XMLName("Sport"),
            track = XMLName("Track")
        static let point = XMLName("Trackpoint"), time = XMLName("Time"),
            height = XMLName("AltitudeMeters")
        static let latitude = XMLName("LatitudeDegrees"),
            longitude = XMLName("LongitudeDegrees")
    }

    var line = 1
    var sink = FeatureSink()
    private var name = "", packed: [UInt8] = [], paths: [OverlayPath] = [], path = OverlayPathBuilder()
    private var latitude: Double?, longitude: Double?, height = Double.nan, time = Double.nan

    mutating func begin(
        _ element: XMLName, _ attributes: XMLAttributes, _ path: [XMLName]
    ) {
        switch element {
        case Name.activity, Name.course:
            name = ""
            packed = []
            paths = []
            if let sport = attributes[Name.sport] {
                OverlayAttributes.append("sport".utf8, sport, to: &packed)
            }
        case Name.point: (latitude, longitude, height, time) = (nil, nil, .nan, .nan)
        default: break
        }
    }

    mutating func end(_ element: XMLName, text: Bytes, _ path: [XMLName]) {
        let text = text.trimmed
        switch element {
        case Name.id, Name.title:
            if path.parent == Name.activity || path.parent == Name.course { name = text.text }
        case Name.time: if path.parent == Name.point { time = text.moment ?? .nan }
        case Name.height: if path.parent == Name.point { height = text.number(comma: true) ?? .nan }
        case Name.latitude: latitude = text.number(comma: true)
        case Name.longitude: longitude = text.number(comma: true)
        case Name.point: endPoint()
        case Name.track: self.path.finish().map { paths.append($0) }
        case Name.activity, Name.course:
            guard !paths.isEmpty else { return }
            sink.features.append(
                OverlayFeature(
                    .line(paths), name: name, isTrack: true, attributes: OverlayAttributes(packed: packed)))
        default: break
        }
    }

    /// Adds a point. A point without a position, such as during a pause indoors, isn't an error.
    private mutating func endPoint() {
        guard let latitude, let longitude else { return }
        guard let point = try? GeoJSONFeatures.world(longitude, latitude) else {
            return sink.faults.add("point out of range", line: line)
        }
        guard sink.take(points: 1) else { return sink.faults.add(FeatureSink.tooManyPoints, line: line) }
        path.append(point, height: height, time: time)
    }
}
