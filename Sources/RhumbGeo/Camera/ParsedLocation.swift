internal import Glibc
internal import RhumbBase

/// A location as users enter it: coordinates, and optionally a scale.
///
/// Accepted forms are decimal degrees ("60.39,22.37", "60.39N 22.37E", "-33.9 151.2", "60,39 22,37"), degrees
/// with minutes and seconds ("60°23'35"N 22°22'44"E", "60 23.6 N, 22 22.7 E", "60:23:35 22:22:44", "602335N
/// 0222244E"), UTM ("35V 465000 6695000"), MGRS ("35VML6500095000"), a Maidenhead locator ("KP10dm"), a tile
/// ("12/2302/1187"), a geohash
/// ("u6xzt19"), a plus code ("9GG499QC+X2", or its end "99QC+X2" near a known place), `geo:` URIs (RFC 5870),
/// and links to OpenStreetMap, Google Maps and similar sites. After coordinates a zoom ("12", "12.5z") or a
/// width of the view ("7km", "500 m", "3mi") may follow.
public struct ParsedLocation: Hashable, Sendable {
    /// The scale of a view, as a zoom or a width on the ground.
    public enum Closeness: Hashable, Sendable {
        case zoom(Double)
        /// The width of the view on the ground, in metres.
        case width(metres: Double)
    }

    /// The position.
    public let coordinate: Coordinate
    /// The scale of the view; nil if none was given.
    public let closeness: Closeness?

    /// The failure of a text that is not a location, with an example of a valid one.
    public struct Misread: Error, Equatable, Sendable, CustomStringConvertible {
        /// The problem, and an example.
        public let description: String
        /// True for coordinates out of range.
        public var isOutOfRange = false
    }

    /// - Parameter near: The reference position of a short plus code.
    /// - Throws: `Misread`, whose description names the problem and an example.
    public init(_ text: String, near: Coordinate? = nil) throws(Misread) {
        let lowercased = ParsedLocation.unbracketed(text.lowercased())
        if let link = MapLinkParser(lowercased) {
            self = try ParsedLocation.checked(
                link.latitude, link.longitude, link.zoom.map { Closeness.zoom($0) })
            return
        }
        if let cell = try ParsedLocation.cell(lowercased, near, text) {
            self = cell
            return
        }
        if let tile = TileID(text: lowercased) {
            coordinate = tile.center
            closeness = .zoom(Double(tile.zoom))
            return
        }
        if let utm = UTM(lowercased) {
            coordinate = utm.coordinate
            closeness = nil
            return
        }
        let isURI = lowercased.hasPrefix("geo:")
        let plain = isURI ? ParsedLocation.unwrapped(geo: text.dropFirst(4).lowercased()) : lowercased
        for numbers in 1...3 {
            guard let place = try ParsedLocation.angles(plain, numbers) else { continue }
            self = place
            return
        }
        guard let points = ParsedLocation.withPoints(plain), let place = try ParsedLocation.angles(points, 1)
        else {
            throw ParsedLocation.misread(text)
        }
        self = place
    }

    /// Returns a short plus code and the town that follows it as a reference, as in "9G8F+5W Zurich"; nil for
    /// other words.
    public static func shortCode(in text: String) -> (code: String, town: String)? {
        guard let space = text.firstIndex(of: " ") else { return nil }
        let code = String(text[..<space]), town = text[space...].drop { $0 == " " }
        guard case .needsPlace = PlusCode.read(code.lowercased(), near: nil), !town.isEmpty else {
            return nil
        }
        return (code, String(town))
    }

    /// Parses a latitude or a longitude in degrees, minutes and seconds, such as 43°42'N or 43,7 S; nil for
    /// anything else.
    package static func degrees(_ text: String, isLatitude: Bool) -> Double? {
        let lowercased = text.lowercased().replacing(",", with: ".")
        for numbers in 1...3 {
            var reader = CoordinateParser(lowercased, numbers: numbers)
            guard let angle = reader.angle(), reader.rest.isEmpty else { continue }
            return angle.axis == nil || (angle.axis == .latitude) == isLatitude ? angle.degrees : nil
        }
        return nil
    }

