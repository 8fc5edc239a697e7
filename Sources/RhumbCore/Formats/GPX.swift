/// The tracks, routes and waypoints of a GPX 1.0 or 1.1 file.
public struct GPX: Hashable, Sendable {
    /// The largest file that is read, in bytes.
    public static let sizeLimit = 256 << 20

    /// Track segments, each with at least two points.
    public private(set) var tracks: [[Position]] = []
    /// Routes, each with at least two points.
    public private(set) var routes: [[Position]] = []
    /// The points that stand by themselves.
    public private(set) var waypoints: [Position] = []
    /// The name of the file or else of its first track or route, harmless to a terminal; may be
    /// empty.
    public private(set) var name = ""

    /// Reads the text of a GPX file. Document types and entities of its own are refused.
    /// - Throws: `RegionGeometryFailure.text` if it is not well-formed, `.type` if it is not GPX,
    ///   `.position` for a point without degrees, `.tooManyCorners`.
    public init(_ bytes: [UInt8]) throws(RegionGeometryFailure) {
        guard bytes.count <= GPX.sizeLimit else { throw .tooManyCorners }
        var reader = GPXReader(xml: XMLReader(bytes))
        do throws(XMLReader.Failure) {
            try reader.read()
        } catch {
            throw .text("not a sound GPX file: \(error.problem) at byte \(error.offset)")
        }
        if let failure = reader.failure { throw failure }
        tracks = reader.tracks.filter { $0.count > 1 }
        routes = reader.routes.filter { $0.count > 1 }
        waypoints = reader.waypoints
        name = SafeText.sanitised(reader.name, limit: 80)
    }

    /// What the lines pass, `width` metres wide, and as wide circles round the waypoints; without
    /// a width the bare lines and points.
    /// - Throws: `RegionGeometryFailure`, also if the file holds none.
    public func geometry(width: Double? = nil) throws(RegionGeometryFailure) -> RegionGeometry {
        let shapes = (tracks + routes).map { RegionShape.line($0) } + waypoints.map { .point($0) }
        guard !shapes.isEmpty else { throw .empty("the GPX file has no track, route or waypoint") }
        let bare = try RegionGeometry(shapes)
        return try width.map { (metres) throws(RegionGeometryFailure) in try bare.widened(to: metres) } ?? bare
    }
}

private struct GPXReader {
    var xml: XMLReader
    var tracks: [[Position]] = []
    var routes: [[Position]] = []
    var waypoints: [Position] = []
    var name = ""
    var failure: RegionGeometryFailure?
    private var path: [String] = []
    private var points = 0

    init(xml: XMLReader) { self.xml = xml }

    mutating func read() throws(XMLReader.Failure) {
        while failure == nil, let event = try xml.next() {
            switch event {
            case .start(let name, let attributes):
                path.append(name)
                begin(attributes)
            case .end: path.removeLast()
            case .text(let text): take(text)
            }
        }
    }

    private mutating func begin(_ attributes: [String: String]) {
        switch path.joined(separator: "/") {
        case "gpx": return
        case "gpx/trk/trkseg": tracks.append([])
        case "gpx/rte": routes.append([])
        case "gpx/trk/trkseg/trkpt": point(attributes).map { tracks[tracks.count - 1].append($0) }
        case "gpx/rte/rtept": point(attributes).map { routes[routes.count - 1].append($0) }
        case "gpx/wpt": point(attributes).map { waypoints.append($0) }
        default:
            if path.count == 1 { failure = .type("the XML is \(SafeText.sanitised(path[0], limit: 40)), not gpx") }
        }
    }

    private mutating func point(_ attributes: [String: String]) -> Position? {
        points += 1
        guard points <= RegionGeometry.cornerLimit else {
            failure = .tooManyCorners
            return nil
        }
        guard let latitude = attributes["lat"].flatMap(Double.init), (-90...90).contains(latitude),
            let longitude = attributes["lon"].flatMap(Double.init), (-180...180).contains(longitude)
        else {
            failure = .position("point \(points) of the GPX file has no lat and lon in degrees")
            return nil
        }
        return Position(longitude: longitude, latitude: latitude)
    }

    private mutating func take(_ text: String) {
        guard name.isEmpty, path.count < 4, path.last == "name" else { return }
        let parents = [["gpx"], ["gpx", "metadata"], ["gpx", "trk"], ["gpx", "rte"]]
        if parents.contains(Array(path.dropLast())) { name = text }
    }
}
