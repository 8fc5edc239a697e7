internal import RhumbBase
internal import RhumbGeo

/// Creates features from GeoJSON (RFC 7946), and from any object with a latitude and a longitude.
struct GeoJSONFeatures: Sendable {
    /// True if features have the ids of their objects, which replace earlier features with the same id.
    var hasIDs = false
    /// True if coordinates are metres of Web Mercator, not degrees.
    private var isMercator = false
    private var styleBuilder = OverlayStyleBuilder()
    /// Synonymous member names.
    private enum Names {
        static let latitude: Set<String> = ["lat", "latitude", "y"],
            longitude: Set<String> = ["lon", "lng", "long", "longitude", "x"]
        static let title: Set<String> = [
            "name", "title", "label", "Name", "NAME", "TITLE", "ref", "shipname", "flight", "callsign",
        ]
        static let heading: Set<String> = ["heading", "track", "course", "bearing"]
    }

    /// The members that describe an object.
    private struct Parts {
        var type = "", id = ""
        var geometry: Bytes?, properties: Bytes?, features: Bytes?, geometries: Bytes?, coordinates: Bytes?
        var reference: Bytes?
        /// The members of JSON-FG (OGC 21-045) for a geometry in another system, its system, and the time.
        var place: Bytes?, placeReference: Bytes?, time: Bytes?
        /// The bytes behind the object.
        var rest: Bytes?
        var latitude: Double?, longitude: Double?
    }

    /// Reads a feature, a geometry, a collection, an object with a position, or an array of these.
    mutating func read(_ text: Bytes, line: Int, into sink: inout FeatureSink) {
        if let utf8 = Windows1252.utf8(text) {
            sink.checkEncoding(text, line: line)
            return utf8.withUnsafeBufferPointer { read($0, line: line, into: &sink) }
        }
        var rest: Bytes? = text
        do throws(InputFault) {
            while let text = rest { rest = try read(text, depth: 0, into: &sink, line) }
        } catch {
            sink.faults.add(error.reason, line: line)
        }
    }

    /// - Returns: The bytes behind an object; nil if there are none.
    private mutating func read(
        _ text: Bytes, depth: Int, into sink: inout FeatureSink, _ line: Int
    ) throws(InputFault) -> Bytes? {
        guard depth < 4 else { throw InputFault("collections nested too deep") }
        var cursor = JSONCursor(text)
        if cursor.next() == UInt8(ascii: "[") {
            try readAll(text, depth, &sink, line)
            return nil
        }
        let parts = try parts(text)
        let isOuterMercator = isMercator
        defer { isMercator = isOuterMercator }
        if let reference = parts.reference { try setReference(reference, &sink) }
        if parts.type == "FeatureCollection" {
            guard let features = parts.features else { throw InputFault("the collection has no features") }
            try readAll(features, depth, &sink, line)
            return parts.rest
        }
        var shapes: [OverlayFeature.Shape] = []
        if parts.type == "Feature" {
            guard let geometry = parts.geometry, !geometry.equals("null") else {
                if parts.place != nil { throw InputFault(Self.placeFault) }
                sink.emptyFeatures += 1
                return parts.rest
            }
            if parts.place != nil { sink.remark = "\"geometry\" is shown, not the \"place\" of JSON-FG" }
            try add(geometry, to: &shapes, &sink, depth: 0)
        } else if let latitude = parts.latitude, let longitude = parts.longitude {
            shapes = [.point(try Self.world(longitude, latitude))]
        } else if let geometry = parts.geometry, parts.type.isEmpty {
            try add(geometry, to: &shapes, &sink, depth: 0)
        } else {
            try add(text, to: &shapes, &sink, depth: 0)
        }
        if shapes.isEmpty { sink.emptyFeatures += 1 }
        let isBare = parts.type != "Feature"
        try describe(
            shapes, isBare ? parts.latitude == nil ? parts.properties : text : parts.properties, parts.id,
            time: isBare ? .nan : parts.time.map(Self.featureTime) ?? .nan, &sink)
        return parts.rest
    }

    private mutating func readAll(
        _ array: Bytes, _ depth: Int, _ sink: inout FeatureSink, _ line: Int
    ) throws(InputFault) {
        var cursor = JSONCursor(array), texts: [Bytes] = []
        try cursor.elements { cursor throws(InputFault) in texts.append(try cursor.value()) }
        if !texts.isEmpty, texts.allSatisfy({ $0.number() != nil }) {
            throw InputFault("a list of numbers is not GeoJSON")
        }
        for text in texts {
            do throws(InputFault) { _ = try read(text, depth: depth + 1, into: &sink, line) } catch {
                sink.faults.add(error.reason, line: line)
            }
        }
    }

