/// A geohash: five bits per character, alternately of longitude and latitude.
struct Geohash {
    /// The centre of its cell.
    let center: Coordinate
    /// The width of its cell in degrees.
    let width: Double

    fileprivate static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)

    /// - Parameter text: The text in lower case.
    /// - Returns: nil unless the text has 4 to 12 of the alphabet's characters, with both digits and letters.
    ///   Other texts could be words or numbers.
    init?(_ text: String) {
        guard (4...12).contains(text.utf8.count), text.contains(where: \.isNumber),
            text.contains(where: \.isLetter)
        else { return nil }
        var east = (low: -180.0, high: 180.0), north = (low: -90.0, high: 90.0)
        var isEast = true
        for byte in text.utf8 {
            guard let digit = Geohash.alphabet.firstIndex(of: byte) else { return nil }
            for bit in stride(from: 4, through: 0, by: -1) {
                let isUpper = digit >> bit & 1 == 1
                if isEast { Geohash.halve(&east, isUpper) } else { Geohash.halve(&north, isUpper) }
                isEast.toggle()
            }
        }
        center = Coordinate(latitude: (north.low + north.high) / 2, longitude: (east.low + east.high) / 2)
        width = east.high - east.low
    }

    fileprivate static func halve(_ range: inout (low: Double, high: Double), _ isUpper: Bool) {
        let middle = (range.low + range.high) / 2
        if isUpper { range.low = middle } else { range.high = middle }
    }
}

extension Coordinate {
    /// Returns a geohash.
    /// - Parameter length: The number of characters, 1…12.
    public func geohash(length: Int) -> String {
        var east = (low: -180.0, high: 180.0), north = (low: -90.0, high: 90.0)
        var text = "", digit = 0
        for bit in 0..<5 * min(max(length, 1), 12) {
            let isUpper: Bool
            if bit % 2 == 0 {
                isUpper = longitude >= (east.low + east.high) / 2
                Geohash.halve(&east, isUpper)
            } else {
                isUpper = latitude >= (north.low + north.high) / 2
                Geohash.halve(&north, isUpper)
            }
            digit = digit << 1 & 31 | (isUpper ? 1 : 0)
            if bit % 5 == 4 { text.unicodeScalars.append(Unicode.Scalar(Geohash.alphabet[digit])) }
        }
        return text
    }
}