    /// Reads two angles and an optional scale; nil for anything else.
    /// - Parameter numbers: The numbers per angle if no signs separate them.
    private static func angles(_ text: String, _ numbers: Int) throws(Misread) -> ParsedLocation? {
        var reader = CoordinateParser(text, numbers: numbers)
        guard let first = reader.angle(), let second = reader.angle(), let closeness = closeness(reader.rest)
        else { return nil }
        let isSwapped = first.axis == .longitude || second.axis == .latitude
        let (north, east) = isSwapped ? (second, first) : (first, second)
        guard north.axis != .longitude, east.axis != .latitude,
            first.axis == nil || second.axis == nil || first.isLetterFirst == second.isLetterFirst
        else { return nil }
        return try checked(north.degrees, east.degrees, closeness.value)
    }

    /// Returns "60,39 22,37" with points instead of its two decimal commas; nil for other words.
    private static func withPoints(_ text: String) -> String? {
        let letters = Array(text)
        let commas = letters.indices.dropFirst().dropLast().filter {
            letters[$0] == "," && letters[$0 - 1].isNumber && letters[$0 + 1].isNumber
        }
        guard commas.count == 2 else { return nil }
        return String(letters.indices.map { commas.contains($0) ? "." : letters[$0] })
    }

    /// Returns the text within one pair of brackets, as in "(60.39, 22.37)" or a JSON array; any other text
    /// unchanged.
    private static func unbracketed(_ text: String) -> String {
        for (open, end) in [("(", ")"), ("[", "]")] where text.hasPrefix(open) && text.hasSuffix(end) {
            return String(text.dropFirst().dropLast())
        }
        return text
    }

    /// Converts the part of a `geo:` URI behind the scheme, such as "60.39,22.37,altitude;u=35?z=12", to
    /// "60.39,22.37 z12", because only position and zoom matter. Apps on Android write
    /// "0,0?q=60.39,22.37(label)" for a place with a name.
    private static func unwrapped(geo text: String) -> String {
        let parts = text.split(separator: "?", maxSplits: 1)
        let items = (parts.dropFirst().first ?? "").split(separator: "&")
        func item(_ name: String) -> Substring? {
            items.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        }
        var place = (parts.first ?? "").prefix { $0 != ";" }
        let isLabelled = place.split(separator: ",").prefix(2).allSatisfy { Double($0) == 0 }
        let query = item("q").map { PercentCoding.decoded(String($0.replacing("+", with: " "))) }
        if isLabelled, let query { place = query.prefix { $0 != "(" } }
        let numbers = place.split(separator: ",").prefix(2)
        return numbers.joined(separator: ",") + (item("z").map { " z" + $0 } ?? "")
    }

    /// Creates a location from coordinates.
    /// - Parameter closeness: The zoom or width of the view; nil leaves the view's zoom unchanged.
    public init(coordinate: Coordinate, closeness: Closeness?) {
        self.coordinate = coordinate
        self.closeness = closeness
    }

    /// Returns the camera that shows the location on a screen, at the given scale or the current one.
    public func camera(on viewport: Viewport) -> Camera {
        let here = Camera(center: coordinate, zoom: viewport.camera.zoom)
        switch closeness {
        case .zoom(let zoom): return here.zoomed(to: zoom)
        case .width(let metres): return viewport.with(here).camera(widthInMetres: metres)
        case nil: return here
        }
    }

