internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCore

/// The program as lines of text, for screen readers and slow lines: commands from standard input, answers on
/// standard output. It drives the same browser as the screen does, by keys and typed commands.
final class PlainProgram {
    private let program: Program
    private var input: [UInt8] = []
    private var isAtEnd = false
    private var told: [Notice] = []
    /// True until the current command has printed a line.
    private var isSilent = true
    /// The last printed panel, which is printed again only if it changes.
    private var shownPanel: [String] = []
    /// The time without events after which an answer is complete.
    private static let quiet = Duration.milliseconds(300)
    /// The maximum wait for an answer, and for a download.
    private static let (timeLimit, longTimeLimit) = (Duration.seconds(20), Duration.seconds(3600))

    private static let help = [
        "go PLACE: go to a place, an address or coordinates, and describe it",
        "around: describe the place and its surroundings",
        "street: the street here and those that cross it",
        "north 500 m: move; also south, east, west, north-east and so on",
        "route to PLACE: a route from here",
        "next step, previous step: the steps of the route",
        "download: the plan of a download of the area; yes starts it",
        "wait: wait until downloads are finished",
        "read: read the open panel again",
        "down, up, yes, no, key K: select a row, confirm, close, press a key",
        "help: this list", "quit: leave; so does the end of the input",
        "Every command of the map works too, such as zoom 14, open FILE, search NAME, regions or offline.",
    ]

    /// The commands that leave a question open or answer it.
    private static let replies: Set<String> = [
        "", "yes", "no", "close", "enter", "key", "read", "down", "up", "wait", "help", "?", "q", "quit",
        "exit",
    ]

    init(_ program: Program) { self.program = program }

    /// Runs until the user quits or the input ends.
    /// - Returns: The exit status.
    func run() -> Int32 {
        program.begin()
        write("Rhumb. Type help for the commands, quit to leave.")
        prompt()
        program.beginBackgroundWork()
        while program.exitStatus == nil, let line = nextLine() {
            isSilent = true
            answer(line.spoken)
            guard program.exitStatus == nil else { break }
            if isSilent, !line.spoken.isEmpty { confirm() }
            prompt()
        }
        program.stopListening()
        program.finishFiles()
        return program.exitStatus ?? 0
    }

    // MARK: Commands

    private func answer(_ line: String) {
        // As the map's command line is opened.
        let isSearch = line.hasPrefix("/")
        let line =
            line.hasPrefix(":") || isSearch
            ? (isSearch ? "search " : "") + String(line.dropFirst()).spoken : line
        let word = String(line.prefix { $0 != " " }).lowercased()
        let rest = String(line.dropFirst(word.count)).spoken
        if !PlainProgram.replies.contains(word) { closeQuestions() }
        isSilent = true
        switch word {
        case "": break
        case "help", "?": PlainProgram.help.forEach(write)
        case "q", "quit", "exit": run("quit")
        case "go", "goto": go(to: rest)
        case "around", "where", "describe", "i": describe()
        case "look" where rest.isEmpty: describe()
        case "zoom" where !rest.isEmpty:
            run(line)
            settle()
            report()
            if isSilent { write("Zoom \(program.browser.map.viewport.camera.zoom.decimals(2)).") }
        case "street": describe(onlyStreets: true)
        case "route": route(rest)
        case "next": step(.arrow(.down, shift: false))
        case "previous": step(.arrow(.up, shift: false))
        // The step alone, not the whole list again.
        case "down" where program.browser.showsRoute: step(.arrow(.down, shift: false))
        case "up" where program.browser.showsRoute: step(.arrow(.up, shift: false))
        case "download":
            closePanels()
            let before = program.browser.map.notices.all
            press(
                .character("d"),
                until: { [program] in
                    program.browser.panelTextLines.count > 4 || program.browser.map.notices.all != before
                })
        case "yes" where !program.browser.isAsking && program.browser.openPanel == nil:
            write("There is no question to answer.")
        case "yes": press(program.browser.openQuestion != nil ? .character("y") : .enter)
        case "enter": press(.enter)
        case "no" where isNothingOpen, "close" where isNothingOpen, "read" where isNothingOpen:
            write("Nothing is open.")
        case "no", "close": press(.escape)
        case "down": press(.arrow(.down, shift: false))
        case "up": press(.arrow(.up, shift: false))
        case "key" where rest.count == 1: press(.character(rest.first ?? " "))
        case "key": write("Which key? Type one character, for example: key o")
        case "read": readPanel()
        case "wait": wait()
        default:
            if let degrees = PlainProgram.directions[word] { return move(word, degrees, rest) }
            let before = program.browser.map.notices.all
            run(line)
            // Maps are opened without a query, so the end is seen by their message.
            if ["open", "source", "over"].contains(word), !rest.isEmpty {
                settle(until: { [program] in program.browser.map.notices.all != before })
            }
            settle(until: { [program] in !program.browser.isSearching })
            settle()
            report()
        }
    }

