internal import RhumbBase
internal import RhumbCells
internal import RhumbGeo

/// Creates features from KML 2: placemarks with points, lines, polygons and tracks, in the colours of their
/// styles.
struct KMLFeatures: XMLFeatures, Sendable {
    private enum Name {
        static let placemark = XMLStream.Name("Placemark"), title = XMLStream.Name("name"),
            words = XMLStream.Name("description")
        static let coordinates = XMLStream.Name("coordinates"), point = XMLStream.Name("Point"),
            line = XMLStream.Name("LineString")
        static let ring = XMLStream.Name("LinearRing"), polygon = XMLStream.Name("Polygon"),
            inner = XMLStream.Name("innerBoundaryIs")
        static let track = XMLStream.Name("Track"), when = XMLStream.Name("when"),
            coord = XMLStream.Name("coord")
        static let style = XMLStream.Name("Style"), styleMap = XMLStream.Name("StyleMap"),
            styleURL = XMLStream.Name("styleUrl")
        static let id = XMLStream.Name("id"), colour = XMLStream.Name("color"),
            width = XMLStream.Name("width")
        static let area = XMLStream.Name("PolyStyle"), icon = XMLStream.Name("IconStyle"),
            stroke = XMLStream.Name("LineStyle")
        static let data = XMLStream.Name("Data"), simple = XMLStream.Name("SimpleData"),
            value = XMLStream.Name("value")
        static let named = XMLStream.Name("name"), link = XMLStream.Name("NetworkLink"),
            key = XMLStream.Name("key")
        static let document = XMLStream.Name("Document"), pair = XMLStream.Name("Pair")
    }

    private struct Style { var ink: RGB?, opacity = 1.0, width: Double?, fill: RGB?, fillOpacity = 0.3 }

    var line = 1
    var sink = FeatureSink()
    private var name = "", packed: [UInt8] = [], id = "", time = Double.nan
    private var points: [WorldPoint] = [], lines: [OverlayPath] = [], areas: [[OverlayPath]] = []
    private var whens: [Double] = [], track = OverlayPathBuilder(), coordCount = 0
    private var styles: [String: Style] = [:], maps: [String: String] = [:]
    private var own: Style?, styleID = "", mapID = "", styleURL = "", pairKey = ""
    private var dataName = "", looks = OverlayStyleBuilder()
    private static let styleLimit = 4096