    /// Returns a length such as "7km", "500 m", "3mi", "2000ft" in metres; nil for anything else.
    public static func metres(_ text: String) -> Double? {
        let lowercased = text.lowercased().filter { $0 != " " }
        let number = lowercased.prefix { $0.isNumber || $0 == "." }
        let factors = ["m": 1.0, "km": 1000, "mi": 1609.344, "ft": 0.3048, "nm": 1852]
        guard let value = Double(number), value > 0, value.isFinite,
            let factor = factors[String(lowercased.dropFirst(number.count))]
        else { return nil }
        return value * factor
    }

    private static func misread(_ text: String) -> Misread {
        let shown = SafeText.sanitised(text, limit: 40)
        return Misread(
            description: "\"\(shown)\" is not a place; use latitude,longitude, such as "
                + "60.39,22.37 or 60.39,22.37 12 or 60.39,22.37 7km")
    }

    private static func checked(
        _ latitude: Double, _ longitude: Double, _ closeness: Closeness?
    ) throws(Misread) -> ParsedLocation {
        guard abs(latitude) <= 90 else {
            throw Misread(
                description: "latitude \(latitude) is out of range (-90 to 90); the latitude comes first",
                isOutOfRange: true)
        }
        guard abs(longitude) <= 180 else {
            throw Misread(
                description: "longitude \(longitude) is out of range (-180 to 180)", isOutOfRange: true)
        }
        if case .zoom(let zoom) = closeness, !Camera.zoomRange.contains(zoom) {
            throw Misread(description: "zoom \(zoom) is out of range (-5 to 24)", isOutOfRange: true)
        }
        return ParsedLocation(
            coordinate: Coordinate(latitude: latitude, longitude: longitude), closeness: closeness)
    }

    /// - Returns: nil if the words are neither empty nor a zoom nor a width.
    private static func closeness(_ text: String) -> (value: Closeness?, Void)? {
        if text.isEmpty { return (nil, ()) }
        if let metres = metres(text) { return (.width(metres: metres), ()) }
        var zoom = text[...]
        if zoom.hasPrefix("z") {
            zoom = zoom.dropFirst()
        } else if zoom.hasSuffix("z") {
            zoom = zoom.dropLast()
        }
        return Double(zoom).map { (.zoom($0), ()) }
    }

    /// Parses a geohash, a square of the military grid or a plus code. Returns the centre of its cell, and a
    /// width that shows the cell with a good margin.
    /// - Parameter hasCapitals: True if the text was written in capitals, as in the military grid.
    private static func cell(
        _ words: String, _ near: Coordinate?, _ text: String
    ) throws(Misread) -> ParsedLocation? {
        let hasCapitals = !text.contains(where: \.isLowercase)
        let locator = Maidenhead(words).map { ParsedLocation(cell: $0.center, width: $0.width * degree) }
        if let locator, text.prefix(2).allSatisfy(\.isUppercase) { return locator }
        let hash = Geohash(words).map { ParsedLocation(cell: $0.center, width: $0.width * degree) }
        // Without digits, three letters behind a number may be anything but for their capitals.
        let square = MilitaryGrid(words).flatMap { grid in
            let isSure = grid.width < MilitaryGrid.square || hasCapitals && !words.contains(" ")
            return isSure ? ParsedLocation(cell: grid.center, width: grid.width) : nil
        }
        if hasCapitals, MilitaryGrid.isPolar(words) {
            throw Misread(
                description: "squares of the military grid at the poles can't be read; use "
                    + "latitude,longitude")
        }
        if let cell = hasCapitals ? square ?? hash : hash ?? square ?? locator { return cell }
        // A full code needs no town, although one may follow it.
        let first = String(words.prefix { $0 != " " })
        if case .code(let code) = PlusCode.read(first, near: nil) {
            return ParsedLocation(cell: code.center, width: code.width * degree)
        }
        switch PlusCode.read(words, near: near) {
        case .code(let code): return ParsedLocation(cell: code.center, width: code.width * degree)
        case .needsPlace:
            throw Misread(
                description: "\(words.uppercased()) is a short plus code; use the full code, "
                    + "such as 9GG499QC+X2, or coordinates such as 60.39,22.37")
        case nil: return nil
        }
    }