    private var isNothingOpen: Bool {
        !program.browser.isAsking && program.browser.panelTextLines.isEmpty
    }

    /// Confirms a command that has nothing to report, such as one that changes a setting.
    private func confirm() {
        let step = program.browser.showsRoute ? program.browser.stepLine : nil
        write(step ?? "Done.")
    }

    private static let directions: [String: Double] = [
        "north": 0, "north-east": 45, "northeast": 45, "east": 90, "south-east": 135, "southeast": 135,
        "south": 180, "south-west": 225, "southwest": 225, "west": 270, "north-west": 315, "northwest": 315,
        "ne": 45, "se": 135, "sw": 225, "nw": 315,
    ]

    private func go(to place: String) {
        guard !place.isEmpty else { return write("Go where? For example: go Florence") }
        closePanels()
        run("go \(place)")
        if program.browser.isAsking, program.browser.promptProblem == nil {
            program.send(.key(.enter))
            settleSearch()
            // While the index grows, the first Enter only takes a place with exactly that name.
            if program.browser.isAsking, !program.browser.hasFoundNothing {
                program.send(.key(.enter))
                settleSearch()
            }
            if program.browser.isAsking {
                let note = program.browser.searchNote
                closePanels()
                return notFound(place, note)
            }
        }
        let isRefused = program.browser.promptProblem != nil
        settle()
        if isRefused { return report(panel: false) }
        report(panel: false)
        closePanels()
        describe(limit: 3)
    }

    /// Waits until a search has taken a place, or has none to take.
    private func settleSearch() {
        settle(until: { [program] in !program.browser.isAsking || !program.browser.isFindingPlace })
    }

    private func notFound(_ place: String, _ note: String? = nil) {
        reportNotices()
        write("No place found for \"\(SafeText.sanitised(place, limit: 60))\".")
        note.map(write)
    }

    private func describe(limit: Int = 25, onlyStreets: Bool = false) {
        closePanels()
        program.send(.key(.character("i")))
        settle(until: { [program] in
            program.browser.pointDescription != nil || program.browser.hasNoDescription
        })
        if let text = program.browser.pointDescription {
            (onlyStreets ? text.streetLines : text.lines(limit: limit)).forEach(write)
        } else {
            write("The stored data can't be read.")
        }
        closePanels()
    }

    private func move(_ direction: String, _ degrees: Double, _ text: String) {
        guard let metres = text.isEmpty ? 500 : TypedDistance.metres(text),
            (1...1_000_000).contains(metres)
        else { return write("How far? For example: north 500 m") }
        let here = program.browser.map.viewport.camera.coordinate, angle = degrees.radians
        let north = metres * cos(angle) / 111_195, east = metres * sin(angle) / 111_195
        let latitude = here.latitude + north
        let longitude = here.longitude + east / max(cos(here.latitude.radians), 0.001)
        let zoom = program.browser.map.viewport.camera.zoom.decimals(2)
        if text.isEmpty {
            let settings = program.browser.map.settings
            write("Moving \(DescriptionText.distance(metres, settings.units)) \(direction).")
        }
        go(to: "\(latitude.decimals(6)),\(longitude.decimals(6)) \(zoom)")
    }

    private func route(_ text: String) {
        let place = text == "to" ? "" : text.hasPrefix("to ") ? String(text.dropFirst(3)) : text
        closePanels()
        guard !place.isEmpty else {
            guard text.isEmpty, program.browser.hasRoute else {
                return write("Route where? For example: route to Fiesole")
            }
            run("route")
            settle()
            return report()
        }
        run("route \(place)")
        if program.browser.promptProblem != nil { return report(panel: false) }
        let isDone = { [program] in !program.browser.isFindingPlace && !program.browser.isRouting }
        settle(until: isDone)
        // While the index grows, only a place with exactly that name is taken at once.
        if program.browser.isAsking, program.browser.lacksRoutePlace {
            program.send(.key(.enter))
            settle(until: isDone)
        }
        if program.browser.lacksRoutePlace {
            closePanels()
            let hint = "A route begins here: type go PLACE, then route to PLACE."
            return notFound(place, text.hasPrefix("to ") ? nil : hint)
        }
        settle()
        if let problem = program.browser.routeProblem {
            told = program.browser.map.notices.all
            write(problem)
            // The earlier route is no answer.
            return closePanels()
        }
        report()
        if program.browser.isRouting { write("Not found yet; type read to try again.") }
    }

