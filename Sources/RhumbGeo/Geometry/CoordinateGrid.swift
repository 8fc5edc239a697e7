internal import Glibc
internal import RhumbBase

/// A kind of coordinate grid over the map.
public enum GridKind: String, CaseIterable, Sendable {
    /// The squares of the military grid reference system.
    case mgrs
    /// The zones, eastings and northings of Universal Transverse Mercator.
    case utm
    /// The squares of the Maidenhead locator system.
    case maidenhead
    /// Latitude and longitude.
    case degrees
}

/// The lines of a coordinate grid in a view, with their labels.
public struct CoordinateGrid: Sendable {
    /// A line of the grid, or the part of it in one zone.
    public struct Line: Sendable {
        /// The importance of a line.
        public enum Weight: Int, Comparable, Sendable {
            /// A line between main lines.
            case minor
            /// A line at a multiple of the next larger unit.
            case main
            /// The border of a zone or a band.
            case border

            public static func < (a: Weight, b: Weight) -> Bool { a.rawValue < b.rawValue }
        }

        /// The points of the line. x is outside 0…1 in other copies of the world.
        public let points: [WorldPoint]
        /// True for a line from north to south; false for one from west to east.
        public let isMeridional: Bool
        /// The importance of the line.
        public let weight: Weight
        /// The coordinate of the line, or the name of the square to the east or north of it.
        public let label: String
    }

    /// The lines in the view.
    public internal(set) var lines: [Line] = []
    /// The zone and band in the upper left corner of the view, in the military grid with the square of 100 km
    /// if its lines are drawn. Empty if not every zone has a border, and for kinds without zones.
    public internal(set) var corner = ""

    let view: WorldBox
    /// The edges of the view in degrees. The longitudes may be outside ±180.
    let west: Double, east: Double, south: Double, north: Double
    /// The size of a cell at the centre of the view, in degrees of longitude and of latitude.
    let cellWidth: Double, cellHeight: Double

    /// The minimum distance between lines.
    static let (leastColumns, leastRows) = (12.0, 6.0)

    /// Creates the lines of a grid, with steps that fit the view.
    /// - Parameters:
    ///   - view: The visible part of the world.
    ///   - columns: The width of the view in cells.
    ///   - rows: The height of the view in cells.
    public init(_ kind: GridKind, over view: WorldBox, columns: Int, rows: Int) {
        self.view = view
        west = view.minX * 360 - 180
        east = view.maxX * 360 - 180
        north = Mercator.coordinate(WorldPoint(x: 0, y: view.minY)).latitude
        south = Mercator.coordinate(WorldPoint(x: 0, y: view.maxY)).latitude
        let middle = Mercator.coordinate(WorldPoint(x: 0, y: (view.minY + view.maxY) / 2)).latitude
        cellWidth = (east - west) / Double(max(columns, 1))
        cellHeight = (view.maxY - view.minY) * 360 * cos(middle.radians) / Double(max(rows, 1))
        guard cellWidth > 0, cellHeight > 0 else { return }
        switch kind {
        case .degrees: addDegrees()
        case .maidenhead: addMaidenhead()
        case .utm, .mgrs: addZones(kind, metresPerColumn: cellWidth * cos(middle.radians) * 111_319.5)
        }
    }

    // MARK: Lines of latitude and longitude

    /// Returns the factors by which a step is multiplied in a range; none if there are too many to draw.
    static func factors(of step: Double, from low: Double, to high: Double) -> Range<Int> {
        let first = (low / step).rounded(.up), last = (high / step).rounded(.down)
        return first <= last && last - first < 1000 ? Int(first)..<(Int(last) + 1) : 0..<0
    }

    /// Adds a meridian.
    /// - Parameter latitudes: The latitudes of its ends.
    mutating func addMeridian(
        _ longitude: Double, _ weight: Line.Weight, _ label: String,
        latitudes: ClosedRange<Double> = -90...90
    ) {
        let ends = latitudes.clamped(to: south...max(north, south))
        guard ends.lowerBound < ends.upperBound, (west...east).contains(longitude) else { return }
        let x = (longitude + 180) / 360
        let points = [ends.upperBound, ends.lowerBound].map { WorldPoint(x: x, y: CoordinateGrid.y($0)) }
        lines.append(Line(points: points, isMeridional: true, weight: weight, label: label))
    }

    /// Adds a parallel across the view.
    mutating func addParallel(_ latitude: Double, _ weight: Line.Weight, _ label: String) {
        let y = CoordinateGrid.y(latitude)
        let points = [WorldPoint(x: view.minX, y: y), WorldPoint(x: view.maxX, y: y)]
        lines.append(Line(points: points, isMeridional: false, weight: weight, label: label))
    }

