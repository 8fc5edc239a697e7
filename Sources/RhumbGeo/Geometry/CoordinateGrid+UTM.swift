internal import RhumbBase

/// The borders of UTM zones and bands, and the lines of eastings and northings in each zone.
extension CoordinateGrid {
    private static let square = 100_000
    /// The minimum distance between the borders of zones and of bands, in cells.
    private static let (leastZone, leastBand) = (8.0, 4.0)
    /// The number of pieces that a curved line is drawn in.
    private static let pieces = 16

    /// - Parameter metresPerColumn: The width of a column at the centre of the view.
    mutating func addZones(_ kind: GridKind, metresPerColumn: Double) {
        let every = [1, 2, 5, 10].first { Double($0 * 6) >= CoordinateGrid.leastZone * cellWidth } ?? 10
        addZoneBorders(every: every)
        addBandBorders()
        let place = Coordinate(latitude: north - 1e-6, longitude: west + 1e-6)
        let position = north > -80 && every == 1 ? UTMPosition(place) : nil
        corner = position.map { "\($0.zone)\($0.band)" } ?? ""
        addPolarBorders()
        let isWest = !Int((west / 180).rounded(.down)).isMultiple(of: 2)
        if south >= 84 { corner = (isWest ? "Y" : "Z") + ", UTM ends at 84°N" }
        if north <= -80 { corner = (isWest ? "A" : "B") + ", UTM ends at 80°S" }
        guard let step = CoordinateGrid.step(metresPerColumn: metresPerColumn) else { return }
        for turn in Int(view.minX.rounded(.down))...Int(view.maxX.rounded(.down)) {
            for zone in UTMZone.all {
                guard let part = ZonePart(zone, turn: turn, in: self) else { continue }
                addLines(kind, step, part, isMeridional: true)
                addLines(kind, step, part, isMeridional: false)
            }
        }
        if let position, kind == .mgrs { corner = position.square }
    }

    /// Returns the distance of lines: 1, 2 or 5 times a power of ten from 1 m to 100 km; nil if that is too
    /// narrow.
    static func step(metresPerColumn: Double) -> Int? {
        let powers = [1, 10, 100, 1000, 10_000]
        return (powers.flatMap { [$0, 2 * $0, 5 * $0] } + [square]).first {
            Double($0) >= leastColumns * metresPerColumn
        }
    }

    /// - Parameter every: Only zones whose number is a multiple of it, counted from 0, have borders.
    private mutating func addZoneBorders(every: Int) {
        var parts = UTMZone.all.filter { every == 1 || Int($0.west + 180).isMultiple(of: 6 * every) }[...]
        while let first = parts.popFirst() {
            var north = first.north
            while let next = parts.first, next.number == first.number, next.west == first.west,
                next.south == north
            {
                north = next.north
                parts.removeFirst()
            }
            for turn in Int(view.minX.rounded(.down))...Int(view.maxX.rounded(.down)) {
                addMeridian(
                    first.west + Double(turn * 360), .border, "\(first.number)",
                    latitudes: first.south...north)
            }
        }
    }

    private mutating func addBandBorders() {
        let every = [1, 2, 5].first { Double($0 * 8) >= CoordinateGrid.leastBand * cellHeight } ?? 5
        for (at, letter) in UTM.bands.enumerated() where at.isMultiple(of: every) {
            let latitude = Double(at * 8 - 80)
            if south...north ~= latitude { addParallel(latitude, .border, letter.uppercased()) }
        }
        if south...north ~= 84 { addParallel(84, .border, "") }
    }

    /// Adds the borders between the areas of Universal Polar Stereographic, with their letters.
    private mutating func addPolarBorders() {
        // The map ends at 85°.
        guard CoordinateGrid.leastBand * cellHeight <= 1 else { return }
        for turn in Int(view.minX.rounded(.down))...Int(view.maxX.rounded(.down)) {
            for (longitude, north, south) in [(-180, "Y", "A"), (0, "Z", "B")] {
                let meridian = Double(longitude + turn * 360)
                addMeridian(meridian, .border, north, latitudes: 84...90)
                addMeridian(meridian, .border, south, latitudes: -90 ... -80)
            }
        }
    }

    private mutating func addLines(_ kind: GridKind, _ step: Int, _ part: ZonePart, isMeridional: Bool) {
        let across = isMeridional ? part.eastings : part.northings
        let along = isMeridional ? part.northings : part.eastings
        let factors = CoordinateGrid.factors(
            of: Double(step), from: across.lowerBound, to: across.upperBound)
        let larger = CoordinateGrid.larger(step)
        for at in factors {
            let value = at * step
            let runs = CoordinateGrid.runs(along, pieces: CoordinateGrid.pieces) { other in
                isMeridional ? part.point(Double(value), other) : part.point(other, Double(value))
            }
            for run in runs {
                guard let end = isMeridional ? run.last : run.first else { continue }
                let label =
                    kind == .utm
                    ? CoordinateGrid.metres(value, isMeridional) : part.digits(value, step, isMeridional, end)
                lines.append(
                    Line(
                        points: run.map(\.point), isMeridional: isMeridional,
                        weight: value.isMultiple(of: larger) ? .main : .minor,
                        label: label))
            }
        }
    }

