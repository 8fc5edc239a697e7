internal import RhumbCore

/// The kind of an option's value. It validates the value.
public enum ValueKind: Sendable {
    /// "60.39,22.37", or the name of a place, which stays text until a gazetteer is open.
    case place
    /// "7km", "500m", "3mi"
    case width
    /// "W,S,E,N" in degrees
    case bounds
    /// "120x40"
    case size
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    /// "30k", "2 MB", "2MiB" or a bare number
    case bytes(ClosedRange<Int>)
    case word([String])
    /// One of the words, a file, or a name that the command looks up.
    case wordOrFile([String])
    /// Glyph sets joined by "+", or auto.
    case symbols
    case path
    case source
    /// Any text.
    case text
    /// A comma-separated list of words, which the command checks.
    case list
    /// "5-12", or one zoom.
    case zooms
    /// "14/9370/4621"
    case tile
    /// "now", "12:00", "2026-06-21T12:00"
    case time

    /// A valid value, as in a configuration file.
    var sample: String {
        switch self {
        case .place: "\"60.45,22.26\""
        case .width: "\"7km\""
        case .bounds: "\"19,59,32,71\""
        case .size: "\"120x40\""
        case .number(let range): short(min(max(range.lowerBound, 7), range.upperBound))
        case .whole(let range): String(min(max(range.lowerBound, 1), range.upperBound))
        case .bytes: "\"30k\""
        case .word(let words), .wordOrFile(let words): "\"\(words.last ?? "")\""
        case .symbols: "\"sextant+quadrant+half\""
        case .path: "\"file\""
        case .source: "\"trails.mbtiles\""
        case .text: "\"text\""
        case .list: "\"rendering,detailRendering\""
        case .zooms: "\"5-12\""
        case .tile: "\"14/9370/4621\""
        case .time: "\"12:00\""
        }
    }

    /// The placeholder in help texts.
    public var placeholder: String {
        switch self {
        case .place: "PLACE"
        case .width: "WIDTH"
        case .bounds: "W,S,E,N"
        case .size: "COLSxROWS"
        case .number, .whole: "N"
        case .bytes: "BYTES"
        case .word(let words): words.joined(separator: "|")
        case .wordOrFile(let words): words.joined(separator: "|") + "|FILE"
        case .symbols: "SET"
        case .path: "FILE"
        case .source: "SOURCE"
        case .text: "TEXT"
        case .list: "LIST"
        case .zooms: "MIN-MAX"
        case .tile: "Z/X/Y"
        case .time: "TIME"
        }
    }
}

/// An error in the command line or the configuration file, as a full sentence.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The message, as a full sentence.
    public let description: String
    /// Creates an error from a sentence. Characters that a terminal would interpret are removed.
    public init(_ sentence: String) { description = SafeText.sanitised(sentence) }
}

extension ValueKind {
    /// Parses a value.
    /// - Parameter option: The option as the user wrote it, such as "--zoom".
    /// - Throws: An error that names the option, the value and the expected format.
    func read(_ text: String, for option: String) throws(UsageError) -> any Sendable {
        guard let value = try parse(text, option) else {
            throw UsageError(
                "invalid value \"\(text)\" for \(option): expected \(expectation)\(guess(at: text))")
        }
        return value
    }

    private func parse(_ text: String, _ option: String) throws(UsageError) -> (any Sendable)? {
        switch self {
        case .place:
            do throws(ParsedLocation.Misread) {
                return try ParsedLocation(text)
            } catch {
                if !error.isOutOfRange, text.contains(where: \.isLetter) { return text }
                throw UsageError("\(option): \(error)")
            }
        case .width: return ParsedLocation.metres(text)
        case .bounds: return bounds(text)
        case .size: return size(text)
        case .number(let range):
            return decimal(text).flatMap { range.contains($0) ? $0 : nil }
        case .whole(let range): return Int(text).flatMap { range.contains($0) ? $0 : nil }
        case .bytes(let range): return bytes(text).flatMap { range.contains($0) ? $0 : nil }
        case .word(let words): return words.contains(text) ? text : nil
        case .symbols:
            guard text != "auto" else { return Symbols?.none as any Sendable }
            return Symbols(names: text).map { Symbols?.some($0) as any Sendable }
        case .wordOrFile, .path, .source, .text: return text.isEmpty ? nil : text
        case .list: return text
        case .zooms: return zooms(text)
        case .tile: return TileID(text: text)
        case .time: return MapTime(text)
        }
    }

    /// Parses digits with a sign and a point; neither hexadecimal nor "nan".
    private func decimal(_ text: some StringProtocol) -> Double? {
        text.allSatisfy { "+-.0123456789".contains($0) } ? Double(text) : nil
    }

