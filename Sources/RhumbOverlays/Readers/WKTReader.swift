internal import RhumbGeo

/// Reads geometries in Well-Known Text (OGC 06-103r4), such as "POINT (7.4 43.7)", with heights and measures,
/// and with PostGIS's "SRID=4326;".
struct WKTReader {
    private let text: Bytes
    private var at = 0
    private static let deepest = 8

    /// Returns the shapes of a text; nil if it doesn't begin like Well-Known Text.
    static func shapes(_ text: Bytes, _ sink: inout FeatureSink) throws(InputFault) -> [OverlayFeature.Shape]?
    {
        var reader = WKTReader(text: text)
        guard let word = reader.word(), word == "SRID" || kinds.contains(word) else { return nil }
        reader.at = 0
        try reader.skipReference()
        let shapes = try reader.geometry(&sink, depth: 0)
        guard reader.next() == nil else { throw InputFault("invalid WKT: text after the geometry") }
        return shapes
    }

    private static let kinds: Set<String> = [
        "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON",
        "GEOMETRYCOLLECTION", "LINEARRING", "TRIANGLE", "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON",
        "MULTICURVE", "MULTISURFACE", "POLYHEDRALSURFACE", "TIN",
    ]

    private mutating func skipReference() throws(InputFault) {
        guard text.begins(with: "SRID=") || text.begins(with: "srid=") else { return }
        at = 5
        guard let number = number(), take(";") else { throw InputFault("invalid WKT after SRID") }
        guard number == 4326 else {
            throw InputFault(
                "WKT in EPSG:\(Int(max(min(number, 1e6), 0))); convert it with ogr2ogr -t_srs EPSG:4326")
        }
    }

    private mutating func geometry(
        _ sink: inout FeatureSink, depth: Int
    ) throws(InputFault) -> [OverlayFeature.Shape] {
        guard depth < Self.deepest else { throw InputFault("WKT collections nested too deep") }
        var kind = word() ?? ""
        // The dimensions may be part of the word or follow it.
        if !Self.kinds.contains(kind) { while kind.last == "Z" || kind.last == "M" { kind.removeLast() } }
        let start = at
        if let dimensions = word(), !["Z", "M", "ZM"].contains(dimensions) { at = start }
        let afterDimensions = at
        if word() == "EMPTY" { return [] }
        at = afterDimensions
        switch kind {
        case "POINT":
            guard let point = try line(&sink).first else { return [] }
            return [.point(WorldPoint(x: point.x, y: point.y))]
        case "MULTIPOINT":
            // The points may be in parentheses.
            return try list { (reader) throws(InputFault) in
                let points =
                    reader.next() == UInt8(ascii: "(") ? try reader.line(&sink) : [try reader.point()]
                return points.map { .point(WorldPoint(x: $0.x, y: $0.y)) }
            }
        case "LINESTRING", "LINEARRING":
            let points = try line(&sink)
            return points.isEmpty ? [] : [.line([OverlayPath(points)])]
        case "MULTILINESTRING":
            let lines = try rings(&sink, areClosed: false)
            return lines.isEmpty ? [] : [.line(lines)]
        case "POLYGON", "TRIANGLE":
            let rings = try rings(&sink, areClosed: true)
            return rings.isEmpty ? [] : [.area([rings])]
        case "CIRCULARSTRING", "COMPOUNDCURVE":
            let points = try Self.placed(try curve(kind, &sink, depth: depth))
            return points.isEmpty ? [] : [.line([OverlayPath(points)])]
        case "MULTICURVE":
            let lines = try curves(&sink, depth: depth).map { (line) throws(InputFault) in
                OverlayPath(try Self.placed(line))
            }
            return lines.isEmpty ? [] : [.line(lines)]
        case "CURVEPOLYGON":
            let rings = try curves(&sink, depth: depth).map { (ring) throws(InputFault) in
                OverlayPath(Self.opened(try Self.placed(ring)), isRing: true)
            }
            return rings.isEmpty ? [] : [.area([rings])]
        case "MULTISURFACE":
            let areas = try list { (reader) throws(InputFault) in
                reader.next() == UInt8(ascii: "(")
                    ? [.area([try reader.rings(&sink, areClosed: true)])]
                    : try reader.geometry(&sink, depth: depth + 1)
            }
            let rings = areas.flatMap { (shape: OverlayFeature.Shape) -> [[OverlayPath]] in
                if case .area(let parts) = shape { parts.filter { !$0.isEmpty } } else { [] }
            }
            return rings.isEmpty ? [] : [.area(rings)]
        case "MULTIPOLYGON", "POLYHEDRALSURFACE", "TIN":
            let areas = try list { (reader) throws(InputFault) in [try reader.rings(&sink, areClosed: true)] }
            return [.area(areas.filter { !$0.isEmpty })]
        case "GEOMETRYCOLLECTION":
            return try list { (reader) throws(InputFault) in try reader.geometry(&sink, depth: depth + 1) }
        default: throw InputFault("WKT geometry \(kind) is not supported")
        }
    }