    static func y(_ latitude: Double) -> Double {
        Mercator.world(Coordinate(latitude: latitude, longitude: 0)).y
    }
}

// MARK: - Degrees

extension CoordinateGrid {
    /// The steps of latitude and longitude, in hundredths of a second.
    private static let degreeSteps =
        [1, 2, 5, 10, 20, 50] + [1, 2, 5, 10, 15, 30].map { $0 * 100 }
        + [1, 2, 5, 10, 15, 30].map { $0 * 6000 } + [1, 2, 5, 10, 15, 30, 45, 90].map { $0 * degree }
    private static let degree = 360_000

    private mutating func addDegrees() {
        let unit = Double(CoordinateGrid.degree)
        func step(_ least: Double) -> Int {
            CoordinateGrid.degreeSteps.first { Double($0) >= least * unit } ?? 90 * CoordinateGrid.degree
        }
        let across = step(cellWidth * CoordinateGrid.leastColumns)
        for at in CoordinateGrid.factors(of: Double(across) / unit, from: west, to: east) {
            let value = at * across
            addMeridian(
                Double(value) / unit, CoordinateGrid.weight(value, across),
                CoordinateGrid.longitudeText(value, step: across))
        }
        let up = step(cellHeight * CoordinateGrid.leastRows)
        for at in CoordinateGrid.factors(of: Double(up) / unit, from: south, to: north) {
            let value = at * up
            addParallel(
                Double(value) / unit, CoordinateGrid.weight(value, up),
                CoordinateGrid.text(value, step: up) + (value == 0 ? "" : value > 0 ? "N" : "S"))
        }
    }

    private static func weight(_ value: Int, _ step: Int) -> Line.Weight {
        let larger = step < 6000 ? 6000 : step < degree ? degree : 180 * degree
        return value.isMultiple(of: larger) ? .main : .minor
    }

    private static func longitudeText(_ value: Int, step: Int) -> String {
        let turn = 360 * degree, east = (value + turn / 2).flooredDivision(by: turn).remainder - turn / 2
        let letter = east == 0 || east == -turn / 2 ? "" : east > 0 ? "E" : "W"
        return text(east, step: step) + letter
    }

    /// Returns an angle such as 22°30′, with the units that the step needs.
    private static func text(_ value: Int, step: Int) -> String {
        let size = abs(value), degrees = "\(size / degree)°"
        guard step < degree else { return degrees }
        let minutes = degrees + (size % degree / 6000).digits(2) + "′"
        guard step < 6000 else { return minutes }
        let seconds = minutes + (size % 6000 / 100).digits(2)
        return step < 100 ? seconds + "." + (size % 100).digits(2) + "″" : seconds + "″"
    }
}

// MARK: - Maidenhead

extension CoordinateGrid {
    /// The widths of the squares of each level, largest first, in units of 1.25″ of longitude. Heights are
    /// half as large in degrees.
    private static let levels = [57600, 5760, 240, 24, 1]
    private static let locatorSteps = [
        1, 2, 4, 8, 24, 48, 120, 240, 480, 960, 1920, 5760, 11520, 28800, 57600, 115_200, 172_800, 518_400,
    ]

    private mutating func addMaidenhead() {
        let unit = 1 / 2880.0
        let least =
            max(
                cellWidth * CoordinateGrid.leastColumns, cellHeight * CoordinateGrid.leastRows) / unit
        let step = CoordinateGrid.locatorSteps.first { Double($0) >= least } ?? 518_400
        let level = CoordinateGrid.levels.firstIndex { $0 <= step } ?? 0
        func weight(_ value: Int) -> Line.Weight {
            level > 0 && value.isMultiple(of: CoordinateGrid.levels[level - 1]) ? .main : .minor
        }
        func locator(_ latitude: Double, _ longitude: Double) -> String {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            return String(Maidenhead.text(of: place, pairs: level + 1).prefix(2 * level + 2))
        }
        let aside = unit / 100, side = Double(step) * unit
        for at in CoordinateGrid.factors(of: side, from: west + 180, to: east + 180) {
            let longitude = Double(at) * side - 180
            addMeridian(longitude, weight(at * step), locator(north - aside, longitude + aside))
        }
        for at in CoordinateGrid.factors(of: side / 2, from: south + 90, to: north + 90) {
            let latitude = Double(at) * side / 2 - 90
            addParallel(latitude, weight(at * step), locator(latitude + aside, west + aside))
        }
    }
}