    mutating func begin(
        _ element: XMLStream.Name, _ attributes: XMLStream.Attributes, _ path: [XMLStream.Name]
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
            id = attributes[Name.id]?.text ?? ""
        case Name.polygon: areas.append([])
        case Name.track: (whens, track, coordCount) = ([], OverlayPathBuilder(), 0)
        case Name.style: (own, styleID) = (Style(), attributes[Name.id]?.text ?? "")
        case Name.styleMap: mapID = attributes[Name.id]?.text ?? ""
        case Name.data, Name.simple:
            dataName =
                attributes[Name.named].map { String(decoding: XMLStream.resolved(Array($0)), as: UTF8.self) }
                ?? ""
        case Name.link: sink.faults.add("NetworkLink is not supported", line: line)
        default: break
        }
    }

    mutating func end(_ element: XMLStream.Name, text: Bytes, _ path: [XMLStream.Name]) {
        switch element {
        case Name.title: takeName(text, path)
        case Name.words, Name.value, Name.simple: takeWords(element, text, path)
        case Name.coordinates: takeCoordinates(text, path)
        case Name.when:
            let moment = text.trimmed.moment ?? .nan
            if path.contains(Name.track) { whens.append(moment) } else { time = moment }
        case Name.coord: takeCoord(text)
        case Name.track: track.finish().map { lines.append($0) }
        case Name.colour, Name.width: takeStyle(element, text, path)
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

    private mutating func takeName(_ text: Bytes, _ path: [XMLStream.Name]) {
        if path.parent == Name.placemark { name = text.trimmed.text }
        if path.parent == Name.document, sink.title.isEmpty {
            sink.title = SafeText.sanitised(text.trimmed.text, limit: 80)
        }
    }

    private mutating func takeWords(_ element: XMLStream.Name, _ text: Bytes, _ path: [XMLStream.Name]) {
        guard path.contains(Name.placemark), !text.isEmpty, packed.count < 1 << 16 else { return }
        let key = element == Name.words ? "description" : dataName
        guard !key.isEmpty, element != Name.words || path.parent == Name.placemark else { return }
        OverlayAttributes.append(key.utf8, text.trimmed.prefix(2000), to: &packed)
    }

    private mutating func takeStyleURL(_ url: String, _ path: [XMLStream.Name]) {
        let id = String(url.drop { $0 == "#" })
        if path.parent == Name.pair {
            if pairKey == "normal", maps.count < Self.styleLimit { maps[mapID] = id }
        } else if path.parent == Name.placemark {
            styleURL = id
        }
    }

    private mutating func takeStyle(_ element: XMLStream.Name, _ text: Bytes, _ path: [XMLStream.Name]) {
        guard own != nil else { return }
        if element == Name.width {
            if path.parent == Name.stroke { own?.width = text.trimmed.number() }
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

    private mutating func takeCoordinates(_ text: Bytes, _ path: [XMLStream.Name]) {
        guard path.contains(Name.placemark) else { return }
        var builder = OverlayPathBuilder(), only: WorldPoint?, at = 0, isRing = path.parent == Name.ring
        var first: WorldPoint?, pending: (WorldPoint, Double)?
        while at < text.count {
            while at < text.count, text[at] <= 0x20 { at += 1 }
            let start = at
            while at < text.count, text[at] > 0x20 { at += 1 }
            guard at > start else { break }
            guard let (place, height) = KMLFeatures.place(text.part(start..<at)) else {
                sink.faults.add("coordinates are not longitude,latitude in degrees", line: line)
                continue
            }
            guard sink.take(points: 1) else { return sink.faults.add(FeatureSink.tooManyPoints, line: line) }
            if let pending { builder.append(pending.0, height: pending.1) }
            pending = (place, height)
            only = place
            first = first ?? place
        }
        // A ring's last corner repeats its first one.
        if let pending, !isRing || pending.0 != first { builder.append(pending.0, height: pending.1) }
        isRing = isRing && path.contains(Name.polygon)
        if path.parent == Name.point {
            only.map { points.append($0) }
        } else if let built = builder.finish() {
            if isRing, !areas.isEmpty { areas[areas.count - 1].append(built) } else { lines.append(built) }
        }
    }

    private static func place(_ text: Bytes) -> (WorldPoint, Double)? {
        var values = (Double.nan, Double.nan, Double.nan), start = 0, count = 0
        for at in 0...text.count where at == text.count || text[at] == UInt8(ascii: ",") || text[at] == 0x20 {
            let number = text.part(start..<at).number() ?? .nan
            switch count {
            case 0: values.0 = number
            case 1: values.1 = number
            default: values.2 = number
            }
            start = at + 1
            count = count + 1
        }
        guard count > 1, let point = try? GeoJSONFeatures.world(values.0, values.1) else { return nil }
        return (point, values.2)
    }

    private mutating func takeCoord(_ text: Bytes) {
        guard let (place, height) = KMLFeatures.place(text.trimmed) else { return }
        guard sink.take(points: 1) else { return sink.faults.add(FeatureSink.tooManyPoints, line: line) }
        track.append(place, height: height, time: coordCount < whens.count ? whens[coordCount] : .nan)
        coordCount += 1
    }

    private mutating func finishPlacemark() {
        if let style = own ?? styles[styleURL] ?? maps[styleURL].flatMap({ styles[$0] }) {
            looks.take(ink: style.ink, opacity: style.opacity, width: style.width)
            if let fill = style.fill { looks.take(fill: fill, opacity: style.fillOpacity) }
        }
        own = nil
        let look = looks.finish(), attributes = OverlayAttributes(packed: packed)
        var shapes = points.map { OverlayFeature.Shape.point($0) }
        if !lines.isEmpty { shapes.append(.line(lines)) }
        let rings = areas.filter { !$0.isEmpty }
        if !rings.isEmpty { shapes.append(.area(rings)) }
        for shape in shapes {
            var feature = OverlayFeature(
                shape, id: shapes.count == 1 ? id : "", name: name, look: look, time: time,
                attributes: attributes)
            feature.isTrack = feature.paths.contains { !$0.times.isEmpty }
            sink.features.append(feature)
        }
    }
}