    private func parts(_ text: Bytes) throws(InputFault) -> Parts {
        var cursor = JSONCursor(text), parts = Parts()
        try cursor.members { cursor, name throws(InputFault) in
            let value = try cursor.value()
            switch name.count {
            case 2 where hasIDs && name.equals("id"): parts.id = value.jsonIdentifier
            case 3 where name.equals("crs"): parts.reference = value
            case 4 where name.equals("type"): parts.type = value.jsonWords
            case 8 where name.equals("geometry"): parts.geometry = value
            case 8 where name.equals("features"): parts.features = value
            case 10 where name.equals("properties"): parts.properties = value
            case 10 where name.equals("geometries"): parts.geometries = value
            case 11 where name.equals("coordinates"): parts.coordinates = value
            case 4 where name.equals("time"): parts.time = value
            case 5 where name.equals("place"): parts.place = value.equals("null") ? nil : value
            case 11 where name.equals("coordRefSys"): parts.placeReference = value
            case 1...9:
                let word = name.text
                if Names.latitude.contains(word) { parts.latitude = value.jsonNumber }
                if Names.longitude.contains(word) { parts.longitude = value.jsonNumber }
            default: break
            }
        }
        if let next = cursor.next() {
            if next == UInt8(ascii: ",") { cursor.at += 1 }
            parts.rest = text.part(cursor.at..<text.count)
        }
        return parts
    }

    // MARK: Coordinate system

    /// Reads the coordinate system of a document whose features are read one by one.
    /// - Parameter isLate: True if features were read before.
    /// - Throws: `InputFault` if it is another than degrees or Web Mercator, or late and not degrees.
    mutating func readReference(
        _ text: Bytes, isLate: Bool, into sink: inout FeatureSink
    ) throws(InputFault) {
        try setReference(text, &sink)
        guard !isLate || !isMercator else {
            throw InputFault(
                "\"crs\" stands after features, which were read in degrees; put it before \"features\", or "
                    + "convert the file with ogr2ogr -t_srs EPSG:4326")
        }
    }

    /// Sets the coordinate system, which GeoJSON had before RFC 7946. Degrees are assumed for an unknown one,
    /// with a remark.
    /// - Throws: `InputFault` if it is another than degrees or Web Mercator.
    private mutating func setReference(_ text: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        guard let name = Self.referenceName(text) else { return }
        isMercator = false
        // Such as "urn:ogc:def:crs:EPSG::3857", "ESRI:102100" and ".../def/crs/EPSG/0/3857".
        // The system of heights may follow the horizontal one.
        let words = name.lowercased().prefix { $0 != "+" }.split { !$0.isLetter && !$0.isNumber }
        guard let authority = words.firstIndex(where: { $0 == "epsg" || $0 == "esri" }),
            let code = words[authority...].prefix(while: { $0 != "crs" }).compactMap({ Int($0) }).last
        else {
            if !["crs84", "crs84h", "crs83", "crs27", "wgs84", "84"].contains(words.last) {
                let shown = SafeText.sanitised(name, limit: 60)
                sink.remark = "its coordinate system \(shown) is not known; degrees on WGS 84 are assumed"
            }
            return
        }
        isMercator = Mercator.referenceCodes.contains(code)
        // The other numbers from 4000 to 4999 are those of systems in degrees.
        guard
            isMercator
                || (4000...4999).contains(code) && !Self.projectedCodes.contains(where: { $0.contains(code) })
        else {
            let shown = "\(words[authority].uppercased()):\(code)"
            throw InputFault(
                "its coordinate system \(shown) is not supported; convert it with ogr2ogr -t_srs EPSG:4326")
        }
    }

    // MARK: Properties

