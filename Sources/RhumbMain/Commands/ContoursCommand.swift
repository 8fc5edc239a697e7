internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb contours`: writes the contour lines of an area as GeoJSON.
struct ContoursCommand {
    private let invocation: Invocation
    /// The greatest distance of a line from the heights, in samples.
    private static let tolerance = 0.1

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        guard let box = invocation[.bbox] else { throw UsageError("contours: missing --bbox W,S,E,N") }
        let file = try invocation.newOutput()
        let spacing = ContourSpacing(
            invocation[.interval] ?? 20, isInFeet: invocation[.units] == Settings.Units.imperial.rawValue)
        return try await invocation.withSession { session in
            let name = SafeText.sanitised(invocation.operand ?? "")
            guard let ground = try await HeightSource(invocation.operand, session).ground() else {
                throw Notice.Problem("\(name) has no elevation")
            }
            var features: [JSON] = [], failures: [TileFailure] = [], missing = 0.0, width = 0.0
            for part in box.worldBoxes {
                let area: HeightArea?
                do throws(TileFailure) {
                    area = try await ground.area(part, zoom: invocation[.zoom].map { Int(clamping: $0) })
                } catch {
                    throw Notice.Problem(error)
                }
                width += part.maxX - part.minX
                missing += (part.maxX - part.minX) * (area?.missingShare ?? 1)
                guard let area else { continue }
                features += Self.features(area, spacing)
                failures += area.failures
            }
            let share = AmountText.percent(max(missing / width, 0.001)),
                gaps = missing > 0 ? "\(share) of the box has no heights" : ""
            guard !features.isEmpty || !failures.isEmpty else {
                throw Notice.Problem(
                    missing == width
                        ? "\(name) has no heights in this box"
                        : "\(name) has no contours in this box" + (gaps.isEmpty ? "" : "; \(gaps)"))
            }
            let document: JSON = ["type": "FeatureCollection", "features": .array(features)]
            try Output.write(Array((document.text + "\n").utf8), to: file, links: invocation.linkRule)
            if let failure = failures.first {
                let count = AmountText.count(failures.count, "tile")
                Output.say("rhumb: \(count) of heights missing: \(Notice.Problem(failure))")
            }
            if !gaps.isEmpty {
                let reason = ", such as sea without data or places beyond the edge of \(name)"
                Output.say("rhumb: \(gaps)\(failures.isEmpty ? reason : "")")
            }
            if !ground.attribution.isEmpty { Output.say(ground.attribution) }
            return failures.isEmpty && gaps.isEmpty ? ExitStatus.done : ExitStatus.gaps
        }
    }

    private static func features(_ area: HeightArea, _ spacing: ContourSpacing) -> [JSON] {
        let distance = spacing.distance(at: area.zoom)
        var contours = ContourLines(of: area.grid, every: distance * spacing.unit)
        contours.simplify(within: tolerance)
        return contours.lines.lazy.filter { !$0.isPoint }.map { line in
            let height = (line.height / contours.interval).rounded(.toNearestOrEven) * distance
            return [
                "type": "Feature", "properties": ["ele": .number(height)],
                "geometry": [
                    "type": "LineString",
                    "coordinates": .array(
                        line.points.map { point in
                            let place = area.coordinate(point)
                            return [degrees(place.longitude), degrees(place.latitude)]
                        }),
                ],
            ]
        }
    }

    /// Returns a number of degrees with seven decimals, about 1 cm.
    private static func degrees(_ value: Double) -> JSON {
        .number((value * 1e7).rounded(.toNearestOrEven) / 1e7)
    }
}
