internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The route on a picture: read from a file, or requested from an engine.
struct PictureRoute {
    private let specifier: String
    private let invocation: Invocation
    private let session: MapSession
    private static let timeLimit = Duration.seconds(60)

    /// - Parameter specifier: A file, or places separated by ";".
    init(_ specifier: String, _ invocation: Invocation, _ session: MapSession) {
        self.specifier = specifier
        self.invocation = invocation
        self.session = session
    }

    /// Returns the route.
    /// - Throws: `RouteFailure`, or a sentence.
    func answer() async throws -> RouteAnswer {
        if Files.exists(specifier) {
            return specifier.lowercased().hasSuffix(".json") ? try storedRoute() : try await track()
        }
        let names = specifier.split(separator: ";").map { $0.split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty }
        guard names.count > 1 else {
            if specifier.contains(".") || specifier.contains("/") { throw FileProblem(specifier) }
            let shown = SafeText.sanitised(specifier, limit: 80)
            throw Notice.Problem(
                "--route: \(shown) is neither a file nor two places; use a file, or \"Monaco; Nice\"")
        }
        var lookup = PlaceLookup(session, in: try invocation.searchedArea(session))
        let places = try lookup.places(names)
        let request = RouteRequest(
            from: places[0], to: places[places.count - 1], via: Array(places.dropFirst().dropLast()))
        return try await invocation.routeFinder(session).routes(
            request, by: invocation[all: .engine], now: .now)
    }

    /// Reads the output of `rhumb route -o FILE.json`.
    private func storedRoute() throws -> RouteAnswer {
        guard let bytes = Files.read(specifier, limit: 64 << 20), let json = try? JSON.parse(bytes),
            let answer = RouteAnswer(json: json)
        else {
            throw Notice.Problem(
                "\(SafeText.sanitised(specifier)) has no route; use a GPX file, or one written by rhumb route -o"
            )
        }
        return answer
    }

    /// Reads the tracks of a file and joins them.
    private func track() async throws -> RouteAnswer {
        guard let origin = OverlayOrigin(specifier), origin.isFile else {
            throw Notice.Problem("\(SafeText.sanitised(specifier)) is not a track file")
        }
        let feed = OverlayFeed(origin, number: 0, overlayTheme: LiveLayer.OverlayTheme())
        let status = await feed.whole(within: Self.timeLimit)
        feed.stop()
        if let problem = status.problem { throw Notice.Problem(problem) }
        let paths = feed.live.index.features.filter { $0.kind == .line }.flatMap(\.paths)
        let line = paths.flatMap { path in path.points.indices.map { path.coordinate($0) } }
        guard line.count > 1 else { throw Notice.Problem("\(origin.name) has no track") }
        let distance = TrackStatistics(paths).distance
        return RouteAnswer(
            RouteRequest(from: line[0], to: line[line.count - 1]),
            [Route(line: line, legs: [], distance: distance, duration: 0)],
            provider: origin.name, attribution: "", time: .now, mayBeStored: true)
    }
}
