internal import CDefaults
internal import RhumbCore

/// A country, an ocean, a sea or a lake whose name is written across its area.
///
/// `Assets/labels.tsv` has a line for each country and ocean, most important first. Its fields are separated
/// by tabs:
///
///     kind       "country" or "ocean"
///     code       ISO 3166-1 alpha-2; empty for oceans
///     rank       zoom from which Natural Earth labels it
///     people     population
///     middle     latitude, longitude
///     names      usual, own and English name; the last two may be empty
///     outlines   one field each: steps in 32768ths of the Mercator square, x and y, encoded as in `Polyline`
struct LabelArea: Sendable {
    /// The area's name in each language, and its country code.
    let place: NamedPlace
    /// The zoom from which Natural Earth labels the area on a screen map.
    let rank: Double
    /// The outlines, largest first, each with its bounding box.
    let rings: [Ring]
    /// The area of the outlines on the Mercator square.
    let size: Double

    /// An outline or a line. Its points are integers, because the program holds hundreds of thousands.
    struct Ring: Sendable {
        /// The points in steps of `length`.
        private let steps: [SIMD2<Int32>]
        private let length: Double
        let box: WorldBox
        let size: Double

        /// The points on the Mercator square.
        var points: LazyMapSequence<[SIMD2<Int32>], WorldPoint> {
            steps.lazy.map { [length] in Self.point($0, length) }
        }

        private static func point(_ step: SIMD2<Int32>, _ length: Double) -> WorldPoint {
            WorldPoint(x: Double(step.x) * length, y: Double(step.y) * length)
        }
    }

    /// The areas embedded in the program.
    static let embedded = rows(of: rhumb_asset_labels()).compactMap(LabelArea.init)
    /// The names of the embedded countries.
    static let countryNames = texts(6, of: "country")
    /// The codes of the embedded countries.
    static let codes = texts(1, of: "country").subtracting([""])
    /// The names of the embedded oceans.
    static let oceans = texts(6, of: "ocean")

    /// Returns the texts in a field of all areas of a kind, whose outlines are not decoded for them.
    private static func texts(_ field: Int, of kind: String) -> Set<String> {
        Set(
            rows(of: rhumb_asset_labels()).filter { $0.count > 9 && $0[0].elementsEqual(kind.utf8) }
                .map { String(decoding: $0[field], as: UTF8.self) })
    }

    /// True for oceans, seas and lakes.
    var isOcean: Bool { place.kind == .water }

    /// Returns the fields of each line of a tab-separated table.
    static func rows(of bytes: rhumb_bytes) -> [[Slice<UnsafeBufferPointer<UInt8>>]] {
        lines(of: bytes).map(fields)
    }

    static func lines(of bytes: rhumb_bytes) -> [Slice<UnsafeBufferPointer<UInt8>>] {
        UnsafeBufferPointer(start: bytes.start, count: bytes.count).split(separator: UInt8(ascii: "\n"))
    }

    static func fields(of line: Slice<UnsafeBufferPointer<UInt8>>) -> [Slice<UnsafeBufferPointer<UInt8>>] {
        line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    }

    /// Creates the area of a lake or a sea; nil without parts.
    init?(_ parts: [NaturalFeature]) {
        guard let first = parts.first else { return nil }
        place = first.place
        rank = 0
        rings = parts.flatMap(\.shapes)
        size = rings.reduce(0) { $0 + $1.size }
    }

    private static let side = 32768.0

    private init?(_ fields: [Slice<UnsafeBufferPointer<UInt8>>]) {
        guard fields.count > 9 else { return nil }
        let texts = fields.prefix(9).map { String(decoding: $0, as: UTF8.self) }
        func name(_ at: Int) -> String? { texts[at].isEmpty ? nil : texts[at] }
        rings = fields.dropFirst(9).compactMap { Ring($0, side: Self.side, least: 3) }
        guard let rank = Double(texts[2]), let people = Int(texts[3]), !rings.isEmpty,
            let north = Double(texts[4]),
            let east = Double(texts[5])
        else { return nil }
        self.rank = rank
        size = rings.reduce(0) { $0 + $1.size }
        place = NamedPlace(
            number: 0, name: texts[6], localName: name(7), englishName: name(8),
            kind: texts[0] == "ocean" ? .water : .country, countryCode: texts[1], country: texts[6],
            region: "",
            coordinate: Coordinate(latitude: north, longitude: east), population: people)
    }
}

extension LabelArea.Ring {
    /// The middle of the widest part of the outline's middle row, which is inside the area.
    var middle: WorldPoint {
        let y = (box.minY + box.maxY) / 2
        var crossings: [Double] = [], last = points[points.count - 1]
        for point in points {
            if (last.y < y) != (point.y < y) {
                crossings.append(last.x + (y - last.y) / (point.y - last.y) * (point.x - last.x))
            }
            last = point
        }
        crossings.sort()
        let parts = stride(from: 1, to: crossings.count, by: 2).map { crossings[$0 - 1]...crossings[$0] }
        let widest = parts.max { $0.upperBound - $0.lowerBound < $1.upperBound - $1.lowerBound }
        return widest.map { WorldPoint(x: ($0.lowerBound + $0.upperBound) / 2, y: y) } ?? last
    }

    /// Decodes an outline. Returns nil if it has fewer than `least` points.
    /// - Parameters:
    ///   - side: The number of steps per side of the Mercator square.
    ///   - least: The minimum number of points.
    init?(_ text: Slice<UnsafeBufferPointer<UInt8>>, side: Double, least: Int) {
        let text = UnsafeBufferPointer(rebasing: text), length = 1 / side
        var steps: [SIMD2<Int32>] = [], index = 0, x = 0, y = 0
        steps.reserveCapacity(text.count / 3)
        func number() -> Int? {
            var value = 0, shift = 0
            while index < text.count {
                let byte = text[index]
                index += 1
                guard byte >= 63 else { continue }
                value |= (Int(byte - 63) & 0x1F) << shift
                shift += 5
                if (byte - 63) & 0x20 == 0 || shift >= 60 {
                    return value & 1 != 0 ? ~(value >> 1) : value >> 1
                }
            }
            return nil
        }
        while let east = number(), let south = number() {
            x &+= east
            y &+= south
            steps.append(SIMD2(Int32(truncatingIfNeeded: x), Int32(truncatingIfNeeded: y)))
        }
        guard steps.count >= least, var last = steps.last.map({ Self.point($0, length) }) else { return nil }
        var box = WorldBox(minX: last.x, minY: last.y, maxX: last.x, maxY: last.y), doubled = 0.0
        for step in steps {
            let point = Self.point(step, length)
            box.minX = min(box.minX, point.x)
            box.maxX = max(box.maxX, point.x)
            box.minY = min(box.minY, point.y)
            box.maxY = max(box.maxY, point.y)
            doubled += last.x * point.y - point.x * last.y
            last = point
        }
        // The copy has no spare capacity.
        self.steps = Array(steps[...])
        self.length = length
        self.box = box
        size = abs(doubled) / 2
    }
}
