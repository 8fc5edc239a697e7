public import RhumbBase
public import RhumbCells
internal import RhumbGeo

/// The vertical distance between the contour lines of a map.
public struct ContourSpacing: Hashable, Sendable {
    /// The zoom from which contours are drawn. At lower zooms, they would fill every mountain.
    public static let firstZoom = 8
    /// The number of lines from one heavy line to the next.
    static let heavy = 5

    /// The distance in the unit; nil for one that suits the zoom.
    public let distance: Double?
    /// True for feet instead of metres.
    public let isInFeet: Bool

    /// Parses "auto", or a distance in the unit from 1 to 5000; nil for others.
    public init?(text: String, isInFeet: Bool) {
        if text == "auto" {
            self.init(isInFeet: isInFeet)
        } else {
            guard let distance = Double(text), (1...5000).contains(distance) else { return nil }
            self.init(distance, isInFeet: isInFeet)
        }
    }

    /// Creates a spacing.
    /// - Parameters:
    ///   - distance: The distance in the unit, above 0; nil to follow the zoom.
    ///   - isInFeet: True for feet instead of metres.
    public init(_ distance: Double? = nil, isInFeet: Bool = false) {
        self.distance = distance
        self.isInFeet = isInFeet
    }

    /// The unit in metres.
    public var unit: Double { isInFeet ? 0.3048 : 1 }

    /// Returns the distance between two lines, in the unit.
    /// - Parameter zoom: The zoom of the map.
    public func distance(at zoom: Int) -> Double {
        if let distance { return distance }
        let distances = isInFeet ? Self.feet : Self.metres
        return distances[min(max(zoom - Self.firstZoom, 0), distances.count - 1)]
    }

    private static let metres: [Double] = [500, 500, 200, 100, 100, 50, 20, 10]
    private static let feet: [Double] = [2000, 1000, 500, 500, 200, 100, 100, 40]

    /// Returns the vector tile with the contours of heights, in the layer `contours`. Each line has its
    /// height `ele` in the unit, `index`, which is true for heavy lines, and `named`, which is true for lines
    /// with text.
    /// - Parameters:
    ///   - grid: The heights in metres.
    ///   - zoom: The zoom of the map.
    ///   - origin: The position of the first sample, as a share of the tile.
    ///   - step: The distance between two samples, as a share of the tile.
    /// - Returns: The tile; empty if there is no line.
    package func tile(
        _ grid: ElevationGrid, zoom: Int, origin: SIMD2<Double>, step: SIMD2<Double>
    ) -> [UInt8] {
        let requested = distance(at: zoom)
        var contours = ContourLines(of: grid, every: requested * unit, limit: Self.pointLimit)
        contours.simplify(within: Self.tolerance / Double(Self.extent) / step.max())
        let factor = (contours.interval / unit / requested).rounded(.toNearestOrEven)
        var writer = VectorTileWriter(layer: Style.contourLayer, extent: Self.extent)
        func number(_ line: ContourLines.Line) -> Double {
            (line.height / contours.interval).rounded(.toNearestOrEven)
        }
        func isHeavy(_ number: Double) -> Bool { number.remainder(dividingBy: Double(Self.heavy)) == 0 }
        // The coast is on the map already, and heights at sea scatter around zero.
        let lines = contours.lines.filter { number($0) != 0 && !$0.isPoint }
        // Without heavy lines, the longest one has its height, because lines without any say nothing.
        let longest =
            lines.contains { isHeavy(number($0)) }
            ? nil : lines.indices.max { lines[$0].points.count < lines[$1].points.count }
        for (at, line) in lines.enumerated() {
            let number = number(line), isHeavy = isHeavy(number)
            let points = line.points.map { point -> VectorTileWriter.Point in
                let unit = ((origin + point * step) * Double(Self.extent)).rounded(.toNearestOrEven)
                return VectorTileWriter.Point(Int32(clamping: unit.x), Int32(clamping: unit.y))
            }
            writer.add(
                .line, [points],
                [
                    ("ele", .number(number * factor * requested)),
                    ("unit", .string(isInFeet ? "ft" : "m")),
                    ("index", .bool(isHeavy)), ("named", .bool(isHeavy || at == longest)),
                ])
        }
        return writer.bytes
    }

