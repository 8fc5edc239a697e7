/// Parses angles at the front of a text.
struct CoordinateParser {
    enum Axis { case latitude, longitude }

    /// An angle in degrees, with the axis of its compass letter, and whether the letter came before the
    /// number.
    struct Angle {
        let degrees: Double
        let axis: Axis?
        let isLetterFirst: Bool
    }

    private var text: Substring
    /// True if the text has a compass letter besides "e".
    private let hasCompass: Bool
    /// The number of parts of an angle without signs: 1 for degrees, 2 with minutes, 3 with seconds.
    private let numbers: Int

    /// - Parameter text: The text in lower case.
    init(_ text: String, numbers: Int) {
        self.text = CoordinateParser.signs.reduce(text) { $0.replacing($1.0, with: $1.1) }[...]
        hasCompass = self.text.contains { "nsw".contains($0) }
        self.numbers = numbers
    }

    /// The remaining text, without spaces and commas around it.
    var rest: String {
        var trimmed = text
        while let first = trimmed.first, first == " " || first == "," || first == ";" {
            trimmed.removeFirst()
        }
        while let last = trimmed.last, last == " " { trimmed.removeLast() }
        return String(trimmed)
    }

    /// Parses one angle: degrees, optional minutes and seconds, and an optional compass letter.
    mutating func angle() -> Angle? {
        skip(" ,;:=/")
        let before = compass()
        skip(" ")
        let sign = sign()
        guard let first = number(), let size = size(first) else { return nil }
        let letter = before ?? letterBehind()
        let written =
            first.digits.count < CoordinateParser.compactDigits || letter == nil
            ? size : CoordinateParser.compact(first)
        guard let written else { return nil }
        let isNegative = sign == "-" || letter == "s" || letter == "w"
        let axis: Axis? = letter.map { "ns".contains($0) ? .latitude : .longitude }
        return Angle(degrees: isNegative ? -written : written, axis: axis, isLetterFirst: before != nil)
    }

    // MARK: Numbers

    private struct Number {
        let value: Double
        /// The digits before the decimal point.
        let digits: Substring
        var isWhole: Bool { value.rounded() == value }
    }

    /// Words and signs, with the equivalents that replace them.
    private static let signs = [
        ("latitude", ""), ("longitude", ""), ("lat", ""), ("lon", ""), ("lng", ""), ("north", "n"),
        ("south", "s"),
        ("east", "e"), ("west", "w"), ("degrees", "°"), ("deg", "°"), ("minutes", "'"), ("min", "'"),
        ("seconds", "\""),
        ("sec", "\""), ("º", "°"), ("˚", "°"), ("′", "'"), ("’", "'"), ("´", "'"), ("″", "\""), ("”", "\""),
        ("''", "\""),
        ("−", "-"), ("–", "-"), ("\u{A0}", " "), ("\u{202F}", " "), ("\u{2009}", " "),
    ]

    /// Parses the minutes and seconds that follow degrees, and returns the sum.
    private mutating func size(_ degrees: Number) -> Double? {
        guard let marks = marks() else {
            return numbers == 1 ? degrees.value : bare(degrees, CoordinateParser.spaces)
        }
        if numbers > 1 || marks.minutes == ":" { return bare(degrees, marks) }
        guard let minutes = part(marks.minutes, isBare: false) else { return degrees.value }
        let seconds = part(marks.seconds, isBare: false)
        return sum(degrees, minutes, seconds)
    }

    /// Parses an angle whose signs may be missing, with exactly the given count of numbers.
    private mutating func bare(_ degrees: Number, _ marks: Marks) -> Double? {
        guard let minutes = part(marks.minutes, isBare: true) else { return nil }
        let takesSeconds = numbers > 2 || (marks.minutes == ":" && text.first?.isNumber == true)
        let seconds = takesSeconds ? part(marks.seconds, isBare: true) : nil
        return numbers > 2 && seconds == nil ? nil : sum(degrees, minutes, seconds)
    }

    private func sum(_ degrees: Number, _ minutes: Number, _ seconds: Number?) -> Double? {
        guard degrees.isWhole, seconds == nil || minutes.isWhole else { return nil }
        return degrees.value + minutes.value / 60 + (seconds?.value ?? 0) / 3600
    }

    /// Parses a number under 60 that is followed by the sign. If `isBare` is true, the sign may be missing,
    /// unless a degree sign follows. Otherwise nothing is read.
    private mutating func part(_ sign: Character, isBare: Bool) -> Number? {
        let saved = text
        skip(" ")
        if let value = number(), value.value < 60 {
            let behind = text
            skip(" ")
            if skip(String(sign)) { return value }
            let isDegrees = text.first == "°"
            text = behind
            if isBare && !isDegrees { return value }
        }
        text = saved
        return nil
    }

    /// The signs for minutes and seconds that go with a degree sign.
    private typealias Marks = (minutes: Character, seconds: Character)
    private static let spaces: Marks = ("'", "\"")

    /// Parses a degree sign, and returns the signs that go with it.
    private mutating func marks() -> Marks? {
        let saved = text
        skip(" ")
        if skip("°") { return CoordinateParser.spaces }
        text = saved
        if skip(":") { return (":", "\"") }
        return skip("d") ? ("m", "s") : nil
    }

    /// The minimum number of digits that combine degrees and minutes, or degrees, minutes and seconds.
    private static let compactDigits = 4

    /// Converts "6023.5" or "602330" to degrees. Latitudes have two digits of degrees, longitudes three.
    private static func compact(_ number: Number) -> Double? {
        guard (compactDigits...7).contains(number.digits.count) else { return nil }
        let hasSeconds = number.digits.count > 5
        let minutes = hasSeconds ? (number.value / 100).rounded(.down) : number.value
        let seconds = hasSeconds ? number.value - minutes * 100 : 0
        let degrees = (minutes / 100).rounded(.down), rest = minutes - degrees * 100
        return rest < 60 && seconds < 60 ? degrees + rest / 60 + seconds / 3600 : nil
    }

    // MARK: Characters

    private mutating func letterBehind() -> Character? {
        let saved = text
        skip(" ")
        if let letter = compass() { return letter }
        text = saved
        return nil
    }

    private mutating func compass() -> Character? {
        guard let first = text.first, "nsew".contains(first) else { return nil }
        text.removeFirst()
        return first
    }

    private mutating func sign() -> Character? {
        guard let first = text.first, "+-".contains(first) else { return nil }
        text.removeFirst()
        return first
    }

    @discardableResult
    private mutating func skip(_ signs: String) -> Bool {
        let before = text.startIndex
        while let first = text.first, signs.contains(first) { text.removeFirst() }
        return text.startIndex != before
    }

    private mutating func number() -> Number? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let end = exponentEnd(behind: digits) ?? digits.endIndex
        guard let value = Double(text[..<end]) else { return nil }
        text = text[end...]
        return Number(value: value, digits: digits.prefix { $0 != "." })
    }

    /// Returns the end of an exponent, as programs write small numbers ("-1e-05"); nil if there is none. "e"
    /// is also the compass letter, before the zoom in "60n22e12" or a space in "60 n 22 e -3".
    private func exponentEnd(behind digits: Substring) -> String.Index? {
        guard !digits.isEmpty, text[digits.endIndex...].first == "e" else { return nil }
        let power = text[digits.endIndex...].dropFirst(), isSigned = power.first.map("+-".contains) ?? false
        let figures = (isSigned ? power.dropFirst() : power).prefix { $0.isASCII && $0.isNumber }
        return figures.isEmpty || !isSigned && hasCompass ? nil : figures.endIndex
    }
}
