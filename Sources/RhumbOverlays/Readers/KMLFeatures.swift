internal import RhumbBase
internal import RhumbCells
internal import RhumbGeo

/// Creates features from KML 2: placemarks with points, lines, polygons and tracks, in the colours of their
/// styles.
struct KMLFeatures: XMLFeatures, Sendable {
    private enum Name {
        static let placemark = XMLName("Placemark"), title = XMLName("name"),
            words = XMLName("description")
        static let coordinates = XMLName("coordinates"), point = XMLName("Point"),
            line = XMLName("LineString")
        static let ring = XMLName("LinearRing"), polygon = XMLName("Polygon"),
            inner = XMLName("innerBoundaryIs")
        static let track = XMLName("Track"), when = XMLName("when"),
            coord = XMLName("coord")
        static let style = XMLName("Style"), styleMap = XMLName("StyleMap"),
            styleURL = XMLName("styleUrl")
        static let id = XMLName("id"), colour = XMLName("color"),
            width = XMLName("width"), fill = XMLName("fill")
        static let area = XMLName("PolyStyle"), icon = XMLName("IconStyle"),
            stroke = XMLName("LineStyle")
        static let data = XMLName("Data"), simple = XMLName("SimpleData"),
            value = XMLName("value")
        static let mode = XMLName("altitudeMode")
        static let link = XMLName("NetworkLink"), href = XMLName("href"), key = XMLName("key")
        static let document = XMLName("Document"), pair = XMLName("Pair")
        /// Elements that show something that Rhumb doesn't.
        static let unsupported: [XMLName: String] = [
            XMLName("GroundOverlay"): "GroundOverlay", XMLName("PhotoOverlay"): "PhotoOverlay",
            XMLName("ScreenOverlay"): "ScreenOverlay", XMLName("Model"): "Model",
            XMLName("Tour"): "Tour",
        ]
    }

    /// The root elements of documents. Google Earth also opens documents of a single feature.
    static let roots: Set<XMLName> = [
        XMLName("kml"), Name.document, XMLName("Folder"), Name.placemark, Name.link,
        XMLName("GroundOverlay"), XMLName("PhotoOverlay"), XMLName("ScreenOverlay"),
    ]

    private typealias Position = (point: WorldPoint, height: Double)
    private struct Style {
        var ink: RGB?, opacity = 1.0, width: Double?, fill: RGB?, fillOpacity = 0.3, isFilled = true
    }

    /// Those of versions 2.0 to 2.3, and of Google's extensions.
    static let namespaces = [
        "opengis.net/kml", "earth.google.com/kml", "google.com/kml", "google.com/earth/kml",
    ]
    var line = 1
    var sink = FeatureSink()
    private var name = "", packed: [UInt8] = [], time = Double.nan
    private var points: [WorldPoint] = [], lines: [OverlayPath] = [], areas: [[OverlayPath]] = []
    /// The times and positions of a track. A position is nil if it is missing.
    private var whens: [Double] = [], coords: [Position?] = []
    private var styles: [String: Style] = [:], maps: [String: String] = [:]
    private var own: Style?, styleID = "", mapID = "", styleURL = "", pairKey = ""
    private var faultsBefore = 0
    /// True if the heights of a line count from the ground, not from the sea.
    private var isRelative = false
    private var dataName = "", styleBuilder = OverlayStyleBuilder()
    private static let styleLimit = 4096

    mutating func begin(
        _ element: XMLName, _ attributes: XMLAttributes, _ path: [XMLName]
    ) {
        switch element {
        case Name.placemark:
            name = ""
            packed = []
            own = nil
            styleURL = ""
            time = .nan
            points = []
            lines = []
            areas = []
            faultsBefore = sink.faults.count
        case Name.polygon: areas.append([])
        case Name.line, Name.ring: isRelative = false
        case Name.track: (whens, coords, isRelative) = ([], [], false)
        case Name.style: (own, styleID) = (Style(), attributes[Name.id]?.text ?? "")
        case Name.styleMap: mapID = attributes[Name.id]?.text ?? ""
        case Name.data, Name.simple: dataName = attributes[Name.title]?.text ?? ""
        default:
            guard let kind = Name.unsupported[element] else { return }
            sink.faults.add("\(kind) is not supported", line: line)
        }
    }

