/// A plus code (Open Location Code): "9GG499QC+X2", or short "99QC+X2" near a known position.
struct PlusCode {
    /// The centre of its cell.
    let center: Coordinate
    /// The width of its cell in degrees.
    let width: Double

    fileprivate static let alphabet = Array("23456789cfghjmpqrvwx".utf8)
    private static let separator = UInt8(ascii: "+")
    /// The number of digits before the separator of a full code.
    private static let full = 8
    /// Maximum length of a code. Digits beyond the 15th are valid, but make no difference.
    private static let longest = 32

    enum Reading {
        case code(PlusCode)
        /// A short code without a reference position.
        case needsPlace
    }

    /// Reads a full or short code.
    /// - Parameters:
    ///   - text: The text in lower case.
    ///   - near: The reference position of a short code.
    /// - Returns: nil if it is not a code.
    static func read(_ text: String, near: Coordinate?) -> Reading? {
        let bytes = Array(text.utf8)
        guard bytes.count <= longest, let at = bytes.firstIndex(of: separator), at <= full, at % 2 == 0
        else { return nil }
        let before = Array(bytes[..<at]), after = Array(bytes[(at + 1)...])
        guard after.count != 1, after.allSatisfy(alphabet.contains) else { return nil }
        if at == full { return decoded(before, after).map { .code($0) } }
        // "+48" is a number.
        guard before.allSatisfy(alphabet.contains),
            at > 0 || after.contains(where: { $0 > UInt8(ascii: "9") })
        else { return nil }
        guard let near else { return .needsPlace }
        let missing = full - at
        let prefix = Array(digits(near).prefix(missing))
        return decoded(prefix + before, after)?.moved(near: near, missing: missing).map { .code($0) }
    }

    /// Returns the first eight digits of a position's code.
    private static func digits(_ place: Coordinate) -> [UInt8] {
        var north = Int(min(max(place.latitude + 90, 0), 179.9999999) * unitsPerDegree)
        var east = Int((place.longitude + 180).truncatingRemainder(dividingBy: 360) * unitsPerDegree)
        var digits: [UInt8] = [], size = Int(20 * unitsPerDegree)
        for _ in 0..<full / 2 {
            for rest in [north, east] { digits.append(alphabet[min(max(rest / size, 0), 19)]) }
            north %= size
            east %= size
            size /= 20
        }
        return digits
    }

    private static let unitsPerDegree = 25_000_000.0

    private static func decoded(_ before: [UInt8], _ after: [UInt8]) -> PlusCode? {
        var digits = before
        if let padding = digits.firstIndex(of: UInt8(ascii: "0")) {
            guard padding >= 2, padding % 2 == 0, after.isEmpty,
                digits[padding...].allSatisfy({ $0 == UInt8(ascii: "0") })
            else { return nil }
            digits.removeSubrange(padding...)
        }
        let values = (digits + after).map { alphabet.firstIndex(of: $0) }
        guard values.allSatisfy({ $0 != nil }) else { return nil }
        return PlusCode(values: values.compactMap { $0 })
    }

    private init?(values: [Int]) {
        guard values.count >= 2 else { return nil }
        var south = -90.0, west = -180.0, size = 20.0
        for pair in stride(from: 0, to: min(values.count, 10) - 1, by: 2) {
            if pair > 0 { size /= 20 }
            south += Double(values[pair]) * size
            west += Double(values[pair + 1]) * size
        }
        var height = size, width = size
        for value in values.prefix(15).dropFirst(10) {
            height /= 5
            width /= 4
            south += Double(value / 4) * height
            west += Double(value % 4) * width
        }
        guard south < 90, west < 180 else { return nil }
        center = Coordinate(latitude: south + height / 2, longitude: west + width / 2)
        self.width = width
    }

    private init(center: Coordinate, width: Double) {
        self.center = center
        self.width = width
    }

    /// Returns the code moved to the neighbouring area if that is nearer.
    private func moved(near: Coordinate, missing: Int) -> PlusCode? {
        let area = [20.0, 1, 0.05, 0.0025][missing / 2 - 1]
        func nearer(_ value: Double, _ target: Double) -> Double {
            value - target > area / 2 ? value - area : target - value > area / 2 ? value + area : value
        }
        let latitude = nearer(center.latitude, near.latitude)
        let north = abs(latitude) <= 90 ? latitude : center.latitude
        let east = nearer(center.longitude, near.longitude)
        return PlusCode(center: Coordinate(latitude: north, longitude: east), width: width)
    }
}

extension Coordinate {
    /// Returns a plus code (Open Location Code). Its cell is about 14 m wide with 10 digits, 275 m with 8, 5
    /// km with 6, and 110 km with 4.
    /// - Parameter digits: The number of digits, an even number from 4 to 10.
    public func plusCode(digits: Int = 10) -> String {
        // Returns whole steps of the last of five pairs, 8000 per degree.
        func steps(_ degrees: Double, _ range: Int) -> Int {
            min(max(Int((degrees * 8000 + 1e-6).rounded(.down)), 0), range * 8000 - 1)
        }
        let north = steps(latitude + 90, 180), east = steps(longitude + 180, 360)
        var text = "", divisor = 160_000
        for _ in 0..<min(max(digits, 4), 10) / 2 {
            for value in [north, east] {
                text.unicodeScalars.append(Unicode.Scalar(PlusCode.alphabet[value / divisor % 20]))
            }
            divisor /= 20
        }
        let zeros = String(repeating: "0", count: max(8 - text.count, 0))
        return (text.prefix(8) + zeros + "+" + text.dropFirst(8)).uppercased()
    }
}
