internal import CDefaults
internal import Glibc
internal import RhumbCore

/// A river, a lake, a peak or another natural feature, with its shape and the zooms that name it.
///
/// `Assets/nature.tsv` has a line for each feature, most important first: ranges, islands and other areas
/// that maps of countries name, and after an empty line those that only maps of regions name. After another
/// one, seas and landscapes follow with their outlines, smallest first. The fields of a line are separated by
/// tabs:
///
///     kind         "river", "lake", "peak", "land" (ranges, plains, deserts, capes), "island", "state" (an
///                  island that is a country), "sea" or "ground" (a landscape by its outline)
///     importance   comparable to that of places
///     zooms        the first and the last
///     box          the north-western and the south-eastern corner of the box around the shapes, encoded like
///                  them
///     height       in metres; may be empty
///     names        usual and English name; the second may be empty
///     shapes       one field each, the courses, outlines (those of holes, too), position, or lines along the
///                  middle of an area:
///                  steps in 131072ths of the Mercator square, x and y, encoded as in `Polyline`
struct NaturalFeature: Sendable {
    let place: NamedPlace
    let shapes: [LabelArea.Ring]
    /// The zooms of maps that name the feature.
    let zooms: ClosedRange<Double>
    /// The height in metres; nil if unknown.
    let height: Int?

    /// The features embedded in the program that maps of countries name: ranges, islands and other areas.
    static let far = rows(in: parts[0])
    /// The seas and landscapes with their outlines, smallest first.
    static let grounds = rows(in: parts[2])
    /// The seas, bays and straits, each with all of its parts. Oceans and rivers have names elsewhere.
    static let seas = {
        let seas = grounds.filter {
            $0.place.kind == .water && !$0.place.name.hasSuffix("Ocean") && !$0.place.name.hasSuffix("River")
        }
        return Dictionary(grouping: seas, by: \.place.name).values
            .compactMap(LabelArea.init).sorted { ($0.size, $0.place.name) > ($1.size, $1.place.name) }
    }()
    /// The last zoom of features that are named at all larger zooms.
    private static let last = 99.0
    /// The lowest zoom of rivers, lakes and peaks.
    static let farthest = 3.0
    static let lakeNames = names(in: parts[1], of: "lake")
    /// The names of ranges, plains, islands and other areas.
    static let areaNames = names(in: parts[0])

    static let side = 131_072.0
    private static let kinds: [String: NamedPlace.Kind] = [
        "river": .river, "lake": .water, "peak": .peak, "land": .landscape, "island": .island,
        "state": .country,
        "sea": .water, "ground": .landscape,
    ]

    private static let farIndex = FeatureIndex(parts[0])
    static let nearIndex = FeatureIndex(parts[1])

    /// Returns the features that a map of a zoom names in a part of the world: along lines, at points, or in
    /// the middle of a lake.
    static func named(at zoom: Double, in ground: WorldBox) -> [NaturalFeature] {
        (zoom < farthest ? [farIndex] : [farIndex, nearIndex]).flatMap {
            $0.features(meeting: ground) { $0.zooms.contains(zoom) }
        }
    }

    /// The distance within which two lists of places have the same peak, in widths of the world: 4 km.
    private static let peakReach = 0.0001

    /// Returns the peak with a name at a place; nil if there is none.
    static func peak(named name: String, at place: Coordinate) -> NaturalFeature? {
        let middle = Mercator.world(place)
        let box = WorldBox(
            minX: middle.x - peakReach, minY: middle.y - peakReach, maxX: middle.x + peakReach,
            maxY: middle.y + peakReach)
        return nearIndex.features(meeting: box).first { $0.place.kind == .peak && $0.place.name == name }
    }

    /// Returns the lakes that reach into a part of the world, as areas to be named.
    static func lakes(in ground: WorldBox) -> [LabelArea] {
        nearIndex.features(meeting: ground, where: \.isLake)
            .filter { $0.shapes.contains { $0.box.meets(ground) } }
            .compactMap { LabelArea([$0]) }
    }

    /// The bytes of the three parts, which empty lines separate.
    private static let parts: [Range<Int>] = {
        let bytes = UnsafeRawBufferPointer(rhumb_asset_nature().table)
        var parts: [Range<Int>] = [], start = 0
        while parts.count < 2, let gap = bytes[start...].firstEmptyLine {
            parts.append(start..<gap)
            start = gap
        }
        parts.append(start..<bytes.count)
        return parts + Array(repeating: bytes.count..<bytes.count, count: 3 - parts.count)
    }()

    private static func rows(in range: Range<Int>) -> [NaturalFeature] {
        TablePieces.lines(of: bytes(in: range)).compactMap { NaturalFeature($0) }
    }