    private mutating func describe(
        _ shapes: [OverlayFeature.Shape], _ properties: Bytes?, _ id: String, time: Double,
        _ sink: inout FeatureSink
    ) throws(InputFault) {
        guard !shapes.isEmpty else { return }
        var packed: [UInt8] = [], name = "", time = time, heading = Double.nan, ownID = id
        var times: [[Double]] = []
        if let properties, properties.first == UInt8(ascii: "{") {
            var cursor = JSONCursor(properties), styleBuilder = styleBuilder
            try cursor.members { cursor, key throws(InputFault) in
                let value = try cursor.value()
                if key.equals("coordTimes") || key.equals("coordinateProperties") {
                    return times = try Self.times(value)
                }
                if key.equals("times"), times.isEmpty { times = try Self.times(value) }
                guard !value.equals("null") else { return }
                let isText = value.first == UInt8(ascii: "\"")
                if isText, !value.contains(UInt8(ascii: "\\")) {
                    OverlayAttributes.append(key, value.part(1..<value.count - 1), to: &packed)
                } else {
                    OverlayAttributes.append(key, Array(value.jsonWords.utf8.prefix(400)), to: &packed)
                }
                let word = key.text
                if name.isEmpty, Names.title.contains(word) { name = value.jsonWords }
                if heading.isNaN, Names.heading.contains(word) { heading = value.jsonNumber ?? .nan }
                if time.isNaN, word == "time" || word == "timestamp" { time = Self.moment(value) }
                if hasIDs, ownID.isEmpty, word == "id" || word == "mmsi" || word == "hex" {
                    ownID = value.jsonIdentifier
                }
                if OverlayStyleBuilder.mayStyle(key) { styleBuilder.take(word, value.jsonWords) }
            }
            self.styleBuilder = styleBuilder
        }
        let style = styleBuilder.finish(), attributes = OverlayAttributes(packed: packed)
        for (at, shape) in shapes.enumerated() {
            let id = at == 0 || ownID.isEmpty ? ownID : "\(ownID)#\(at)"
            let timed = Self.timed(shape, times)
            sink.features.append(
                OverlayFeature(
                    timed ?? shape, id: id, name: name, style: style, time: time, heading: heading,
                    isTrack: timed != nil, attributes: attributes))
        }
    }

    /// Parses the times of a line's points as GPX converters write them: a list for each line, or only one,
    /// possibly as the member "times" of an object.
    private static func times(_ value: Bytes) throws(InputFault) -> [[Double]] {
        var cursor = JSONCursor(value), lists: [[Double]] = [], times: [Double] = []
        if value.first == UInt8(ascii: "{") {
            try cursor.members { cursor, name throws(InputFault) in
                let value = try cursor.value()
                if name.equals("times") { lists = try Self.times(value) }
            }
            return lists
        }
        guard value.first == UInt8(ascii: "[") else { return [] }
        try cursor.elements { cursor throws(InputFault) in
            let value = try cursor.value()
            if value.first == UInt8(ascii: "[") {
                lists += try Self.times(value)
            } else {
                times.append(moment(value))
            }
        }
        return times.isEmpty ? lists : [times]
    }

    /// Returns a line with the times of its points; nil if their numbers differ.
    private static func timed(_ shape: OverlayFeature.Shape, _ times: [[Double]]) -> OverlayFeature.Shape? {
        guard case .line(let paths) = shape, !times.isEmpty, times.count == paths.count,
            zip(paths, times).allSatisfy({ $0.points.count == $1.count })
        else { return nil }
        return .line(zip(paths, times).map { OverlayPath($0.points, heights: $0.heights, times: $1) })
    }

    /// Parses ISO 8601, or seconds or milliseconds since 1970.
    private static func moment(_ value: Bytes) -> Double {
        if let number = value.jsonNumber { return number > 1e11 ? number / 1000 : number }
        guard value.count > 2 else { return .nan }
        return value.part(1..<value.count - 1).moment ?? .nan
    }

    // MARK: Geometry

    private mutating func add(
        _ geometry: Bytes, to shapes: inout [OverlayFeature.Shape], _ sink: inout FeatureSink, depth: Int
    ) throws(InputFault) {
        guard depth < 8 else { throw InputFault("collections nested too deep") }
        let parts = try parts(geometry), isOuterMercator = isMercator
        defer { isMercator = isOuterMercator }
        if let reference = parts.reference { try setReference(reference, &sink) }
        if parts.type == "GeometryCollection", let list = parts.geometries {
            var cursor = JSONCursor(list), texts: [Bytes] = []
            try cursor.elements { cursor throws(InputFault) in texts.append(try cursor.value()) }
            for text in texts { try add(text, to: &shapes, &sink, depth: depth + 1) }
            return
        }
        guard let coordinates = parts.coordinates else {
            throw InputFault(
                parts.type.isEmpty
                    ? "not GeoJSON and not an object with lat and lon" : "\(parts.type) without coordinates")
        }
        // Empty coordinates mean that there is no geometry (RFC 7946, 3.1).
        guard !coordinates.equals("null") else { return }
        var cursor = JSONCursor(coordinates)
        switch parts.type {
        case "Point":
            if cursor.isEmptyArray { return }
            shapes.append(.point(try position(&cursor).point))
        case "MultiPoint":
            for point in try line(&cursor, &sink)?.points ?? [] {
                shapes.append(.point(WorldPoint(x: point.x, y: point.y)))
            }
        case "LineString": if let line = try line(&cursor, &sink) { shapes.append(.line([line])) }
        case "MultiLineString":
            let lines = try lines(&cursor, &sink, areRings: false)
            if !lines.isEmpty { shapes.append(.line(lines)) }
        case "Polygon":
            let rings = try lines(&cursor, &sink, areRings: true)
            if !rings.isEmpty { shapes.append(.area([rings])) }
        case "MultiPolygon":
            var areas: [[OverlayPath]] = []
            try cursor.elements { cursor throws(InputFault) in
                areas.append(try lines(&cursor, &sink, areRings: true))
            }
            areas.removeAll(where: \.isEmpty)
            if !areas.isEmpty { shapes.append(.area(areas)) }
        default: throw InputFault("unknown geometry type \(parts.type)")
        }
    }

