internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The maps whose use without a network is checked.
struct ReadinessScope: Sendable {
    /// The regions and packages.
    var regions: [RegionRecord] = []
    /// Missing members, as results.
    var missing: [ReadyItem] = []
    /// The specifiers of overlays.
    var overlays: [String] = []
    /// The style; nil for the standard one.
    var style: String?
    /// The specifier of the base map; nil for the built-in world.
    var map: String?
}

/// Checks that maps work without a network, by the contents of the stores. The only requests are to routing
/// engines on this computer.
struct ReadinessCheck {
    let session: MapSession
    let opener: MapOpener
    let scope: ReadinessScope
    /// The time until which stored tiles should be fresh; nil for now.
    let until: UnixSeconds?
    let now = UnixSeconds.now

    init(_ session: MapSession, _ opener: MapOpener, _ scope: ReadinessScope, until: UnixSeconds? = nil) {
        self.session = session
        self.opener = opener
        self.scope = scope
        self.until = until
    }

    /// The free disk space in bytes below which stores may be unable to work.
    private static let leastSpace = 20_000_000
    /// A time before this version was written. A clock that is earlier is wrong.
    private static let oldest = UnixSeconds(1_790_000_000)

    /// Performs all checks.
    /// - Throws: `RegionStoreFailure` if the store can't be read.
    func items() async throws -> [ReadyItem] {
        let regions = try session.regions()
        var items = [clock] + scope.missing
        for record in scope.regions {
            items += try tiles(of: record, regions)
            items += try expiry(of: record, regions.store)
            items += search(record)
        }
        items += try styles(regions.store)
        if let map = scope.map { items.append(base(map)) }
        items += scope.overlays.map(overlay)
        items.append(space(regions.store.path))
        items.append(heights)
        items.append(await routing)
        return items
    }

    // MARK: Regions

    private func tiles(of record: RegionRecord, _ regions: Regions) throws -> [ReadyItem] {
        let check = try regions.check(record), subject = record.readyName
        var items: [ReadyItem] = []
        func add(_ text: String, _ remedy: String) {
            items.append(ReadyItem(subject, .missing, text, remedy: remedy))
        }
        if record.package != nil, record.parts.isEmpty {
            return [
                ReadyItem(
                    subject, .missing, "the download has not begun", remedy: record.command("resume"))
            ]
        }
        if record.state.isUnfinished || [.paused, .failed, .cancelled].contains(record.state),
            check.missingCount > 0
        {
            let state =
                record.isImportUnfinished
                ? "\(record.reason), repeat it" : "the download is \(record.stateWord)"
            add(
                "\(state); \(AmountText.count(check.missingCount, "tile")) missing", record.command("resume"))
        } else if check.missingCount > 0 {
            let some = check.missing.prefix(3).map(\.description).joined(separator: " ")
            add(
                "\(AmountText.count(check.missingCount, "tile")) missing, e.g. \(some)",
                record.command("repair"))
        }
        if !check.damaged.isEmpty {
            add("\(AmountText.count(check.damaged.count, "tile")) damaged", record.command("repair"))
        }
        if check.incomplete > 0 {
            add(
                "\(AmountText.count(check.incomplete, "tile")) without layers of enabled features",
                record.command("repair"))
        }
        for address in check.missingDocuments {
            let state = check.damagedDocuments.contains(address) ? "damaged" : "missing"
            add("a document of its map is \(state): \(address)", record.command("repair"))
        }
        for fault in check.faults.dropLast(check.missingDocuments.count) {
            add(fault, record.command("repair"))
        }
        if check.isEmpty {
            add("its sources have no tiles there", "rhumb region plan --help")
        }
        guard items.isEmpty else { return items }
        let absent = check.absent > 0 ? ", \(AmountText.count(check.absent)) absent at the source" : ""
        let documents = record.documents.stored
        let others = documents > 0 ? "; \(AmountText.count(documents, "document"))" : ""
        return [
            ReadyItem(
                subject, .ready,
                "\(AmountText.count(check.present, "tile")) stored and undamaged\(absent)\(others)")
        ]
    }

    private func expiry(of record: RegionRecord, _ store: RegionStore) throws -> [ReadyItem] {
        guard let expires = try store.earliestExpiry(of: record), expires < until ?? now else { return [] }
        let left = expires.seconds(since: now)
        let time = left > 0 ? "expire in \(AmountText.age(left))" : "expired \(AmountText.age(-left)) ago"
        return [
            ReadyItem(
                record.readyName, until == nil ? .note : .missing,
                "tiles \(time), on \(expires.day); they stay visible, marked as stale",
                remedy: record.command("update"))
        ]
    }

    private func search(_ record: RegionRecord) -> [ReadyItem] {
        guard session.configuration.allowsSearch else { return [] }
        do throws(SearchFailure) {
            let (indexed, wanted) = try session.offlineSearch.progress(of: record)
            guard wanted > 0 else { return [] }
            let counts = "\(AmountText.count(indexed)) of \(AmountText.count(wanted, "tile"))"
            guard indexed < wanted else {
                return [ReadyItem(record.readyName, .ready, "search index: \(counts)")]
            }
            // The first search without a network completes the index.
            return [
                ReadyItem(
                    record.readyName, .note, "search index: \(counts); the first search takes longer",
                    remedy: "rhumb search --in \(record.id.shellQuoted) x")
            ]
        } catch {
            return [ReadyItem(record.readyName, .missing, "search index: \(error)", remedy: "rhumb search x")]
        }
    }

