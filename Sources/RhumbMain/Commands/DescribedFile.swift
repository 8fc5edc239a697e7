internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Describes the points, lines and areas of a file in words.
struct DescribedFile {
    private let specifier: String

    init(_ specifier: String) { self.specifier = specifier }

    /// Returns true for an origin that is read once, also for a file or address that doesn't exist.
    static func isReadable(_ origin: OverlayOrigin) -> Bool {
        origin.isFile || origin.isAddress || origin == .standardInput
    }

    /// Prints a sentence for the file, and one for each feature.
    /// - Throws: A sentence for files without features, such as maps and pictures.
    func describe(_ invocation: Invocation) async throws -> Int32 {
        let name = SafeText.sanitised(specifier, limit: 60), origin = OverlayOrigin(specifier)
        guard let origin, Self.isReadable(origin) else {
            throw Notice.Problem(
                "\(name) has no points, lines and areas; describe a place of a map by rhumb describe PLACE --in \(name), or see rhumb archive info. Pictures can't be described"
            )
        }
        let file = try await FeatureFile(specifier)
        if let reason = file.emptiness {
            if invocation[.json] { try invocation.print(["lines": [], "problems": .messages([reason])]) }
            Output.say("rhumb: \(reason)")
            return ExitStatus.gaps
        }
        return try await invocation.withSession(asksFirst: false) { session in
            let title = SafeText.sanitised(file.name, limit: 60), limit = invocation[.lines] ?? 25
            var lines = ["\(title): \(Self.counts(of: file.features))."]
            let shown = file.features.prefix(max(limit - 2, 1))
            lines += shown.map { Self.sentence($0, session, DescribeCommand.units(invocation)) }
            if file.features.count > shown.count {
                lines.append("And \(AmountText.count(file.features.count - shown.count, "more feature")).")
            }
            try invocation.print(
                Array(lines.prefix(limit)),
                [
                    "lines": .array(lines.map { .string($0) }),
                    "problems": .messages(file.faults.first.map { "\($0)" }),
                ])
            file.printFaults()
            return file.faults.count > 0 ? ExitStatus.gaps : ExitStatus.done
        }
    }

    private static func counts(of features: [OverlayFeature]) -> String {
        let counts = ["track", "line", "area", "point"].compactMap { word -> String? in
            let count = features.count { $0.kindWord == word }
            return count > 0 ? AmountText.count(count, word) : nil
        }
        return counts.isEmpty ? "no features" : counts.joined(separator: ", ")
    }

    /// Returns a sentence such as "Track Ridge walk: 12 kilometres, from Reno to 2 kilometres east of Verdi."
    private static func sentence(
        _ feature: OverlayFeature, _ session: MapSession, _ units: Settings.Units
    ) -> String {
        let title = [feature.kindWord.capitalisingFirst, feature.name].filter { !$0.isEmpty }
            .joined(separator: " ")
        func near(_ place: Coordinate, within preposition: String) -> String {
            let spot = try? session.offlineSearch.describe(place).place
            guard let spot else { return DescriptionText.coordinate(place) }
            let distance = DescriptionText.distance(spot.metres, units)
            return spot.isWithin
                ? preposition + spot.place.name
                : "\(distance) \(PlaceBearing.compassWord(spot.degrees)) of \(spot.place.name)"
        }
        func place(_ point: SIMD2<Double>) -> Coordinate {
            Mercator.coordinate(onPlane: WorldPoint(x: point.x, y: point.y))
        }
        let count = feature.paths.reduce(0) { $0 + $1.points.count }
        guard feature.kind == .line, count > 1, let first = feature.paths.first?.points.first,
            let last = feature.paths.last?.points.last
        else { return "\(title): \(near(feature.coordinate, within: "in "))." }
        let figures = TrackStatistics(feature.paths)
        let climb = figures.ascent.map { ", \(DescriptionText.distance($0, units)) up" } ?? ""
        let isLoop = place(first).metres(to: place(last)) < 100
        let start = near(place(first), within: "")
        let ends = isLoop ? "from \(start) and back" : "from \(start) to \(near(place(last), within: ""))"
        return "\(title): \(DescriptionText.distance(figures.distance, units))\(climb), \(ends)."
    }
}

extension String {
    fileprivate var capitalisingFirst: String { prefix(1).uppercased() + dropFirst() }
}
