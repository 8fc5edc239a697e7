/// A square of the Maidenhead locator system, which radio amateurs use ("KP10dm").
struct Maidenhead {
    /// The centre of the square.
    let center: Coordinate
    /// The width of the square in degrees.
    let width: Double

    /// The number of divisions of each pair of characters, and the first character.
    private static let pairs: [(count: Int, first: Unicode.Scalar)] = [
        (18, "a"), (10, "0"), (24, "a"), (10, "0"), (24, "a"),
    ]

    /// - Parameter text: The text in lower case.
    /// - Returns: nil unless it has 4 to 10 characters of the system.
    init?(_ text: String) {
        let characters = Array(text.unicodeScalars)
        guard (4...10).contains(characters.count), characters.count.isMultiple(of: 2) else { return nil }
        var west = -180.0, south = -90.0, width = 360.0
        for (at, pair) in Maidenhead.pairs.prefix(characters.count / 2).enumerated() {
            let steps = [characters[2 * at], characters[2 * at + 1]].map {
                Int($0.value) - Int(pair.first.value)
            }
            guard steps.allSatisfy({ 0..<pair.count ~= $0 }) else { return nil }
            width /= Double(pair.count)
            west += Double(steps[0]) * width
            south += Double(steps[1]) * width / 2
        }
        center = Coordinate(latitude: south + width / 4, longitude: west + width / 2)
        self.width = width
    }

    /// Returns the square that contains a place.
    /// - Parameter pairs: The number of pairs of characters, 2…5. The squares have 2°, 5′, 30″ or 1.25″ of
    ///   longitude.
    static func text(of place: Coordinate, pairs count: Int) -> String {
        // The whole number of the smallest squares to the west and south.
        func squares(_ degrees: Double, perDegree: Double, _ range: Double) -> Int {
            Int(min(max((degrees * perDegree + 1e-6).rounded(.down), 0), range * perDegree - 1))
        }
        let east = squares(place.longitude + 180, perDegree: 2880, 360)
        let north = squares(place.latitude + 90, perDegree: 5760, 180)
        var text = "", size = pairs.reduce(1) { $0 * $1.count }
        for (at, pair) in pairs.prefix(min(max(count, 2), 5)).enumerated() {
            size /= pair.count
            for value in [east, north] {
                let step = UInt32(value / size % pair.count)
                let character = String(Character(Unicode.Scalar(pair.first.value + step) ?? pair.first))
                text += at == 0 ? character.uppercased() : character
            }
        }
        return text
    }
}