    // MARK: Documents

    private func styles(_ store: RegionStore) throws -> [ReadyItem] {
        let chosen = scope.style.map(StyleChoice.init(optionText:)) ?? opener.styles.choice
        let styles = try OfflineManager(session, opener)
        return chosen.named.map { style in
            let missing = styles.missingResources(ofStyle: style)
            guard let first = missing.first else {
                return ReadyItem("style", .ready, "\(style) and its resources are stored")
            }
            let others = missing.count > 1 ? " and \(missing.count - 1) more" : ""
            return ReadyItem(
                "style", .missing, "\(style): \(first.address)\(others): \(first.reason)",
                remedy: "rhumb style add \(style.shellQuoted)")
        }
    }

    /// Checks that the base map is a file or the source of a region.
    private func base(_ map: String) -> ReadyItem {
        if scope.regions.contains(where: { $0.definition?.sources.contains(map) == true }) {
            return ReadyItem("map", .ready, "\(map) is in a region")
        }
        if Files.exists(map) { return ReadyItem("map", .ready, "\(map) is a local file") }
        return ReadyItem(
            "map", .missing, "\(map) is neither a local file nor in one of the regions",
            remedy: "rhumb region add --help")
    }

    private func overlay(_ specifier: String) -> ReadyItem {
        switch OverlayOrigin(specifier) {
        case .address?:
            ReadyItem(
                "overlay", .missing, "\(specifier) is read from the network",
                remedy: "curl -o FILE \(specifier.shellQuoted)")
        case .stream?, .aprs?, .gpsd?, .meshtastic?:
            ReadyItem("overlay", .note, "\(specifier) works while its server is reachable")
        case .command?, .standardInput?:
            ReadyItem("overlay", .note, "\(specifier) can't be checked")
        case .file?, nil: Self.file(specifier)
        }
    }

    private static func file(_ path: String) -> ReadyItem {
        if SourceDefinition.isAddress(path) {
            return ReadyItem("overlay", .note, "\(path) needs a region of its tiles")
        }
        return Files.exists(path)
            ? ReadyItem("overlay", .ready, "\(path) is a local file")
            : ReadyItem(
                "overlay", .missing, "\(path) doesn't exist", remedy: "rhumb area create --help")
    }

    // MARK: The computer

    private var clock: ReadyItem {
        let newest = scope.regions.map(\.changed).max() ?? Self.oldest
        let least = max(newest.adding(-86_400), Self.oldest)
        guard now < least else { return ReadyItem("clock", .ready, now.iso8601) }
        return ReadyItem(
            "clock", .missing, "it shows \(now.iso8601), but stored data is newer; expiry can't be checked",
            remedy: "sudo date -s \"YYYY-MM-DD HH:MM\"")
    }

    private func space(_ path: String) -> ReadyItem {
        guard let free = DiskSpace.bytes(beside: path) else {
            return ReadyItem("disk", .note, "the free space is unknown")
        }
        let text = "\(AmountText.bytes(free)) free"
        return free < Self.leastSpace
            ? ReadyItem(
                "disk", .missing, "\(text), but \(AmountText.bytes(Self.leastSpace)) are needed",
                remedy: "rhumb cache clear") : ReadyItem("disk", .ready, text)
    }

    private var heights: ReadyItem {
        let named = scope.regions.flatMap { record in
            record.parts.filter { $0.planned > $0.absent && $0.definition?.elevation != nil }
                .compactMap(\.definition).map { "\($0.name) in \(record.id)" }
        }
        guard named.isEmpty else {
            return ReadyItem("heights", .ready, named.joined(separator: ", "))
        }
        let box = scope.regions.firstNonNil { $0.definition?.geometry.bounds }
        let area = box.map { " --bbox=\($0.west),\($0.south),\($0.east),\($0.north)" } ?? ""
        return ReadyItem(
            "heights", .note, "no terrain is stored; shading and profiles need a network",
            remedy: "rhumb region add heights --source mapterhorn\(area) --zooms 5-12")
    }

    private var routing: ReadyItem {
        get async {
            let running = await session.routes.running().map { "\($0.name) at \($0.address)" }
            guard running.isEmpty else {
                return ReadyItem("directions", .ready, running.joined(separator: ", "))
            }
            let centers = scope.regions.compactMap { $0.definition?.geometry.bounds.center }
            if centers.contains(where: session.roads.covers) || session.roads.hasArchive {
                return ReadyItem("directions", .ready, "from stored maps, for cars, bicycles and on foot")
            }
            return ReadyItem(
                "directions", .note,
                "no routing engine is running on this computer, and no vector tiles with roads are stored",
                remedy: "rhumb route --help")
        }
    }
}

extension RegionRecord {
    /// The name in results: the id of the package or the region.
    fileprivate var readyName: String { package?.package ?? id }
}