    private static let extent = 4096
    /// The number of points beyond which the distance becomes five times as large.
    private static let pointLimit = 60_000
    /// The greatest distance of a line from the heights, in units of the tile. A pixel has eight.
    private static let tolerance = 3.0
}

/// The choice of shading and contours over a map.
public struct HillsChoice: Hashable, Sendable {
    /// True for light and shade.
    public var isShaded: Bool
    /// The distance between contours; nil for none.
    public var contours: ContourSpacing?

    /// Creates a choice; by default, neither is shown.
    public init(isShaded: Bool = false, contours: ContourSpacing? = nil) {
        self.isShaded = isShaded
        self.contours = contours
    }

    /// True if neither is shown.
    public var isOff: Bool { !isShaded && contours == nil }
}

/// Rhumb's style for contour lines.
extension Style {
    /// The name of the style's only source.
    public static let contourSource = "contours"
    /// The name of the tiles' only layer.
    static let contourLayer = "contours"

    /// Creates the style for a theme.
    /// - Parameters:
    ///   - depth: The terminal's colour depth. With few colours, the lines have exactly one of them.
    ///   - areCased: True for black sides of the lines without colours.
    /// - Throws: `StyleFailure`, in theory only.
    public static func contours(
        _ theme: MapTheme, _ depth: ColorDepth, areCased: Bool = false
    ) throws(StyleFailure) -> Style {
        let (line, index, depthLine): (JSON, JSON, JSON) =
            switch (depth, theme) {
            case (.mono, _): ("#FFFFFF", "#FFFFFF", "#FFFFFF")
            // Red means congestion.
            case (.indexed16, .day): ("#CDCD00", "#CDCD00", "#0000EE")
            case (.indexed16, .night): ("#7F7F7F", "#CDCD00", "#5C5CFF")
            case (.indexed256, .night): ("#87875F", "#AFAF5F", "#5F87AF")
            case (_, .day): ("#C39A6B", "#A97436", "#7FA3BE")
            case (_, .night): ("#6E5A41", "#9A7A4E", "#45607A")
            }
        func layer(_ id: String, isHeavy: Bool, isAbove: Bool, _ colour: JSON, _ width: JSON) -> JSON {
            // Without colours, solid lines are roads and borders.
            let dashes: JSON? = depth != .mono || colour == "#000000" ? nil : isHeavy ? [7.5, 3] : [3, 6]
            let plain: JSON = ["line-color": colour, "line-width": width]
            let paint: JSON =
                dashes.map { ["line-color": colour, "line-width": width, "line-dasharray": $0] } ?? plain
            return [
                "id": .string(id), "type": "line", "source": .string(contourSource),
                "source-layer": .string(contourLayer),
                "filter": ["all", ["==", "index", .bool(isHeavy)], [isAbove ? ">" : "<", "ele", 0]],
                "layout": ["line-join": "round"],
                "paint": paint,
            ]
        }
        let width: JSON = depth == .mono ? 0.5 : 0.7
        // Between few colours, narrower lines become dashes of other ones.
        let heavyWidth: JSON = depth == .mono ? 0.8 : depth == .indexed16 ? 1.8 : 1.3
        let casing: [JSON] =
            areCased && depth == .mono
            ? [false, true].flatMap { isHeavy in
                [false, true].map { isAbove in
                    layer("casing-\(isHeavy)-\(isAbove)", isHeavy: isHeavy, isAbove: isAbove, "#000000", 2.5)
                }
            } : []
        let lines: [JSON] = [
            layer("depths", isHeavy: false, isAbove: false, depthLine, width),
            layer("heavy-depths", isHeavy: true, isAbove: false, depthLine, heavyWidth),
            layer("contours", isHeavy: false, isAbove: true, line, width),
            layer("heavy-contours", isHeavy: true, isAbove: true, index, heavyWidth),
            [
                "id": "heights", "type": "symbol", "source": .string(contourSource),
                "source-layer": .string(contourLayer), "filter": ["==", "named", true],
                "layout": ["symbol-placement": "line", "text-field": "{ele}"],
                "paint": ["text-color": index],
            ],
        ]
        return try Style([
            "version": 8, "name": "contours", "sources": [contourSource: ["type": "vector"]],
            "layers": .array(casing + lines),
        ])
    }
}