    /// Returns the usual names in the lines of a kind, without decoding the shapes; nil for all kinds.
    private static func names(in range: Range<Int>, of kind: String? = nil) -> Set<String> {
        Set(
            TablePieces.lines(of: bytes(in: range)).compactMap { line in
                let fields = Array(TablePieces.fields(of: line).prefix(7))
                guard fields.count > 6, kind.map({ fields[0].elementsEqual($0.utf8) }) ?? true else {
                    return nil
                }
                return fields[6].text
            })
    }

    static func bytes(in range: Range<Int>) -> TableBytes {
        TableBytes(rebasing: rhumb_asset_nature().table[range])
    }

    /// Returns the lake that contains a place; nil for none.
    static func lake(at place: WorldPoint) -> NaturalFeature? {
        let box = WorldBox(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
        return nearIndex.features(meeting: box, where: \.isLake).first { $0.encloses(place) }
    }

    /// True for ranges, plains, islands and other areas on land, but not for sites such as capes and
    /// waterfalls, which have a point and are named at all larger zooms.
    var isArea: Bool {
        switch place.kind {
        case .island, .country: true
        case .landscape: zooms.upperBound < Self.last || shapes.contains { $0.points.count > 1 }
        default: false
        }
    }

    /// Returns true if an odd number of the feature's outlines contains a place.
    func encloses(_ place: WorldPoint) -> Bool {
        shapes.count { $0.box.contains(place) && $0.contains(place) } % 2 == 1
    }

    init?(_ line: TableBytes) {
        let fields = Array(TablePieces.fields(of: line))
        guard fields.count > 8 else { return nil }
        shapes = fields.dropFirst(8).compactMap { LabelArea.Ring($0, side: Self.side, least: 1) }
        let name = fields[0].text
        guard let kind = Self.kinds[name], let importance = fields[1].number,
            let start = fields[2].number, let end = fields[3].number, start <= end,
            let first = shapes.first?.points.first
        else { return nil }
        zooms = start...end
        height = fields[5].number.flatMap(Int.init(exactly:))
        let middle = name == "lake" ? shapes[0].middle : first
        place = NamedPlace(
            number: 0, name: fields[6].text, englishName: fields[7].isEmpty ? nil : fields[7].text,
            kind: kind,
            countryCode: "", country: "",
            region: "", coordinate: Mercator.coordinate(middle), population: 0, importance: importance)
    }

    /// Returns the parts of the feature's lines, or its point, within a box where the map has no labels of
    /// its own.
    /// - Returns: Lines of at least two points, and the single points of lakes and of features that are
    ///   points.
    func parts(in ground: WorldBox, where isUnlabelled: (Coordinate) -> Bool) -> [[WorldPoint]] {
        if place.kind == .water {
            let middle = Mercator.world(place.coordinate)
            return ground.contains(middle) && isUnlabelled(place.coordinate) ? [[middle]] : []
        }
        return shapes.filter { $0.box.meets(ground) }.flatMap { shape in
            let least = min(shape.points.count, 2)
            return shape.points.split { !ground.contains($0) || !isUnlabelled(Mercator.coordinate($0)) }.map(
                Array.init
            )
            .filter { $0.count >= least }
        }
    }
}

extension WorldBox {
    /// Creates the box around some boxes.
    init(around boxes: [WorldBox]) {
        self = boxes.reduce(WorldBox(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)) {
            WorldBox(
                minX: min($0.minX, $1.minX), minY: min($0.minY, $1.minY), maxX: max($0.maxX, $1.maxX),
                maxY: max($0.maxY, $1.maxY))
        }
    }

    /// Returns true if both boxes overlap, in any copy of the world.
    func meets(_ other: WorldBox) -> Bool {
        let turns = ((other.minX + other.maxX - minX - maxX) / 2).rounded()
        return minY <= other.maxY && maxY >= other.minY && minX + turns <= other.maxX
            && maxX + turns >= other.minX
    }

    /// Returns true if a point is in the box, in any copy of the world.
    func contains(_ point: WorldPoint) -> Bool {
        meets(WorldBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y))
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// The index of the second of two successive newlines; nil if there are none.
    fileprivate var firstEmptyLine: Int? {
        let bytes = UnsafeRawBufferPointer(rebasing: self), newline = UInt8(ascii: "\n")
        guard let base = bytes.baseAddress else { return nil }
        var at = 0
        while let found = memchr(base + at, Int32(newline), bytes.count - at) {
            at = UnsafeRawPointer(found) - base + 1
            if at < bytes.count, bytes[at] == newline { return startIndex + at }
        }
        return nil
    }
}