    mutating func end(_ element: XMLName, text: Bytes, _ path: [XMLName]) {
        switch element {
        case Name.title: takeName(text, path)
        case Name.words, Name.value, Name.simple: takeText(element, text, path)
        case Name.coordinates: takeCoordinates(text, path)
        case Name.when:
            // KML also has years and months, which begin with their first day.
            let rest = [4: "-01-01", 7: "-01"][text.trimmed.count] ?? ""
            let moment = (text.trimmed.text + rest).withBytes { $0.moment } ?? sink.time(text, line: line)
            if path.contains(Name.track) { whens.append(moment) } else { time = moment }
        case Name.coord: takeCoord(text)
        case Name.mode: isRelative = text.trimmed.begins(with: "relative")
        case Name.track: finishTrack()
        case Name.href:
            // Not the address of an icon.
            guard path.dropLast(2).last == Name.link, !text.trimmed.isEmpty else { return }
            sink.links.append((text.trimmed.text, line))
        case Name.colour, Name.width, Name.fill: takeStyle(element, text, path)
        case Name.style:
            if !path.contains(Name.placemark), styles.count < Self.styleLimit {
                styles[styleID] = own
                own = nil
            }
        case Name.key: pairKey = text.trimmed.text
        case Name.styleURL: takeStyleURL(text.trimmed.text, path)
        case Name.placemark: finishPlacemark()
        default: break
        }
    }

    private mutating func takeName(_ text: Bytes, _ path: [XMLName]) {
        if path.parent == Name.placemark { name = text.trimmed.text }
        if path.parent == Name.document, sink.title.isEmpty {
            sink.title = SafeText.sanitised(text.trimmed.text, limit: 80)
        }
    }

    private mutating func takeText(_ element: XMLName, _ text: Bytes, _ path: [XMLName]) {
        guard path.contains(Name.placemark), !text.isEmpty, packed.count < 1 << 16 else { return }
        let key = element == Name.words ? "description" : dataName
        guard !key.isEmpty, element != Name.words || path.parent == Name.placemark else { return }
        OverlayAttributes.append(key.utf8, text.trimmed.prefix(2000), to: &packed)
    }

    private mutating func takeStyleURL(_ url: String, _ path: [XMLName]) {
        let id = String(url.drop { $0 == "#" })
        if path.parent == Name.pair {
            if pairKey == "normal", maps.count < Self.styleLimit { maps[mapID] = id }
        } else if path.parent == Name.placemark {
            styleURL = id
        }
    }

    private mutating func takeStyle(_ element: XMLName, _ text: Bytes, _ path: [XMLName]) {
        guard own != nil else { return }
        if element == Name.width {
            if path.parent == Name.stroke { own?.width = text.trimmed.number() }
            return
        }
        if element == Name.fill {
            if path.parent == Name.area { own?.isFilled = !["0", "false"].contains(text.trimmed.text) }
            return
        }
        guard let (colour, opacity) = KMLFeatures.colour(text.trimmed.text) else { return }
        switch path.parent {
        case Name.stroke, Name.icon:
            own?.ink = colour
            own?.opacity = opacity
        case Name.area:
            own?.fill = colour
            own?.fillOpacity = opacity
        default: break
        }
    }

    /// Parses a colour such as "7f0000ff": opacity, blue, green, red.
    private static func colour(_ text: String) -> (RGB, Double)? {
        guard text.utf8.count == 8, let word = UInt32(text, radix: 16) else { return nil }
        let rgb = RGB((word & 0xFF) << 16 | word & 0xFF00 | word >> 16 & 0xFF)
        return (rgb, Double(word >> 24) / 255)
    }

    // MARK: Coordinates

    private mutating func takeCoordinates(_ text: Bytes, _ path: [XMLName]) {
        guard path.contains(Name.placemark) else { return }
        let isPoint = path.parent == Name.point
        var positions = positions(text, isPoint: isPoint)
        guard sink.take(points: positions.count) else {
            return sink.faults.add(FeatureSink.tooManyPoints, line: line)
        }
        if isPoint {
            if let last = positions.last { points.append(last.point) }
            return
        }
        // A ring outside of a polygon is a line.
        let isRing = path.parent == Name.ring && path.contains(Name.polygon)
        // A ring's last corner repeats its first one.
        if isRing, positions.count > 1, positions.first?.point == positions.last?.point {
            positions.removeLast()
        }
        var builder = OverlayPathBuilder()
        for position in positions {
            builder.append(position.point, height: isRelative ? .nan : position.height)
        }
        guard let built = builder.finish(isRing: isRing) else { return }
        if isRing, !areas.isEmpty {
            areas[areas.count - 1].append(built)
        } else {
            lines.append(built)
        }
    }

