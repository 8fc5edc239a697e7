internal import Glibc
internal import RhumbBase

/// Coordinates in notations that other programs and people read. `ParsedLocation` parses them.
extension Coordinate {
    /// Returns a geohash.
    /// - Parameter length: The number of characters, 1…12.
    public func geohash(length: Int) -> String {
        let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz")
        var east = (low: -180.0, high: 180.0), north = (low: -90.0, high: 90.0)
        var text = "", digit = 0, bits = 0
        while text.count < min(max(length, 1), 12) {
            let isUpper =
                bits % 2 == 0 ? Coordinate.halve(&east, longitude) : Coordinate.halve(&north, latitude)
            digit = digit << 1 | (isUpper ? 1 : 0)
            bits += 1
            if bits % 5 == 0 {
                text.append(alphabet[digit])
                digit = 0
            }
        }
        return text
    }

    private static func halve(_ range: inout (low: Double, high: Double), _ value: Double) -> Bool {
        let middle = (range.low + range.high) / 2
        if value >= middle { range.low = middle } else { range.high = middle }
        return value >= middle
    }

    /// Returns a plus code (Open Location Code). Its cell is about 14 m wide with 10 digits, 275 m with 8, 5
    /// km with 6, and 110 km with 4.
    /// - Parameter digits: The number of digits, an even number from 4 to 10.
    public func plusCode(digits: Int = 10) -> String {
        let alphabet = Array("23456789CFGHJMPQRVWX"), count = min(max(digits, 4), 10) / 2
        // Returns whole steps of the last of five pairs, 8000 per degree.
        func steps(_ degrees: Double, _ range: Int) -> Int {
            min(max(Int((degrees * 8000 + 1e-6).rounded(.down)), 0), range * 8000 - 1)
        }
        let north = steps(latitude + 90, 180)
        let east = steps(longitude + 180, 360)
        var text = ""
        for pair in 0..<count {
            let divisor = (0..<(4 - pair)).reduce(1) { product, _ in product * 20 }
            text.append(alphabet[north / divisor % 20])
            text.append(alphabet[east / divisor % 20])
        }
        if text.count > 8 {
            text.insert("+", at: text.index(text.startIndex, offsetBy: 8))
        } else {
            text += String(repeating: "0", count: 8 - text.count) + "+"
        }
        return text
    }
}

/// A view of the map in notations that other programs read.
public struct PlaceWords: Sendable {
    private let camera: Camera
    /// The width of the view in metres.
    private let width: Double

    /// Creates the notations of a view.
    public init(_ viewport: Viewport) {
        camera = viewport.camera
        width = max(
            viewport.width / camera.worldPixels * 40_075_016.7 * cos(camera.coordinate.latitude * .pi / 180),
            1)
    }

    /// The coordinate, such as "60.3931,22.3790", with as many decimals as the zoom makes meaningful.
    public var coordinate: String {
        number(camera.coordinate.latitude) + "," + number(camera.coordinate.longitude)
    }

    /// The zoom, such as "12" or "12.25", at least 0.
    public var zoom: String {
        let hundredths = Int((max(camera.zoom, 0) * 100).rounded())
        if hundredths % 100 == 0 { return "\(hundredths / 100)" }
        let rest = String(hundredths % 100 + 100).dropFirst()
        return "\(hundredths / 100).\(rest.hasSuffix("0") ? rest.dropLast() : rest)"
    }

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
            PlaceWords.cellWidth(geohash: $0) * PlaceWords.metresOfDegree <= width / PlaceWords.share
        }
        return camera.coordinate.geohash(length: length ?? 12)
    }

    /// A plus code whose cell is a small part of the view.
    public var plusCode: String {
        let cells = [(4, 1.0), (6, 0.05), (8, 0.0025), (10, 0.000125)]
        let fitting = cells.first { $0.1 * PlaceWords.metresOfDegree <= width / PlaceWords.share }
        return camera.coordinate.plusCode(digits: fitting?.0 ?? 10)
    }

    /// A square of the military grid that is a small part of the view; nil near the poles.
    public var militaryGrid: String? {
        let digits = (1...5).first { digits in
            (0..<digits).reduce(100_000.0) { side, _ in side / 10 } <= width / PlaceWords.share
        }
        return UTMPosition(camera.coordinate)?.militaryGrid(digits: digits ?? 5)
    }

    /// A position in UTM; nil near the poles.
    public var utm: String? { UTMPosition(camera.coordinate)?.text }

    /// A Maidenhead locator whose square is a small part of the view.
    public var maidenhead: String {
        let fitting = [(2, 2.0), (3, 1 / 12.0), (4, 1 / 120.0)].first {
            $0.1 * PlaceWords.metresOfDegree <= width / PlaceWords.share
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

extension Double {
    /// Returns the number with a fixed number of decimals, 0…9.
    public func decimals(_ count: Int) -> String {
        guard isFinite, magnitude < 1e9 else { return "0" }
        let scale = (0..<count).reduce(1) { scale, _ in scale * 10 }
        let units = Int(clamping: magnitude * Double(scale)), sign = self < 0 && units > 0 ? "-" : ""
        guard count > 0 else { return "\(sign)\(units)" }
        return "\(sign)\(units / scale)." + String(units % scale + scale).dropFirst()
    }
}