    private func step(_ key: Key) {
        guard program.browser.stepLine != nil else { return write("There is no route; try: route to PLACE") }
        if !program.browser.showsRoute { run("route") }
        program.send(.key(key))
        settle()
        report(panel: false)
        program.browser.stepLine.map(write)
    }

    private func wait() {
        settle()
        if program.browser.isDownloading { write("Downloading...") }
        settle(PlainProgram.longTimeLimit, until: { [program] in !program.browser.isDownloading })
        settle()
        report(panel: false)
        write("No download is running.")
    }

    /// Runs a command of the command line in the map.
    private func run(_ line: String) {
        if program.browser.isAsking { program.send(.key(.escape)) }
        program.send(.key(.character(":")))
        program.send(.key(.paste(line)))
        program.send(.key(.enter))
    }

    private func press(_ key: Key, until isDone: @escaping () -> Bool = { true }) {
        program.send(.key(key))
        settle(until: isDone)
        settle()
        report()
    }

    /// Closes open questions without an answer, because they take no commands.
    private func closeQuestions() {
        while let question = program.browser.openQuestion {
            write("Not answered: \(question)")
            program.send(.key(.escape))
            shownPanel = program.browser.panelTextLines
        }
    }

    private func closePanels() {
        shownPanel = []
        for _ in 0..<8 where !program.browser.panelTextLines.isEmpty || program.browser.isAsking {
            program.send(.key(.escape))
        }
    }

    // MARK: Output

    /// Reports new notices, the problem of the command, and the open panel.
    private func report(panel: Bool = true) {
        if let problem = program.browser.promptProblem {
            write(problem.replacing("press Tab for a list", with: "type help for a list"))
            program.send(.key(.escape))
            reportNotices(except: problem)
        } else {
            reportNotices()
        }
        if panel, program.browser.panelTextLines != shownPanel { readPanel() }
    }

    private func readPanel() {
        shownPanel = program.browser.panelTextLines
        shownPanel.forEach(write)
    }

    /// - Parameter written: A sentence that is already written.
    private func reportNotices(except written: String? = nil) {
        let all = program.browser.map.notices.all
        for notice in all
        where !told.contains(where: { $0.cause == notice.cause })
            && ![notice.cause.spoken, notice.shortText.spoken].contains(written)
        {
            write(notice.shortText.spoken)
        }
        told = all
    }

    private func write(_ line: String) {
        isSilent = false
        try? Output.print(line.spoken.withUnitsInWords.withTypedKeys + "\n")
    }

    private func prompt() { try? Output.print("> ") }

    // MARK: Events

    /// Handles events until a condition holds, and if there is none, until nothing happens for a while.
    private func settle(_ limit: Duration = timeLimit, until isDone: (() -> Bool)? = nil) {
        let end = program.now + limit
        var lastEvent = program.now
        while program.exitStatus == nil, program.now < end {
            if isDone?() ?? (program.now - lastEvent > PlainProgram.quiet) { return }
            program.inbox.waker.wait(milliseconds: 20)
            program.inbox.waker.clear()
            let isTick = program.sendDueTick()
            if program.receiveEvents().mustDraw || isTick { lastEvent = program.now }
        }
    }

    /// Returns the next line of the input, and handles events while there is none; nil at the end of the
    /// input.
    private func nextLine() -> String? {
        while program.exitStatus == nil {
            if let end = input.firstIndex(of: 0x0A) ?? (isAtEnd && !input.isEmpty ? input.endIndex : nil) {
                defer { input.removeFirst(min(end + 1, input.count)) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            if isAtEnd { return nil }
            var waited = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: program.inbox.waker.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&waited, nfds_t(waited.count), 250)
            program.inbox.waker.clear()
            _ = program.sendDueTick()
            program.receiveEvents()
            if waited[0].revents != 0 { readInput() } else { reportLate() }
        }
        return nil
    }

    private func readInput() {
        var block = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &block, block.count)
        if count > 0, input.count < 1 << 16 {
            input += block.prefix(count)
        } else if count == 0 || errno != EINTR && errno != EAGAIN {
            isAtEnd = true
        }
    }

    /// Reports what happened while the user typed nothing, such as the end of a download.
    private func reportLate() {
        let before = told
        reportNotices()
        if told.count > before.count, input.isEmpty { prompt() }
    }
}