    /// Parses positions separated by white space. A space beside a comma separates nothing. The positions of
    /// a line that are separated by commas only have three numbers each, as in Google Earth, or else two.
    private mutating func positions(_ text: Bytes, isPoint: Bool) -> [Position] {
        var positions: [Position] = [], numbers: [Double] = [], at = 0, isOnly = !isPoint
        while true {
            var commas = 0
            while at < text.count, text[at] <= 0x20 || text[at] == UInt8(ascii: ",") {
                commas += text[at] == UInt8(ascii: ",") ? 1 : 0
                at += 1
            }
            let start = at
            while at < text.count, text[at] > 0x20, text[at] != UInt8(ascii: ",") { at += 1 }
            if commas == 0 || at == start {
                isOnly = isOnly && (numbers.isEmpty || at == start)
                add(numbers, isOnly: isOnly, to: &positions)
                numbers = []
            }
            guard at > start else { return positions }
            for _ in 1..<max(commas, 1) { numbers.append(.nan) }
            numbers.append(text.part(start..<at).number() ?? .nan)
        }
    }

    /// - Parameter isOnly: True if there are no other numbers. Otherwise, four numbers are one position.
    private mutating func add(_ numbers: [Double], isOnly: Bool, to positions: inout [Position]) {
        guard !numbers.isEmpty else { return }
        let size = numbers.count <= (isOnly ? 3 : 4) ? numbers.count : numbers.count % 3 == 0 ? 3 : 2
        for start in stride(from: 0, to: numbers.count, by: size) {
            let parts = numbers[start..<min(start + size, numbers.count)]
            guard let position = Self.position(parts) else {
                sink.faults.add("coordinates are not longitude,latitude in degrees", line: line)
                continue
            }
            positions.append(position)
        }
    }

    private static func position(_ numbers: ArraySlice<Double>) -> Position? {
        guard numbers.count > 1,
            let point = try? GeoJSONFeatures.world(
                numbers[numbers.startIndex], numbers[numbers.startIndex + 1])
        else { return nil }
        return (point, numbers.count > 2 ? numbers[numbers.startIndex + 2] : .nan)
    }

    /// Adds a position of a track. An empty one means that the position at its time is unknown.
    private mutating func takeCoord(_ text: Bytes) {
        let numbers = text.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }.map {
            Bytes(rebasing: $0).number() ?? .nan
        }
        let position = Self.position(numbers[...])
        if position == nil, !numbers.isEmpty {
            sink.faults.add("gx:coord is not longitude, latitude and height", line: line)
        }
        guard sink.take(points: 1) else { return sink.faults.add(FeatureSink.tooManyPoints, line: line) }
        coords.append(position)
    }

    private mutating func finishTrack() {
        var track = OverlayPathBuilder()
        for (at, position) in coords.enumerated() {
            guard let position else { continue }
            track.append(
                position.point, height: isRelative ? .nan : position.height,
                time: at < whens.count ? whens[at] : .nan)
        }
        track.finish().map { lines.append($0) }
    }

    private mutating func finishPlacemark() {
        if let style = own ?? styles[styleURL] ?? maps[styleURL].flatMap({ styles[$0] }) {
            styleBuilder.take(ink: style.ink, opacity: style.opacity, width: style.width)
            if !style.isFilled {
                styleBuilder.take(fill: style.fill ?? style.ink ?? RGB(0), opacity: 0)
            } else if let fill = style.fill {
                styleBuilder.take(fill: fill, opacity: style.fillOpacity)
            }
        }
        own = nil
        let style = styleBuilder.finish(), attributes = OverlayAttributes(packed: packed)
        var shapes = points.map { OverlayFeature.Shape.point($0) }
        if !lines.isEmpty { shapes.append(.line(lines)) }
        let rings = areas.filter { !$0.isEmpty }
        if !rings.isEmpty { shapes.append(.area(rings)) }
        if shapes.isEmpty, sink.faults.count == faultsBefore { sink.emptyFeatures += 1 }
        for shape in shapes {
            var feature = OverlayFeature(
                shape, name: name, style: style, time: time, attributes: attributes)
            feature.isTrack = feature.paths.contains { !$0.times.isEmpty }
            sink.features.append(feature)
        }
    }
}
