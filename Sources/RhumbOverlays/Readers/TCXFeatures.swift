internal import RhumbBase
internal import RhumbGeo

/// Creates features from Garmin's Training Center XML: each activity or course as a line, and the points of a
/// course, such as its turns and summits.
struct TCXFeatures: XMLFeatures, Sendable {
    private enum Name {
        static let extensions = XMLName("Extensions")
        static let activity = XMLName("Activity"), course = XMLName("Course"),
            id = XMLName("Id")
        static let title = XMLName("Name"), sport = XMLName("Sport"),
            track = XMLName("Track")
        static let coursePoint = XMLName("CoursePoint"), kind = XMLName("PointType"), notes = XMLName("Notes")
        static let point = XMLName("Trackpoint"), time = XMLName("Time"),
            height = XMLName("AltitudeMeters")
        static let latitude = XMLName("LatitudeDegrees"),
            longitude = XMLName("LongitudeDegrees")
    }

    static let namespaces = ["garmin.com/xmlschemas/trainingcenterdatabase/"]
    var line = 1
    var sink = FeatureSink()
    private var name = "", packed: [UInt8] = [], paths: [OverlayPath] = [], path = OverlayPathBuilder()
    private var pointName = "", pointText: [UInt8] = []
    private var latitude: Double?, longitude: Double?, height = Double.nan, time = Double.nan

    mutating func begin(
        _ element: XMLName, _ attributes: XMLAttributes, _ path: [XMLName]
    ) {
        guard !path.contains(Name.extensions) else { return }
        switch element {
        case Name.activity, Name.course:
            name = ""
            packed = []
            paths = []
            if let sport = attributes[Name.sport] {
                OverlayAttributes.append("sport".utf8, sport, to: &packed)
            }
        case Name.point: beginPoint()
        case Name.coursePoint:
            pointName = ""
            pointText = []
            beginPoint()
        default: break
        }
    }

    private mutating func beginPoint() {
        latitude = nil
        longitude = nil
        height = .nan
        time = .nan
    }

    mutating func end(_ element: XMLName, text: Bytes, _ path: [XMLName]) {
        guard !path.contains(Name.extensions) else { return }
        let text = text.trimmed
        switch element {
        case Name.id, Name.title:
            if path.parent == Name.activity || path.parent == Name.course { name = text.text }
            if path.parent == Name.coursePoint { pointName = text.text }
        case Name.kind, Name.notes: if path.parent == Name.coursePoint { takeText(element, text) }
        case Name.time: if path.isInTCXPoint { time = sink.time(text, line: line) }
        case Name.height: if path.isInTCXPoint { height = sink.height(text, line: line) }
        // NaN is out of range.
        case Name.latitude: latitude = text.number(comma: true) ?? .nan
        case Name.longitude: longitude = text.number(comma: true) ?? .nan
        case Name.point: if let point = takePoint() { self.path.append(point, height: height, time: time) }
        case Name.coursePoint: endCoursePoint()
        case Name.track: self.path.finish().map { paths.append($0) }
        case Name.activity, Name.course:
            guard !paths.isEmpty else { return }
            sink.features.append(
                OverlayFeature(
                    .line(paths), name: name, isTrack: true, attributes: OverlayAttributes(packed: packed)))
        default: break
        }
    }

    private mutating func takeText(_ element: XMLName, _ text: Bytes) {
        guard !text.isEmpty, pointText.count < 1 << 16 else { return }
        let key = element == Name.kind ? "type" : "description"
        OverlayAttributes.append(key.utf8, text.prefix(2000), to: &pointText)
    }

    private mutating func endCoursePoint() {
        guard let point = takePoint() else { return }
        if !height.isNaN { OverlayAttributes.append("height".utf8, "\(height)".utf8, to: &pointText) }
        sink.features.append(
            OverlayFeature(
                .point(point), name: pointName, time: time, attributes: OverlayAttributes(packed: pointText))
        )
    }

    /// Returns the position of a point. A point without one, such as during a pause indoors, isn't an error.
    private mutating func takePoint() -> WorldPoint? {
        guard let latitude, let longitude else { return nil }
        guard let point = try? GeoJSONFeatures.world(longitude, latitude) else {
            sink.faults.add("point out of range", line: line)
            return nil
        }
        guard sink.take(points: 1) else {
            sink.faults.add(FeatureSink.tooManyPoints, line: line)
            return nil
        }
        return point
    }
}

extension [XMLName] {
    /// True if the element is in a point of a track or course.
    fileprivate var isInTCXPoint: Bool {
        parent == XMLName("Trackpoint") || parent == XMLName("CoursePoint")
    }
}
