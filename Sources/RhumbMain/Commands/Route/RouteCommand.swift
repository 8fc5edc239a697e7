internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal

/// `rhumb route`: finds the route from one place to another, and prints it as a list or JSON, or writes it to
/// a file.
struct RouteCommand {
    private let invocation: Invocation
    private let log = RouteHistory(Folders(environment: Environment.all))

    static func run(_ invocation: Invocation) async throws -> Int32 {
        if let source = invocation[.agree] { return try agree(to: source, invocation) }
        guard let from = invocation.operand, let to = invocation[.destination] else {
            throw UsageError("route needs two places: rhumb route FROM TO, or a place and --within 15min")
        }
        let command = RouteCommand(invocation: invocation)
        do throws(RouteFailure) {
            let answer = try await command.answer(from, to)
            try command.write(answer)
            return command.lacksHeights(answer) ? ExitStatus.gaps : ExitStatus.done
        } catch {
            Output.say("rhumb: \(FailureText.sentence(error))")
            return error.exitStatus
        }
    }

    private static func agree(to name: String, _ invocation: Invocation) throws -> Int32 {
        try invocation.agree(
            to: name, among: invocation.catalog().routeEngines(),
            "used once per command or key press; at most one request per second")
    }

    private init(invocation: Invocation) { self.invocation = invocation }

    // MARK: Finding routes

    private func answer(_ from: String, _ to: String) async throws(RouteFailure) -> RouteAnswer {
        do {
            return try await invocation.withSession { session in
                let area = try invocation.searchedArea(session)
                var lookup = PlaceLookup(session, in: area)
                let places = try lookup.places([from] + invocation[all: .via] + [to])
                var request = RouteRequest(
                    from: places[0], to: places[places.count - 1], via: Array(places.dropFirst().dropLast()))
                try invocation.setTravel(of: &request)
                if invocation[.back] { request = request.reversed }
                return try await answer(request, session, area)
            }
        } catch let failure as RouteFailure {
            throw failure
        } catch {
            end(FailureText.sentence(error), error is UsageError ? ExitStatus.wrongUsage : ExitStatus.failed)
        }
    }

    /// Returns the response of an engine or, if offline, a stored response to the same request.
    private func answer(
        _ request: RouteRequest, _ session: MapSession, _ area: SearchedArea?
    ) async throws -> RouteAnswer {
        let finder: RouteFinder
        do { finder = try invocation.routeFinder(session, in: area) } catch {
            throw RouteFailure.unsupported("\(error)")
        }
        let terrain = HeightSource(invocation[.terrain], session, requestsTiles: true)
        do throws(RouteFailure) {
            let answer = await withHeights(
                try await finder.routes(request, by: invocation[all: .engine], now: .now), finder, terrain)
            if let warning = log.add(answer) { Output.say("rhumb: \(warning)") }
            return answer
        } catch {
            guard error.isOffline, let stored = log.answer(to: request) else { throw error }
            Output.note(
                "rhumb: route from cache, \(AmountText.age(UnixSeconds.now.seconds(since: stored.time))) old")
            return await withHeights(stored, finder, terrain)
        }
    }

    /// Returns the route with heights, if requested. Failures are reported, and the route is returned without
    /// heights.
    private func withHeights(
        _ answer: RouteAnswer, _ finder: RouteFinder, _ terrain: HeightSource
    ) async -> RouteAnswer {
        guard invocation[.heights], let best = answer.routes.first, best.heights.isEmpty else {
            return answer
        }
        var answer = answer
        do throws(RouteFailure) {
            answer.routes[0].set(
                try await terrain.heights(along: best.line, by: finder, invocation[all: .engine]) {
                    Output.say("rhumb: \($0)")
                })
        } catch {
            Output.say("rhumb: \(FailureText.sentence(error))")
        }
        return answer
    }

    /// Returns true if heights were requested, and some of the route are unknown.
    private func lacksHeights(_ answer: RouteAnswer) -> Bool {
        guard invocation[.heights], let best = answer.routes.first else { return false }
        return best.heights.isEmpty || best.heights.contains(where: \.isNaN)
    }

    // MARK: Writing

    private func write(_ answer: RouteAnswer) throws(RouteFailure) {
        do {
            if invocation[.json] { try invocation.print(answer.json) }
            if let name = invocation[.output] {
                try Output.write(document: try bytes(of: answer, as: name), to: Output.file(name))
            } else if !invocation[.json] {
                try Output.print(RouteList(answer, now: .now).lines.map { $0 + "\n" }.joined())
            }
        } catch {
            end(FailureText.sentence(error), error is UsageError ? ExitStatus.wrongUsage : ExitStatus.failed)
        }
    }

    private func bytes(of answer: RouteAnswer, as name: String) throws -> [UInt8] {
        guard let format = RouteFormat(name) else {
            throw UsageError("--output: expected a .gpx, .geojson or .json file, or - for GeoJSON")
        }
        return format.bytes(of: answer)
    }
}

/// The file format of a route.
enum RouteFormat {
    case gpx, geoJSON, json

    /// Detects the format by a file's extension; GeoJSON for standard output, nil for other extensions.
    init?(_ name: String) {
        let lowercased = name.lowercased()
        if Output.file(name) == nil || lowercased.hasSuffix(".geojson") {
            self = .geoJSON
        } else if lowercased.hasSuffix(".gpx") {
            self = .gpx
        } else if lowercased.hasSuffix(".json") {
            self = .json
        } else {
            return nil
        }
    }

    /// Returns the contents of a file with the routes. GPX contains only the chosen one.
    func bytes(of answer: RouteAnswer, _ chosen: Int = 0) -> [UInt8] {
        switch self {
        case .gpx: Array(answer.gpx(chosen, creator: "Rhumb \(CommandTable.version)").utf8)
        case .geoJSON: Array((answer.geoJSON.text + "\n").utf8)
        case .json: Array((answer.json.text + "\n").utf8)
        }
    }
}

/// A route as lines of text.
struct RouteList {
    let lines: [String]

    init(_ answer: RouteAnswer, now: UnixSeconds) {
        guard let best = answer.routes.first else {
            lines = []
            return
        }
        let isUnicode = TerminalProfile.current(colors: nil, symbols: nil).isUTF8
        let rows = best.lines.map {
            [
                $0.sign.sign(isUnicode: isUnicode), $0.distance > 0 ? AmountText.metres($0.distance) : "",
                $0.words,
            ]
        }
        var lines = [RouteList.title(answer, best, now)] + TextTable([], rows).lines
        for (at, other) in answer.routes.enumerated().dropFirst() {
            lines.append("alternative \(at): \(answer.title(other))")
        }
        lines += [best.climbWords].compactMap(\.self)
        if !best.heights.isEmpty { lines.append("elevation: \(answer.heightCredit(of: best))") }
        lines += best.remarks.map { "note: \($0)" }
        self.lines =
            lines + [[answer.provider, answer.attribution].filter { !$0.isEmpty }.joined(separator: ", ")]
    }

    private static func title(_ answer: RouteAnswer, _ route: Route, _ now: UnixSeconds) -> String {
        let arrival = ClockZone.local.text(now.adding(Int64(clamping: route.duration)), now: now)
        let delay = route.delay.map { $0 >= 30 ? ", \(AmountText.seconds($0)) due to traffic" : "" } ?? ""
        if case .at(let time)? = answer.request.departure {
            return answer.title(route) + delay + ", depart \(time)"
        }
        return answer.title(route) + delay + ", arrive \(arrival)"
    }
}