    /// - Parameter width: The width of the cell in metres.
    private init(cell center: Coordinate, width: Double) {
        coordinate = center
        closeness = .width(metres: max(width * ParsedLocation.cellMargin, ParsedLocation.closest))
    }

    /// The length of a degree of longitude at the equator, in metres.
    private static let degree = 111_320.0

    /// The width of a view as a multiple of the cell's, and the minimum width in metres.
    private static let cellMargin = 4.0, closest = 400.0
}

/// A view of the map in notations that other programs read.
public struct PlaceNotations: Sendable {
    private let camera: Camera
    /// The width of the view in metres.
    private let width: Double

    /// Creates the notations of a view.
    public init(_ viewport: Viewport) {
        camera = viewport.camera
        width = max(
            viewport.width / camera.worldPixels * 40_075_016.7 * cos(camera.coordinate.latitude.radians),
            1)
    }

    /// The coordinate, such as "60.3931,22.3790", with as many decimals as the zoom makes meaningful.
    public var coordinate: String {
        number(camera.coordinate.latitude) + "," + number(camera.coordinate.longitude)
    }

    /// The zoom, such as "12" or "12.25", at least 0.
    public var zoom: String { max(camera.zoom, 0).plain(2) }

    /// A `geo:` URI (RFC 5870), with the zoom that map apps on Android read.
    public var geo: String { "geo:\(coordinate)?z=\(zoom)" }

    /// A link to OpenStreetMap.
    public var openStreetMap: String {
        let place = camera.coordinate
        return
            "https://www.openstreetmap.org/#map=\(Int(max(camera.zoom, 0).rounded()))/\(number(place.latitude))/\(number(place.longitude))"
    }

    /// A geohash whose cell is a small part of the view.
    public var geohash: String {
        let length = (4...12).first {
            PlaceNotations.cellWidth(geohash: $0) * PlaceNotations.metresOfDegree <= width
                / PlaceNotations.share
        }
        return camera.coordinate.geohash(length: length ?? 12)
    }

    /// A plus code whose cell is a small part of the view.
    public var plusCode: String {
        let cells = [(4, 1.0), (6, 0.05), (8, 0.0025), (10, 0.000125)]
        let fitting = cells.first { $0.1 * PlaceNotations.metresOfDegree <= width / PlaceNotations.share }
        return camera.coordinate.plusCode(digits: fitting?.0 ?? 10)
    }

    /// A square of the military grid that is a small part of the view; nil near the poles.
    public var militaryGrid: String? {
        let digits = (1...5).first { digits in
            (0..<digits).reduce(100_000.0) { side, _ in side / 10 } <= width / PlaceNotations.share
        }
        return UTMPosition(camera.coordinate)?.militaryGrid(digits: digits ?? 5)
    }

    /// A position in UTM; nil near the poles.
    public var utm: String? { UTMPosition(camera.coordinate)?.text }

    /// A Maidenhead locator whose square is a small part of the view.
    public var maidenhead: String {
        let fitting = [(2, 2.0), (3, 1 / 12.0), (4, 1 / 120.0)].first {
            $0.1 * PlaceNotations.metresOfDegree <= width / PlaceNotations.share
        }
        return Maidenhead.text(of: camera.coordinate, pairs: fitting?.0 ?? 5)
    }

    /// The minimum ratio of a view's width to the width of its code's cell.
    private static let share = 8.0
    private static let metresOfDegree = 111_320.0

    /// Returns the width of a geohash's cell in degrees.
    private static func cellWidth(geohash length: Int) -> Double { 360 / Double(1 << ((5 * length + 1) / 2)) }

    private func number(_ degrees: Double) -> String {
        degrees.decimals(min(max(Int(camera.zoom / 3) + 1, 2), 7))
    }
}
