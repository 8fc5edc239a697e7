internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import Synchronization

/// The live layers that are read while the map is open.
final class OverlayFeeds {
    private let session: MapSession
    private let report: @Sendable (OverlayStatus) -> Void
    private let timeToLive: Double?
    private let styling: OverlayStyling?
    private let reconnects: Bool
    private let trackFolder: String?
    private var feeds: [OverlayFeed] = []
    private var number = 0
    private var overlayTheme: LiveLayer.OverlayTheme
    private let lastFix = SharedFix()

    /// The files of the tracks that the stopped feeds have recorded.
    private(set) var recordedTracks: [String] = []

    /// The last position reported by a receiver or a file; nil if there is none.
    var position: PositionFix? { lastFix.fix.withLock { $0 } }

    /// - Parameters:
    ///   - timeToLive: The number of seconds without a report after which a live feature is removed; nil for
    ///     the default.
    ///   - field: The attribute that determines the colours of features; nil for none.
    ///   - reconnects: False if the features are shown only once.
    ///   - trackFolder: The folder in which the ways of receivers are recorded; nil to record none.
    ///   - report: Called with the status of a layer, from any thread.
    init(
        _ session: MapSession, overlayTheme: LiveLayer.OverlayTheme, timeToLive: Double? = nil,
        field: String? = nil, reconnects: Bool = true, trackFolder: String? = nil,
        report: @escaping @Sendable (OverlayStatus) -> Void
    ) {
        self.session = session
        self.overlayTheme = overlayTheme
        self.timeToLive = timeToLive
        self.report = report
        self.reconnects = reconnects
        self.trackFolder = trackFolder
        styling = field.map { OverlayStyling(by: $0) }
    }

    /// The default number of seconds without a report after which ships and aircraft are removed.
    private static let usualLife = 600.0
    /// The default number of seconds for APRS stations, which report at least every half hour.
    private static let stationLife = 3600.0
    /// The life of nodes, which report rarely to save their batteries, in seconds.
    private static let nodeLife = 86_400.0

    /// Starts to read an origin.
    /// - Returns: The layer that shows its features.
    /// - Throws: `Notice.Problem` for a missing file, and for standard input that is a terminal or in use.
    func open(_ origin: OverlayOrigin) throws(Notice.Problem) -> TileLayer {
        if case .file(let path) = origin, !Files.exists(path) {
            throw Notice.Problem(FileProblem(path))
        }
        if origin == .standardInput {
            guard isatty(STDIN_FILENO) != 1 else {
                throw Notice.Problem("- reads features from a pipe, but standard input is a terminal")
            }
            guard !feeds.contains(where: { $0.origin == origin }) else {
                throw Notice.Problem("standard input is already in use")
            }
        }
        let feed = OverlayFeed(
            origin, number: number, overlayTheme: overlayTheme, timeToLive: life(of: origin),
            styling: styling, reconnects: reconnects,
            recorder: trackFolder.map {
                TrackRecorder(folder: $0, creator: "Rhumb \(CommandTable.version)")
            },
            load: OverlayDocument.loading(session.opener.web),
            isOffline: { [session] in session.isOffline })
        number += 1
        feeds.append(feed)
        feed.begin { [report, lastFix, engine = session.engine] status, redraws in
            if let fix = status.fixes.last(where: { $0.place != nil }) { lastFix.fix.withLock { $0 = fix } }
            if redraws { Task { await engine.redraw(layer: status.id) } }
            report(status)
        }
        return feed.layer
    }

    private func life(of origin: OverlayOrigin) -> Double? {
        switch origin {
        case .gpsd, .stream: timeToLive ?? Self.usualLife
        case .aprs: timeToLive ?? Self.stationLife
        case .meshtastic: timeToLive ?? Self.nodeLife
        case .standardInput, .command: timeToLive
        case .file, .address: nil
        }
    }

    /// Waits until files are read, up to a time limit.
    func settle(within limit: Duration) async {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end, feeds.contains(where: { !$0.current.isWhole && $0.origin.isFile }) {
            try? await Task.sleep(for: .milliseconds(4))
        }
    }

    /// Waits until every origin has been read once, and endless ones have delivered at least one feature or
    /// position.
    /// - Returns: The names of origins that were not read in time.
    func complete(within limit: Duration) async -> [String] {
        let end = ContinuousClock.now + limit
        func isReady(_ feed: OverlayFeed) -> Bool {
            let status = feed.current
            let isFed = status.count > 0 || status.hasPosition
            return status.isWhole || isFed && feed.origin.isEndless && !feed.origin.hasList
        }
        while ContinuousClock.now < end, !feeds.allSatisfy(isReady) {
            try? await Task.sleep(for: .milliseconds(5))
        }
        return feeds.filter { !isReady($0) }.map(\.origin.name)
    }

    /// The faults of each origin.
    var problems: [String] {
        feeds.flatMap { feed -> [String] in
            let status = feed.current
            let faults =
                status.faults.count > 0 && !status.isEmpty
                ? [
                    "\(feed.origin.name): \(status.faults.count) skipped, \(status.faults.first.map { "\($0)" }.joined(separator: "; "))"
                ] : []
            let note = status.note.map { ["\(feed.origin.name): \($0)"] } ?? []
            return faults + note + (status.problem.map { [$0] } ?? [])
        }
    }

    /// Sentences about data that is shown, such as assumptions.
    var remarks: [String] {
        feeds.compactMap { feed in feed.current.remark.map { "\(feed.origin.name): \($0)" } }
    }

    /// A sentence if no feature has the attribute that determines the colours. It lists the available
    /// attributes.
    var unknownField: [String] {
        styling?.problem(with: OverlayFeatureList(feeds.lazy.flatMap(\.live.index.features))).map {
            ["--style-by: \($0)"]
        } ?? []
    }

    /// Stops the feeds of removed layers, and redraws the others if the theme or the colours have changed.
    func follow(_ layers: [TileLayer], _ overlayTheme: LiveLayer.OverlayTheme, _ viewport: Viewport) {
        setView(viewport)
        stop { feed in !layers.contains { $0.id == feed.live.id } }
        guard overlayTheme != self.overlayTheme else { return }
        self.overlayTheme = overlayTheme
        for feed in feeds {
            feed.live.overlayTheme = overlayTheme
            Task { [engine = session.engine] in await engine.redraw(layer: feed.live.id) }
        }
    }

    /// Sets the view for origins that request only features within it.
    func setView(_ viewport: Viewport) {
        let place = viewport.camera.coordinate, corner = viewport.box.bounds
        let metres =
            corner.map { place.metres(to: Coordinate(latitude: $0.north, longitude: $0.east)) } ?? 20_000_000
        for feed in feeds { feed.view = (place, metres) }
    }

    /// Stops all feeds.
    func stop() { stop { _ in true } }

    private func stop(where isOver: (OverlayFeed) -> Bool) {
        for feed in feeds where isOver(feed) {
            feed.stop()
            if let path = feed.current.recording.path { recordedTracks.append(path) }
        }
        feeds.removeAll(where: isOver)
    }
}

extension OverlayOrigin {
    /// True if it begins with a list, whose end is known.
    fileprivate var hasList: Bool { if case .meshtastic = self { true } else { false } }
}

private final class SharedFix: Sendable {
    let fix = Mutex<PositionFix?>(nil)
}
