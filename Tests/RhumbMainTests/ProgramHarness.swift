import Rhumb
@testable import RhumbBrowser
import RhumbCore
@testable import RhumbMain
import RhumbTestSupport

/// The program without a terminal, with its own home folder. Keys are its input, and screens its output.
final class ProgramHarness {
    /// The maximum wait for a text.
    private static let timeLimit = Duration.seconds(20)

    let program: Program
    private var painter = MapPainter()

    /// Opens maps, and draws the first screen.
    /// - Parameters:
    ///   - map: The words that open the base map.
    ///   - environment: The variables that sources read.
    init(
        _ map: String = EmbeddedWorld.name, at camera: Camera? = nil, columns: Int = 100, rows: Int = 30,
        home: TemporaryFolder, environment: [String: String] = [:], sources: String? = nil,
        settings: (inout Settings) -> Void = { _ in }
    ) async throws {
        let folders = Folders(environment: ["HOME": home.path])
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
        options.cache = home.path + "/tiles.db"
        options.regions = .success(home.path + "/regions.db")
        options.places = EmbeddedPlaces.open
        options.catalog = SourceCatalog(
            own: try sources.map { try JSON.parse($0) }, environment: environment, key: { _ in nil })
        options.styleFolder = home.path + "/style"
        let session = await MapSession.open(options), inbox = Inbox()
        var opener = session.opener
        opener.ownMaps = [EmbeddedWorld.map()]
        let overlays = OverlayFeeds(session, overlayTheme: .init(theme: .night, depth: .truecolor)) {
            inbox.put(.overlay($0))
        }
        var chosen = Settings()
        chosen.animates = false
        chosen.themeRule = .always(.night)
        settings(&chosen)
        let browser = Browser(
            columns: columns, rows: rows, layers: try await opener.open(map, theme: .night), camera: camera,
            settings: chosen, configuration: session.configuration)
        program = Program(
            session: session, browser: browser, opener: opener, inbox: inbox, overlays: overlays,
            folders: folders, lastView: nil, terrain: nil)
        program.begin()
        program.beginBackgroundWork()
        try await see { _ in true }
    }

    /// Types text: a newline is Enter, `\u{1B}` is Esc, and `\t` is Tab.
    func type(_ text: String) {
        for character in text {
            let key: Key =
                switch character {
                case "\r", "\n": .enter
                case "\u{1B}": .escape
                case "\t": .tab
                case "\u{15}": .control("u")
                default: .character(character)
                }
            program.send(.key(key))
        }
    }

    /// Waits until a text is on the screen.
    func see(_ text: String) async throws {
        do {
            try await see { $0.lines.contains { $0.contains(text) } }
        } catch let failure as NotSeen {
            throw NotSeen(text: text, notices: failure.notices, lines: failure.lines)
        }
    }

    /// Waits until the screen fulfils a condition. Pending queries are answered first.
    func see(_ isFulfilled: (CellGrid) -> Bool) async throws {
        let deadline = program.now + Self.timeLimit
        while true {
            let screen = await screen(wait: .milliseconds(50))
            if isFulfilled(screen) { return }
            guard program.now < deadline else {
                throw NotSeen(
                    text: nil, notices: program.browser.map.notices.all.map(\.text), lines: screen.lines)
            }
            // A response or a tick changes the screen.
            program.inbox.waker.wait(milliseconds: 20)
            program.inbox.waker.clear()
        }
    }

    /// Returns the screen once all queries are answered and the view is loaded.
    /// - Parameter wait: The maximum wait for tiles and labels.
    func screen(wait: Duration = .seconds(2)) async -> CellGrid {
        await program.waitUntilIdle()
        program.receiveEvents()
        _ = program.sendDueTick()
        let scene = program.awaitScene(wait, needsLabels: true), browser = program.browser
        let map = painter.paint(
            scene, viewport: browser.map.viewport, settings: browser.map.settings, theme: browser.theme)
        return browser.view(scene.withoutBackdrop, map: map)
    }

    /// Ends the program.
    func close() async {
        program.stopListening()
        program.finishFiles()
        _ = await program.close()
        program.session.close()
    }

    /// The error if the expected screen doesn't appear.
    struct NotSeen: Error {
        /// The expected text; nil for another condition.
        let text: String?
        let notices: [String]
        let lines: [String]
    }
}
