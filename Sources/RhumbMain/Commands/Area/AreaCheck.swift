internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb area check`: checks that maps work without a network.
struct AreaCheck {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// - Returns: `ExitStatus.gaps` if something is missing.
    func run() async throws -> Int32 {
        let until = try until()
        return try await invocation.withSession(asksFirst: false) { session in
            session.isOffline = true
            let opener = MapOptions(invocation, session).opener
            let areas = try AreaFile(Folders(environment: Environment.all)).read()
            let scope = try ReadinessScope(
                invocation.operands, areas: areas, regions: session.regions().store.regions())
            let check = ReadinessCheck(session, opener, scope, until: until)
            let bar = ProgressMeter()
            defer { bar.end() }
            let handler = WorkProgress.Handler { bar.show("checking", $0, of: $1, .count("tiles")) }
            let items = try await WorkProgress.$handler.withValue(
                handler, operation: { try await check.items() })
            bar.end()
            try print(items)
            return items.missingCount == 0 ? ExitStatus.done : ExitStatus.gaps
        }
    }

    /// The end of the journey, from a date or a time span.
    private func until() throws(UsageError) -> UnixSeconds? {
        guard let text = invocation[.until] else { return nil }
        if let seconds = ParsedLocation.seconds(text) { return UnixSeconds.now.adding(seconds) }
        if case .moment(let seconds)? = MapTime(text) { return UnixSeconds(Int64(clamping: seconds)) }
        throw UsageError(
            "invalid value \"\(text)\" for --until: expected a date or a time span, such as "
                + "2027-01-31 or 30d")
    }

    private func print(_ items: [ReadyItem]) throws {
        let rows = items.map { item in
            [item.state.mark, item.subject, item.text + (item.remedy.map { "; run \($0)" } ?? "")]
        }
        try invocation.print(
            TextTable([], rows).lines + [items.verdict],
            [
                "isReady": .bool(items.missingCount == 0),
                "items": .array(
                    items.map {
                        [
                            "subject": .string($0.subject), "state": .string($0.state.rawValue),
                            "message": .string($0.text), "remedy": .text($0.remedy),
                        ]
                    }),
            ])
    }
}

extension ReadyItem.State {
    /// The word in the first column.
    fileprivate var mark: String {
        switch self {
        case .ready: "ok"
        case .note: "note"
        case .missing: "MISSING"
        }
    }
}

extension ReadinessScope {
    /// Creates the scope of the named areas, regions and packages, or of everything stored if none is named.
    /// - Throws: `Notice.Problem` for an unknown name.
    init(_ names: [String], areas: [MapArea], regions: [RegionRecord]) throws(Notice.Problem) {
        self.init()
        if names.isEmpty { self.regions = regions }
        for name in names {
            if let area = areas.first(where: { $0.id == name }) {
                add(area, regions)
            } else if let region = regions.named(name) {
                add(region)
            } else {
                throw Notice.Problem(
                    "no area, region or package \(name); list them with rhumb area list and rhumb region list"
                )
            }
        }
        if self.regions.isEmpty, overlays.isEmpty, missing.isEmpty {
            missing.append(
                ReadyItem(
                    "regions", .note, "none is stored; only the built-in world map is available",
                    remedy: "rhumb region add --help"))
        }
    }

    private mutating func add(_ area: MapArea, _ all: [RegionRecord]) {
        for id in area.regions {
            if let region = all.named(id) {
                add(region)
            } else {
                missing.append(
                    ReadyItem(
                        id, .missing, "the area \(area.id) contains it, but it is not stored",
                        remedy: "rhumb region add \(id.shellQuoted)"))
            }
        }
        overlays += area.overlays
        style = style ?? area.style
        map = map ?? area.map
    }

    private mutating func add(_ region: RegionRecord) {
        if !regions.contains(where: { $0.number == region.number }) { regions.append(region) }
    }
}

extension [RegionRecord] {
    /// Returns the region with an id, or the package with one.
    func named(_ id: String) -> RegionRecord? {
        first { $0.id == id } ?? first { $0.package?.package == id }
    }
}
