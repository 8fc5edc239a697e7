/// A place as people type it: coordinates, and perhaps how close.
///
/// Understood are decimal degrees ("60.39,22.37", "60.39N 22.37E", "-33.9 151.2"), degrees with
/// minutes and seconds ("60°23'35"N 22°22'44"E"), a tile ("12/2302/1187"), a geohash ("u6xzt19"),
/// a plus code ("9GG499QC+X2", or its end "99QC+X2" near a place that is known), `geo:` addresses
/// (RFC 5870) and links to OpenStreetMap, Google's map and their like. After coordinates a zoom
/// ("12", "12.5z") or a width of the view ("7km", "500 m", "3mi") may follow.
public struct PlaceText: Hashable, Sendable {
    /// How close to look, as a zoom or a width on the ground.
    public enum Closeness: Hashable, Sendable {
        case zoom(Double)
        /// The width of the view on the ground, in metres.
        case width(metres: Double)
    }

    /// Where it is.
    public let coordinate: Coordinate
    /// How close to look; nil: nothing was said of it.
    public let closeness: Closeness?

    /// What was not understood, and what would be.
    public struct Misread: Error, Equatable, Sendable, CustomStringConvertible {
        /// What could not be read, and what would be right.
        public let description: String
    }

    /// - Parameter near: what a short plus code is near to.
    /// - Throws: `Misread`, whose description says what is wrong and gives an example.
    public init(_ text: String, near: Coordinate? = nil) throws(Misread) {
        let words = text.lowercased()
        if let link = PlaceLink(words) {
            self = try PlaceText.checked(
                link.latitude, link.longitude, link.zoom.map { Closeness.zoom($0) })
            return
        }
        if let cell = try PlaceText.cell(words, near) {
            self = cell
            return
        }
        if let tile = TileID(text: words) {
            coordinate = tile.center
            closeness = .zoom(Double(tile.zoom))
            return
        }
        var reader = PlaceReader(words.hasPrefix("geo:") ? PlaceText.unwrapped(geo: words) : words)
        guard let first = reader.angle(), let second = reader.angle() else {
            throw PlaceText.misread(text)
        }
        let rest = reader.rest
        guard let closeness = PlaceText.closeness(rest) else { throw PlaceText.misread(text) }
        let isSwapped = first.axis == .longitude || second.axis == .latitude
        let (north, east) = isSwapped ? (second, first) : (first, second)
        guard north.axis != .longitude, east.axis != .latitude else { throw PlaceText.misread(text) }
        self = try PlaceText.checked(north.degrees, east.degrees, closeness.value)
    }

    /// "geo:60.39,22.37,altitude;u=35?z=12" as "60.39,22.37 12": only place and zoom matter here.
    private static func unwrapped(geo words: String) -> String {
        let parts = words.dropFirst(4).split(separator: "?", maxSplits: 1)
        let numbers = (parts.first ?? "").prefix { $0 != ";" }.split(separator: ",").prefix(2)
        let zoom = (parts.dropFirst().first ?? "").split(separator: "&").first { $0.hasPrefix("z=") }
        return numbers.joined(separator: ",") + (zoom.map { " " + $0.dropFirst(2) } ?? "")
    }

    private init(coordinate: Coordinate, closeness: Closeness?) {
        self.coordinate = coordinate
        self.closeness = closeness
    }

    /// The camera that shows the place on a screen: as close as was said, else as close as it is.
    public func camera(on viewport: Viewport) -> Camera {
        let here = Camera(center: coordinate, zoom: viewport.camera.zoom)
        switch closeness {
        case .zoom(let zoom): return here.zoomed(to: zoom)
        case .width(let metres): return viewport.with(here).camera(widthInMetres: metres)
        case nil: return here
        }
    }

    /// A length such as "7km", "500 m", "3mi", "2000ft" in metres; nil for anything else.
    public static func metres(_ text: String) -> Double? {
        let words = text.lowercased().filter { $0 != " " }
        let number = words.prefix { $0.isNumber || $0 == "." }
        let factors = ["m": 1.0, "km": 1000, "mi": 1609.344, "ft": 0.3048, "nm": 1852]
        guard let value = Double(number), value > 0, value.isFinite,
            let factor = factors[String(words.dropFirst(number.count))]
        else { return nil }
        return value * factor
    }

    private static func misread(_ text: String) -> Misread {
        let shown = SafeText.sanitised(text, limit: 40)
        return Misread(
            description: "\"\(shown)\" is no place; write latitude, longitude, as in "
                + "60.39,22.37 or 60.39,22.37 12 or 60.39,22.37 7km")
    }