    // MARK: Lists

    /// Reads items in parentheses, separated by commas.
    private mutating func list<Item>(
        _ item: (inout WKTReader) throws(InputFault) -> [Item]
    ) throws(InputFault) -> [Item] {
        guard take("(") else { throw invalid }
        var items: [Item] = []
        repeat { items += try item(&self) } while take(",")
        guard take(")") else { throw invalid }
        return items
    }

    private mutating func line(_ sink: inout FeatureSink) throws(InputFault) -> [SIMD2<Double>] {
        let points = try list { (reader) throws(InputFault) in [try reader.point()] }
        guard sink.take(points: points.count) else { throw InputFault(FeatureSink.tooManyPoints) }
        return points
    }

    private mutating func rings(
        _ sink: inout FeatureSink, areClosed: Bool
    ) throws(InputFault) -> [OverlayPath] {
        try list { (reader) throws(InputFault) in
            var points = try reader.line(&sink)
            if areClosed { points = Self.opened(points) }
            return points.isEmpty ? [] : [OverlayPath(points, isRing: areClosed)]
        }
    }

    private mutating func point() throws(InputFault) -> SIMD2<Double> { try Self.placed(try degrees()) }

    /// Reads a position in degrees, the longitude first.
    private mutating func degrees() throws(InputFault) -> SIMD2<Double> {
        guard let longitude = number(), let latitude = number() else { throw invalid }
        while number() != nil {}
        return SIMD2(longitude, latitude)
    }

    /// Returns a position in degrees on the Mercator square.
    private static func placed(_ degrees: SIMD2<Double>) throws(InputFault) -> SIMD2<Double> {
        let point = try GeoJSONFeatures.world(degrees.x, degrees.y)
        return SIMD2(point.x, point.y)
    }

    private static func placed(_ line: [SIMD2<Double>]) throws(InputFault) -> [SIMD2<Double>] {
        try line.map { (point) throws(InputFault) in try placed(point) }
    }

    // MARK: Curves

    /// Reads curves in parentheses.
    private mutating func curves(
        _ sink: inout FeatureSink, depth: Int
    ) throws(InputFault) -> [[SIMD2<Double>]] {
        let curves = try list { (reader) throws(InputFault) in
            [try reader.curve(reader.word() ?? "LINESTRING", &sink, depth: depth + 1)]
        }
        return curves.filter { !$0.isEmpty }
    }

    /// Reads the positions of a line, an arc or a chain of both, in degrees.
    private mutating func curve(
        _ kind: String, _ sink: inout FeatureSink, depth: Int
    ) throws(InputFault) -> [SIMD2<Double>] {
        guard depth < Self.deepest else { throw InputFault("WKT collections nested too deep") }
        switch kind {
        case "LINESTRING", "CIRCULARSTRING":
            let points = try list { (reader) throws(InputFault) in [try reader.degrees()] }
            guard sink.take(points: points.count) else { throw InputFault(FeatureSink.tooManyPoints) }
            guard kind == "CIRCULARSTRING" else { return points }
            let heights = [Float](repeating: .nan, count: points.count)
            return CircularArc.line(through: points, heights: heights).points
        case "COMPOUNDCURVE":
            return try curves(&sink, depth: depth).reduce(into: []) { all, next in
                all += next.dropFirst(all.last != nil && all.last == next.first ? 1 : 0)
            }
        default: throw InputFault("WKT geometry \(kind) is not supported in a curve")
        }
    }

    /// Returns a ring without the repetition of its first point.
    private static func opened(_ ring: [SIMD2<Double>]) -> [SIMD2<Double>] {
        ring.count > 1 && ring.first == ring.last ? Array(ring.dropLast()) : ring
    }

    private var invalid: InputFault {
        InputFault("invalid WKT at \"\(text.part(min(at, text.count)..<min(at + 20, text.count)).text)\"")
    }

    // MARK: Words

    private mutating func next() -> UInt8? {
        while at < text.count, text[at] <= 0x20 { at += 1 }
        return at < text.count ? text[at] : nil
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: sign) else { return false }
        at += 1
        return true
    }

    /// Reads a word in capitals; nil if there is none.
    private mutating func word() -> String? {
        _ = next()
        let start = at
        while at < text.count, (text[at] | 0x20) &- 0x61 < 26 { at += 1 }
        return start == at ? nil : text.part(start..<at).text.uppercased()
    }

    private mutating func number() -> Double? {
        _ = next()
        let start = at
        while at < text.count, text[at] > 0x20, !"(),;".utf8.contains(text[at]) { at += 1 }
        guard let value = text.part(start..<at).number() else {
            at = start
            return nil
        }
        return value
    }
}
