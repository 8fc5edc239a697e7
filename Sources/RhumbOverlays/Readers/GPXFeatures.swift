internal import RhumbBase
internal import RhumbGeo

/// Creates features from GPX 1.0 and 1.1: tracks and routes as lines, waypoints as points.
struct GPXFeatures: XMLFeatures, Sendable {
    private enum Name {
        static let latitude = XMLName("lat"), longitude = XMLName("lon")
        static let track = XMLName("trk"), segment = XMLName("trkseg"),
            trackPoint = XMLName("trkpt")
        static let route = XMLName("rte"), routePoint = XMLName("rtept"),
            waypoint = XMLName("wpt")
        /// The points of the road between two points of a route, according to Garmin.
        static let shapingPoint = XMLName("rpt"), shape = XMLName("RoutePointExtension")
        static let height = XMLName("ele"), time = XMLName("time"),
            title = XMLName("name")
        static let metadata = XMLName("metadata"), root = XMLName("gpx"), extensions = XMLName("extensions")
        static let colours = [
            XMLName("DisplayColor"), XMLName("color"), XMLName("Color"),
        ]
        static let width = XMLName("width")
        static let attributes: [XMLName: String] = [
            XMLName("desc"): "description", XMLName("cmt"): "comment",
            XMLName("type"): "type",
            XMLName("sym"): "symbol", XMLName("src"): "source",
            XMLName("number"): "number",
        ]
    }

    static let namespaces = ["topografix.com/gpx/1/"]
    var line = 1
    var sink = FeatureSink()
    private var point: WorldPoint?
    private var height = Double.nan, time = Double.nan
    /// The points of the road after the current point of a route.
    private var shapingPoints: [WorldPoint] = []
    private var path = OverlayPathBuilder()
    private var paths: [OverlayPath] = []
    private var name = "", packed: [UInt8] = [], styleBuilder = OverlayStyleBuilder()

    mutating func begin(
        _ element: XMLName, _ attributes: XMLAttributes, _ path: [XMLName]
    ) {
        if path.count == 1, element != Name.root {
            sink.faults.add("the XML is not GPX, KML or TCX", line: line)
        }
        guard !path.contains(Name.extensions) else {
            if element.local == Name.shapingPoint, path.parent?.local == Name.shape,
                path.contains(Name.routePoint), let point = place(attributes)
            {
                shapingPoints.append(point)
            }
            return
        }
        switch element {
        case Name.trackPoint where path.parent == Name.segment,
            Name.routePoint where path.parent == Name.route,
            Name.waypoint where path.count == 2:
            height = .nan
            time = .nan
            point = place(attributes)
        case Name.track, Name.route, Name.waypoint:
            if path.count == 2 { (name, packed, paths) = ("", [], []) }
        default: break
        }
        if element == Name.waypoint, path.count == 2 { (name, packed) = ("", []) }
    }

    private mutating func place(_ attributes: XMLAttributes) -> WorldPoint? {
        guard let latitude = attributes[Name.latitude]?.trimmed.number(comma: true),
            let longitude = attributes[Name.longitude]?.trimmed.number(comma: true),
            let point = try? GeoJSONFeatures.world(longitude, latitude)
        else {
            sink.faults.add("point without lat and lon in degrees", line: line)
            return nil
        }
        guard sink.take(points: 1) else {
            sink.faults.add(FeatureSink.tooManyPoints, line: line)
            return nil
        }
        return point
    }

    mutating func end(_ element: XMLName, text: Bytes, _ path: [XMLName]) {
        // Extensions are free to use the names of GPX for other things.
        guard !path.contains(Name.extensions) else { return takeText(element, text, path) }
        switch element {
        case Name.height: if path.isInPoint { height = sink.height(text, line: line) }
        case Name.time: if path.isInPoint { time = sink.time(text, line: line) }
        case Name.title: takeName(text, path)
        case Name.trackPoint where path.parent == Name.segment,
            Name.routePoint where path.parent == Name.route:
            endPoint()
        case Name.segment: endPath()
        case Name.waypoint where path.count == 2: endWaypoint()
        case Name.track where path.count == 2, Name.route where path.count == 2: endLine()
        default: takeText(element, text, path)
        }
    }

    private mutating func takeName(_ text: Bytes, _ path: [XMLName]) {
        let plain = text.trimmed.text
        switch path.parent {
        case Name.root, Name.metadata:
            if sink.title.isEmpty { sink.title = SafeText.sanitised(plain, limit: 80) }
        case Name.track, Name.route, Name.waypoint: if path.count == 3 { name = plain }
        default: break
        }
    }

    private mutating func takeText(_ element: XMLName, _ text: Bytes, _ path: [XMLName]) {
        guard path.count > 2, !text.isEmpty, path[1] != Name.metadata, !path.isInTrackPoint else { return }
        // Programs have extensions of their own for the colour and width of a line.
        if Name.colours.contains(element.local) {
            styleBuilder.take("stroke", text.trimmed.text.lowercased())
        } else if element.local == Name.width {
            styleBuilder.take("stroke-width", text.trimmed.text)
        } else if path.count == 3, let attribute = Name.attributes[element], packed.count < 1 << 16 {
            OverlayAttributes.append(attribute.utf8, text.trimmed.prefix(2000), to: &packed)
            if attribute == "symbol" { styleBuilder.take("sym", text.trimmed.text) }
        }
    }

    private mutating func endPoint() {
        if let point { path.append(point, height: height, time: time) }
        for point in shapingPoints { path.append(point) }
        point = nil
        shapingPoints = []
    }

    private mutating func endPath() { path.finish().map { paths.append($0) } }

    private mutating func endLine() {
        endPath()
        let style = styleBuilder.finish()
        guard !paths.isEmpty else { return }
        sink.features.append(
            OverlayFeature(
                .line(paths), name: name, style: style, isTrack: true,
                attributes: OverlayAttributes(packed: packed)))
        name = ""
        packed = []
        paths = []
    }

    private mutating func endWaypoint() {
        let style = styleBuilder.finish()
        guard let point else { return }
        if !height.isNaN { OverlayAttributes.append("height".utf8, "\(height)".utf8, to: &packed) }
        sink.features.append(
            OverlayFeature(
                .point(point), name: name, style: style, time: time,
                attributes: OverlayAttributes(packed: packed)))
        self.point = nil
    }
}

extension [XMLName] {
    /// The parent of the innermost element.
    var parent: XMLName? { count > 1 ? self[count - 2] : nil }

    private static let points = [XMLName("trkpt"), XMLName("rtept"), XMLName("wpt")]

    fileprivate var isInPoint: Bool { parent.map(Self.points.contains) ?? false }

    /// True if the element is inside a point of a track or route, at any depth.
    fileprivate var isInTrackPoint: Bool { contains(Self.points[0]) || contains(Self.points[1]) }
}