    private static func checked(
        _ latitude: Double, _ longitude: Double, _ closeness: Closeness?
    ) throws(Misread) -> PlaceText {
        guard abs(latitude) <= 90 else {
            throw Misread(
                description: "latitude \(latitude) is out of range: it goes from -90 to 90 and comes first")
        }
        guard abs(longitude) <= 180 else {
            throw Misread(description: "longitude \(longitude) is out of range: it goes from -180 to 180")
        }
        if case .zoom(let zoom) = closeness, !Camera.zoomRange.contains(zoom) {
            throw Misread(description: "zoom \(zoom) is out of range: it goes from 0 to 24")
        }
        return PlaceText(
            coordinate: Coordinate(latitude: latitude, longitude: longitude), closeness: closeness)
    }

    /// - Returns: nil when the words are neither empty nor a zoom nor a width.
    private static func closeness(_ words: String) -> (value: Closeness?, Void)? {
        if words.isEmpty { return (nil, ()) }
        if let metres = metres(words) { return (.width(metres: metres), ()) }
        var zoom = words[...]
        if zoom.hasPrefix("z") {
            zoom = zoom.dropFirst()
        } else if zoom.hasSuffix("z") {
            zoom = zoom.dropLast()
        }
        return Double(zoom).map { (.zoom($0), ()) }
    }

    /// A geohash or a plus code: the middle of its cell, and the cell with a good margin.
    private static func cell(_ words: String, _ near: Coordinate?) throws(Misread) -> PlaceText? {
        if let hash = Geohash(words) { return PlaceText(cell: hash.center, width: hash.width) }
        switch PlusCode.read(words, near: near) {
        case .code(let code): return PlaceText(cell: code.center, width: code.width)
        case .needsPlace:
            throw Misread(
                description: "\(words.uppercased()) is a short plus code: write the whole code, "
                    + "as in 9GG499QC+X2, or 60.39,22.37")
        case nil: return nil
        }
    }

    private init(cell center: Coordinate, width: Double) {
        coordinate = center
        closeness = .width(metres: max(width * 111_320 * PlaceText.cellMargin, PlaceText.closest))
    }

    /// A view is this many times as wide as the cell, and at least so many metres.
    private static let cellMargin = 4.0, closest = 400.0
}

/// Reads angles off the front of a text.
private struct PlaceReader {
    enum Axis { case latitude, longitude }
    private var text: Substring

    init(_ text: String) { self.text = text[...] }

    /// What is left, without the spaces and commas around it.
    var rest: String {
        var words = text
        while let first = words.first, first == " " || first == "," || first == ";" { words.removeFirst() }
        while let last = words.last, last == " " { words.removeLast() }
        return String(words)
    }

    /// One angle: degrees, perhaps minutes and seconds, perhaps a letter of the compass.
    mutating func angle() -> (degrees: Double, axis: Axis?)? {
        skip(" ,;")
        var letter = compass()
        skip(" ")
        guard let degrees = number(isSigned: true) else { return nil }
        var size = abs(degrees)
        if skip("°º") {
            skip(" ")
            if let minutes = part("'′’", below: 60) {
                size += minutes / 60
                skip(" ")
                if let seconds = part("\"″”", below: 60) { size += seconds / 3600 }
            }
        }
        let saved = text
        skip(" ")
        letter = letter ?? compass()
        if letter == nil { text = saved }
        let isNegative = degrees.sign == .minus || letter == "s" || letter == "w"
        let axis: Axis? = letter.map { "ns".contains($0) ? .latitude : .longitude }
        return (isNegative ? -size : size, axis)
    }

    private mutating func compass() -> Character? {
        guard let first = text.first, "nsew".contains(first) else { return nil }
        text.removeFirst()
        return first
    }

    /// A number that one of the signs follows; otherwise nothing is read.
    private mutating func part(_ signs: String, below limit: Double) -> Double? {
        let saved = text
        if let value = number(isSigned: false), value < limit, skip(signs) { return value }
        text = saved
        return nil
    }

    @discardableResult
    private mutating func skip(_ signs: String) -> Bool {
        let before = text.startIndex
        while let first = text.first, signs.contains(first) { text.removeFirst() }
        return text.startIndex != before
    }

    private mutating func number(isSigned: Bool) -> Double? {
        var digits = ""
        if isSigned, let sign = text.first, "+-−".contains(sign) {
            digits = sign == "+" ? "" : "-"
            text.removeFirst()
        }
        while let next = text.first, next.isASCII, next.isNumber || next == "." {
            digits.append(next)
            text.removeFirst()
        }
        return Double(digits)
    }
}