    /// Parses "30k", "200M", "200 MB", "200MiB" or a bare number.
    private func bytes(_ text: String) -> Int? {
        let kilo = 1000, mega = 1_000_000, giga = 1_000_000_000
        let units = ["": 1, "b": 1, "k": kilo, "kb": kilo, "m": mega, "mb": mega, "g": giga, "gb": giga]
        let binary = ["kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30]
        let digits = text.prefix { $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard let number = Int(digits), let factor = units[unit] ?? binary[unit] else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    private func bounds(_ text: String) -> Bounds? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            decimal($0.filter { $0 != " " })
        }
        guard numbers.count == 4, let box = Bounds(edges: numbers.compactMap(\.self)) else { return nil }
        // Exchanged edges of a small box would otherwise be a box around almost the whole world.
        let isExchanged = box.crossesAntimeridian && box.east + 360 - box.west > Self.widestCrossing
        return isExchanged ? nil : box
    }

    /// The maximum width in degrees of a box across the antimeridian.
    private static let widestCrossing = 300.0

    private func zooms(_ text: String) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1],
            0 <= low, low <= high, high <= TileID.maximumZoom
        else { return nil }
        return low...high
    }

    private func size(_ text: String) -> PictureSize? {
        let isInPixels = text.lowercased().hasSuffix("px")
        let numbers = text.lowercased().dropLast(isInPixels ? 2 : 0)
            .split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1] else { return nil }
        let size =
            isInPixels ? PictureSize(width: width, height: height) : PictureSize(columns: width, rows: height)
        return (1...2000).contains(size.columns) && (1...2000).contains(size.rows) && width > 0 && height > 0
            ? size : nil
    }

    private func guess(at text: String) -> String {
        guard case .word(let words) = self, let near = words.nearest(to: text) else { return "" }
        return "; did you mean \(near)?"
    }

    private var expectation: String {
        switch self {
        case .place: "latitude,longitude, such as 60.39,22.37"
        case .width: "a length, such as 7km, 500m or 3mi"
        case .bounds:
            "west,south,east,north in degrees, longitudes from -180 to 180 (west above east across the antimeridian, at most 300° wide), south below north, such as 19,59,32,71"
        case .size: "columns x rows, each from 1 to 2000, such as 120x40, or pixels, such as 1600x900px"
        case .number(let range):
            "a number from \(short(range.lowerBound)) to \(short(range.upperBound))"
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .bytes(let range): "a size of at least \(range.lowerBound) bytes, such as 30k, 200M or 2GiB"
        case .word(let words): "one of " + words.joined(separator: ", ")
        case .wordOrFile(let words): "one of \(words.joined(separator: ", ")), or a file"
        case .symbols:
            "auto, ascii, half, quadrant, sextant, octant, braille, or a combination such as quadrant+half"
        case .path: "a file name"
        case .source: "a file, folder, URL or source name"
        case .text: "text"
        case .list: "a comma-separated list"
        case .zooms: "zooms from 0 to \(TileID.maximumZoom), such as 5-12 or 7"
        case .tile: "a tile as zoom/column/row, such as 14/9370/4621"
        case .time: "a time in UTC, such as now, 12:00 or 2026-06-21T12:00"
        }
    }

    private func short(_ number: Double) -> String {
        number == number.rounded() ? String(Int(clamping: number)) : String(number)
    }
}

/// A kind of value and the Swift type of its values. It prevents the table of options from giving an option a
/// value of another type.
struct Kind<Value>: Sendable {
    let kind: ValueKind
}

extension Kind<String> {
    static var path: Self { Kind(kind: .path) }
    static var source: Self { Kind(kind: .source) }
    static var text: Self { Kind(kind: .text) }
    static var list: Self { Kind(kind: .list) }
    static func word(_ words: [String]) -> Self { Kind(kind: .word(words)) }
    static func wordOrFile(_ words: [String]) -> Self { Kind(kind: .wordOrFile(words)) }
}

extension Kind<Int> {
    static func whole(_ range: ClosedRange<Int>) -> Self { Kind(kind: .whole(range)) }
    static func bytes(_ range: ClosedRange<Int>) -> Self { Kind(kind: .bytes(range)) }
}

extension Kind<Double> {
    static func number(_ range: ClosedRange<Double>) -> Self { Kind(kind: .number(range)) }
    static var width: Self { Kind(kind: .width) }
}

extension Kind<ParsedLocation> { static var place: Self { Kind(kind: .place) } }
extension Kind<Bounds> { static var bounds: Self { Kind(kind: .bounds) } }
extension Kind<ClosedRange<Int>> { static var zooms: Self { Kind(kind: .zooms) } }
extension Kind<TileID> { static var tile: Self { Kind(kind: .tile) } }
extension Kind<MapTime> { static var time: Self { Kind(kind: .time) } }
extension Kind<PictureSize> { static var size: Self { Kind(kind: .size) } }
extension Kind<Symbols?> { static var symbols: Self { Kind(kind: .symbols) } }

/// Local names that shells complete. `rhumb help completions NAMES` prints them, one per line.
public enum StoredNames: String, CaseIterable, Sendable {
    /// Ids of regions.
    case regions
    /// Names of areas.
    case areas
    /// Names of areas, and ids of regions and packages.
    case places
    /// Ids of installed packages.
    case packages
    /// Names of web sources.
    case sources
    /// Names of installed styles.
    case styles
    /// Letters of bookmarks.
    case bookmarks
    /// Names of sources of streets, and off.
    case streets
    /// Names of features.
    case features

    /// The command line that prints the names, without error messages.
    var command: String { "rhumb help completions \(rawValue) 2>/dev/null" }
}

/// The size of a picture in cells, and in pixels if it was given so.
public struct PictureSize: Sendable {
    /// The size of a cell in images, in pixels.
    public static let cell = (width: 8, height: 16)
    /// The number of columns that cover the picture.
    public let columns: Int
    /// The number of rows that cover the picture.
    public let rows: Int
    /// The exact size in pixels; nil for that of the cells.
    public let pixels: (width: Int, height: Int)?

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        pixels = nil
    }

    init(width: Int, height: Int) {
        columns = max(width, 0).dividedUp(by: PictureSize.cell.width)
        rows = max(height, 0).dividedUp(by: PictureSize.cell.height)
        pixels = (width, height)
    }
}

extension Int {
    fileprivate func dividedUp(by divisor: Int) -> Int { self / divisor + (self % divisor == 0 ? 0 : 1) }
}