    /// Returns the distance of main lines.
    private static func larger(_ step: Int) -> Int {
        var power = 10
        while power <= step { power *= 10 }
        return min(power, square)
    }

    private static func metres(_ value: Int, _ isEasting: Bool) -> String {
        isEasting ? "\(value)E" : "\(value < 0 ? value + Int(UTM.falseNorthing) : value)N"
    }

    /// Returns the parts of a curve that have points.
    /// - Parameter point: Returns the point at a parameter; nil outside the drawn part.
    private static func runs(
        _ range: ClosedRange<Double>, pieces: Int, _ point: (Double) -> ZonePart.Spot?
    ) -> [[ZonePart.Spot]] {
        var runs: [[ZonePart.Spot]] = [], run: [ZonePart.Spot] = [], before = range.lowerBound
        /// Returns the last point of the curve on the way from an inner to an outer parameter.
        func edge(_ inner: Double, _ outer: Double) -> ZonePart.Spot? {
            var inner = inner, outer = outer, last: ZonePart.Spot?
            for _ in 0..<12 {
                let middle = (inner + outer) / 2
                if let found = point(middle) {
                    last = found
                    inner = middle
                } else {
                    outer = middle
                }
            }
            return last
        }
        for piece in 0...pieces {
            let at =
                range.lowerBound
                + (range.upperBound - range.lowerBound) * Double(piece) / Double(pieces)
            if let spot = point(at) {
                if run.isEmpty, piece > 0 { run = [edge(at, before)].compactMap(\.self) }
                run.append(spot)
            } else if !run.isEmpty {
                runs.append(run + [edge(before, at)].compactMap(\.self))
                run = []
            }
            before = at
        }
        return (runs + [run]).filter { $0.count > 1 }
    }
}

/// The visible part of a zone.
private struct ZonePart {
    /// A point of a line, in metres from the zone's origin and on the map.
    typealias Spot = (easting: Double, northing: Double, point: WorldPoint)

    let zone: UTMZone
    /// The number of the copy of the world.
    let turn: Int
    let longitudes: ClosedRange<Double>
    let latitudes: ClosedRange<Double>
    /// The eastings, and the northings from the equator, in metres.
    let eastings: ClosedRange<Double>, northings: ClosedRange<Double>

    /// - Returns: Nil if the zone is out of view.
    init?(_ zone: UTMZone, turn: Int, in grid: CoordinateGrid) {
        let aside = Double(turn * 360)
        let west = max(zone.west, grid.west - aside), east = min(zone.east, grid.east - aside)
        let south = max(zone.south, grid.south), north = min(zone.north, grid.north)
        guard west < east, south < north else { return nil }
        self.zone = zone
        self.turn = turn
        longitudes = west...east
        latitudes = south...north
        // Eastings and northings are largest and smallest at corners, the equator or the central meridian.
        let corners = [west, min(max(zone.centralMeridian, west), east), east].flatMap { longitude in
            [south, min(max(0, south), north), north].map { zone.metres($0, longitude) }
        }
        eastings = (corners.map(\.east).min() ?? 0)...(corners.map(\.east).max() ?? 0)
        northings = (corners.map(\.north).min() ?? 0)...(corners.map(\.north).max() ?? 0)
    }

    /// Returns a point of the map; nil if it is outside the part.
    func point(_ easting: Double, _ northing: Double) -> Spot? {
        let place = zone.degrees(easting, northing)
        // A line along the eastern edge is the border of the next zone.
        guard latitudes.contains(place.latitude), longitudes.contains(place.longitude),
            place.longitude < longitudes.upperBound - 1e-9
        else { return nil }
        let x = (place.longitude + 180) / 360 + Double(turn)
        return (easting, northing, WorldPoint(x: x, y: CoordinateGrid.y(place.latitude)))
    }

    /// Returns the label of a line in the military grid: the square of 100 km that begins there, or the
    /// digits within it.
    /// - Parameter end: The end of the line that is labelled.
    func digits(_ value: Int, _ step: Int, _ isMeridional: Bool, _ end: Spot) -> String {
        let square = 100_000, rest = value.flooredDivision(by: square).remainder
        guard rest != 0 else {
            let place = zone.degrees(end.easting + 1, end.northing + (isMeridional ? -1 : 1))
            return UTMPosition(
                Coordinate(latitude: place.latitude, longitude: place.longitude), zone: zone.number
            ).square
        }
        let count = [10_000, 1000, 100, 10].firstIndex { step >= $0 }.map { $0 + 1 } ?? 5
        return String(String(rest + square).dropFirst().prefix(count))
    }
}

extension UTMPosition {
    /// The square of 100 km in the military grid, such as "35VML".
    fileprivate var square: String { String(militaryGrid(digits: 1).dropLast(2)) }
}
