internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb contours`: writes the contour lines of an area as GeoJSON.
struct ContoursCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        guard let box = invocation[.bbox] else { throw UsageError("contours: missing --bbox W,S,E,N") }
        try checkFormat()
        let file = try invocation.newOutput()
        let spacing = ContourSpacing(
            invocation[.interval] ?? 20, isInFeet: invocation[.units] == Settings.Units.imperial.rawValue)
        return try await invocation.withSession { session in
            let name = SafeText.sanitised(invocation.operand ?? "")
            guard let ground = try await HeightSource(invocation.operand, session).ground() else {
                throw Notice.Problem("\(name) has no elevation")
            }
            let found = try await areas(of: ground, in: box)
            let document = try document(found.areas, spacing, name)
            let share = AmountText.percent(max(found.missingShare, 0.001)),
                gaps = found.missingShare > 0 ? "\(share) of the box has no heights" : ""
            guard found.missingShare < 1 || !found.failures.isEmpty else {
                throw Notice.Problem("\(name) has no heights in this box")
            }
            try Output.write(document.bytes, to: file, links: invocation.linkRule)
            if !document.hasFeatures, found.failures.isEmpty {
                Output.note("rhumb: \(name) has no contours in this box")
            }
            if let failure = found.failures.first {
                let count = AmountText.count(found.failures.count, "tile")
                Output.say("rhumb: \(count) of heights missing: \(Notice.Problem(failure))")
            }
            if found.coarserCount > 0 {
                let count = AmountText.count(found.coarserCount, "tile")
                let reason =
                    found.replaced.first.map { "\(Notice.Problem($0))" } ?? "\(name) has no finer ones there"
                Output.say("rhumb: coarser heights are used for \(count): \(reason)")
            }
            if !gaps.isEmpty {
                let reason = ", such as sea without data or places beyond the edge of \(name)"
                Output.say("rhumb: \(gaps)\(found.failures.isEmpty ? reason : "")")
            }
            if !ground.attribution.isEmpty { Output.say(ground.attribution) }
            let isWhole = found.failures.isEmpty && found.replaced.isEmpty && gaps.isEmpty
            return isWhole ? ExitStatus.done : ExitStatus.gaps
        }
    }

    /// Refuses the names of files of other formats.
    private func checkFormat() throws {
        let name = Output.file(invocation[.output])?.lastPathName ?? ""
        guard let dot = name.dropFirst().lastIndex(of: ".") else { return }
        let ending = name[dot...].lowercased()
        guard ending != ".geojson", ending != ".json" else { return }
        let isTiles = [.pmTiles, .mbTiles].contains(ArchiveContainer(path: String(name)))
        let advice = isTiles ? "; tippecanoe makes vector tiles of it" : ""
        throw UsageError(
            "contours: can't write \(SafeText.sanitised(ending)); contours are written as GeoJSON, to a .geojson or "
                + ".json file\(advice)")
    }

    /// The heights of a box.
    private struct Found {
        var areas: [HeightArea] = []
        /// The share of the box without heights, 0…1.
        var missingShare = 0.0
        var failures: [TileFailure] { areas.flatMap(\.failures) }
        var replaced: [TileFailure] { areas.flatMap(\.replacedFailures) }
        var coarserCount: Int { areas.reduce(0) { $0 + $1.coarserCount } }
    }

    private func areas(of ground: ElevationModel, in box: Bounds) async throws -> Found {
        let meter = ProgressMeter()
        defer { meter.end() }
        let handler = WorkProgress.Handler { meter.show("reading heights", $0, of: $1, .count("tiles")) }
        return try await WorkProgress.$handler.withValue(handler) {
            var found = Found(), width = 0.0, missing = 0.0
            for part in box.worldBoxes {
                let area = try await convertingAsync(
                    await ground.area(part, zoom: invocation[.zoom].map { Int(clamping: $0) })
                ) { (error: TileFailure) in Notice.Problem(error) }
                width += part.maxX - part.minX
                missing += (part.maxX - part.minX) * (area?.missingShare ?? 1)
                if let area { found.areas.append(area) }
            }
            found.missingShare = missing / width
            return found
        }
    }

    /// Returns the GeoJSON of all lines.
    /// - Throws: A sentence if the lines take too much memory.
    private func document(
        _ areas: [HeightArea], _ spacing: ContourSpacing, _ name: String
    ) throws -> ContourDocument {
        let count = areas.reduce(0) { count, area in
            let interval = spacing.distance(at: area.zoom) * spacing.unit
            return count + ContourLines.pointCount(of: area.grid, every: interval)
        }
        guard count <= Self.pointLimit else {
            let millions = (count + 999_999) / 1_000_000
            throw Notice.Problem(
                "the contours of \(name) have about \(millions) million points in this box, over the limit of \(Self.pointLimit / 1_000_000) million; use a greater --interval, a smaller --bbox or a lower --zoom"
            )
        }
        return ProgressMeter.run("tracing contours", .count("lines")) {
            var document = ContourDocument()
            for area in areas { document.add(area, spacing) }
            document.end()
            return document
        }
    }

    /// The maximum number of points. Each takes about 100 bytes while the lines are traced.
    private static let pointLimit = 10_000_000
}

/// The GeoJSON of contour lines, as text, because its values would take ten times the memory.
private struct ContourDocument {
    private(set) var bytes = Array(#"{"type":"FeatureCollection","features":["#.utf8)
    private(set) var hasFeatures = false
    /// The greatest distance of a line from the heights, in samples.
    private static let tolerance = 0.1

    mutating func add(_ area: HeightArea, _ spacing: ContourSpacing) {
        let distance = spacing.distance(at: area.zoom)
        var contours = ContourLines(of: area.grid, every: distance * spacing.unit)
        contours.simplify(within: Self.tolerance)
        for (at, line) in contours.lines.enumerated() where !line.isPoint {
            let height = (line.height / contours.interval).rounded(.toNearestOrEven) * distance
            bytes += (hasFeatures ? "," : "").utf8
            bytes += #"{"type":"Feature","properties":{"ele":\#(JSON.number(height).text)},"#.utf8
            bytes += #""geometry":{"type":"LineString","coordinates":"#.utf8
            var separator = "["
            for point in line.points {
                let place = area.coordinate(point)
                // Seven decimals are about 1 cm.
                bytes += "\(separator)[\(place.longitude.plain(7)),\(place.latitude.plain(7))]".utf8
                separator = ","
            }
            bytes += "]}}".utf8
            hasFeatures = true
            if at.isMultiple(of: 256) { WorkProgress.report(at, of: contours.lines.count) }
        }
    }

    mutating func end() { bytes += "]}\n".utf8 }
}