    /// Reads a position. Anything but a number as its height counts as unknown.
    private func position(
        _ cursor: inout JSONCursor
    ) throws(InputFault) -> (point: WorldPoint, height: Float) {
        var values = (Double.nan, Double.nan, Double.nan), count = 0
        try cursor.elements { cursor throws(InputFault) in
            switch count {
            case 0: values.0 = try cursor.number()
            case 1: values.1 = try cursor.number()
            case 2: values.2 = try cursor.value().number() ?? .nan
            default: _ = try cursor.value()
            }
            count += 1
        }
        guard count >= 2 else { throw InputFault("a position needs a longitude and a latitude") }
        if isMercator { return (try Self.mercator(values.0, values.1), Float(values.2)) }
        guard (-90...90).contains(values.1) || !(-90...90).contains(values.0) || abs(values.1) > 180 else {
            throw InputFault("latitude \(values.1) is out of range; GeoJSON has the longitude first")
        }
        return (try Self.world(values.0, values.1), Float(values.2))
    }

    private static func mercator(_ x: Double, _ y: Double) throws(InputFault) -> WorldPoint {
        guard abs(x) <= 2 * Mercator.halfWorld, abs(y) <= 3 * Mercator.halfWorld else {
            throw InputFault("\(x), \(y) is out of range")
        }
        return WorldPoint(x: x / (2 * Mercator.halfWorld) + 0.5, y: 0.5 - y / (2 * Mercator.halfWorld))
    }

    /// The longitudes of positions. Some files count from 0 to 360; others go beyond 180 where a line crosses
    /// the date line.
    static let longitudes = -360.0...360

    /// Converts a longitude and a latitude to world coordinates.
    /// - Throws: `InputFault` if they are out of range.
    static func world(_ longitude: Double, _ latitude: Double) throws(InputFault) -> WorldPoint {
        guard (-90...90).contains(latitude), longitudes.contains(longitude) else {
            throw InputFault("\(longitude), \(latitude) is out of range")
        }
        return WorldPoint(
            x: (longitude + 180) / 360, y: Mercator.plane(Coordinate(latitude: latitude, longitude: 0)).y)
    }

    /// Reads a line; nil without positions.
    private func line(
        _ cursor: inout JSONCursor, _ sink: inout FeatureSink, isRing: Bool = false
    ) throws(InputFault) -> OverlayPath? {
        var points: [SIMD2<Double>] = [], heights: [Float] = []
        try cursor.elements { cursor throws(InputFault) in
            let (point, height) = try position(&cursor)
            guard points.count < sink.pointsLeft else { throw InputFault(FeatureSink.tooManyPoints) }
            points.append(SIMD2(point.x, point.y))
            heights.append(height)
        }
        _ = sink.take(points: points.count)
        if isRing, points.count > 1, points.first == points.last {
            points.removeLast()
            heights.removeLast()
        }
        return points.isEmpty ? nil : OverlayPath(points, heights: heights, isRing: isRing)
    }

    /// Reads the lines that have positions.
    private func lines(
        _ cursor: inout JSONCursor, _ sink: inout FeatureSink, areRings: Bool
    ) throws(InputFault) -> [OverlayPath] {
        var lines: [OverlayPath] = []
        try cursor.elements { cursor throws(InputFault) in
            if let line = try line(&cursor, &sink, isRing: areRings) { lines.append(line) }
        }
        return lines
    }
}
