import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

struct MapJourneyTests {
    @Test func `the program opens on the world with status and hints, and q quits`() throws {
        let journey = try Journey()
        try journey.see("World")
        try journey.see("? help")
        try journey.see("Natural Earth")
        let colours = Set(try journey.screen().cells.map(\.paper))
        #expect(colours.count > 2)
        try journey.type("q")
        #expect(try journey.program.readToEnd() == .exited(0))
    }

    @Test func `a burst of keys ends on the same screen as the keys one by one`() throws {
        let keys = "lljj++hkK+-}L0"
        let slow = try Journey(["--no-animation"]), fast = try Journey(["--no-animation"])
        try slow.see("World")
        try fast.see("World")
        for key in keys + "+++jjl" {
            try slow.type(String(key))
            try slow.settle()
        }
        try fast.type(keys + "+++jjl")
        try fast.settle()
        // The centre mark disappears a second after the last pan key. On a busy machine, the last frame is
        // late.
        var difference: String? = ""
        for _ in 0..<10 where difference != nil {
            try slow.settle(1.2)
            try fast.settle(1.2)
            difference = try fast.screen().difference(from: slow.screen(), tolerance: Journey.tolerance)
        }
        #expect(difference == nil)
    }

    @Test func `one step over a slow line sends only the changes`() throws {
        // A glide may have frames between two columns of cells, in which everything changes.
        let journey = try Journey(["--budget", "20k", "--no-animation"], columns: 200, rows: 60)
        try journey.seeMap()
        // The frame is sent in pieces.
        try journey.settle(1.2)
        let first = journey.program.output.count
        try journey.type("l")
        try journey.see("57.00 E")
        try journey.settle(1.2)
        #expect((1..<first / 4).contains(journey.program.output.count - first))
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `over a slow line, keys during a frame end on the same screen as a fresh drawing`() throws {
        let journey = try Journey(["--budget", "60k", "--no-animation"])
        try journey.seeMap()
        try journey.type("++llljhhkkL")
        try journey.settle(1.2)
        try journey.settle(1.2)
        let before = try journey.screen()
        try journey.type("\u{0C}")
        try journey.settle(1.2)
        #expect(try journey.screen().difference(from: before, tolerance: Journey.tolerance) == nil)
        #expect(try journey.quit() == .exited(0))
    }

    @Test(arguments: [
        ["++", "ll", "i", "b", "jj-", "m", "m", "b", "HHKK++"],
        ["/firenze", "\r", "u", "U", "/rom", "\u{1B}", "0"],
        ["+++", "p", "/fin", "\r", "\u{1B}", "\t", "\t", "\u{1B}", "M", "ll", "\u{1B}"],
        ["R", "\u{1B}", "?", "/pan", "\r", "\u{1B}", "\u{1B}", "c", "S", "\u{1B}", "'", "\u{1B}"],
    ])
    func `the screen equals a fresh drawing after flights, searches and panels`(steps: [String]) throws {
        for (columns, rows) in [(80, 24), (120, 40)] {
            let home = TemporaryFolder()
            let journey = try Journey(columns: columns, rows: rows, environment: ["HOME": home.path])
            try journey.see("World")
            for keys in steps {
                try journey.type(keys)
                try journey.settle()
            }
            try journey.settle(1.2)
            let before = try journey.screen()
            try journey.type("\u{0C}")
            #expect(try journey.screen().difference(from: before, tolerance: Journey.tolerance) == nil)
            #expect(try journey.quit() == .exited(0))
        }
    }

    @Test func `a lake that was found is named once, at its mark`() throws {
        let home = TemporaryFolder()
        let journey = try Journey(columns: 80, rows: 24, environment: ["HOME": home.path])
        try journey.see("World")
        try journey.type("/lake como")
        try journey.settle()
        try journey.type("\r")
        try journey.settle(1.2)
        // The hint line below the map has the name, too.
        let map = try journey.screen().lines.dropLast(2)
        #expect(map.count { $0.contains("≈ Lake Como") } == 1)
        #expect(map.count { $0.contains("Lake Como") } == 1)
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `resizes at any time end on the screen of the last size`() throws {
        let journey = try Journey(["-c", "47,8", "-z", "5"])
        try journey.see("World")
        for (columns, rows) in [(40, 12), (160, 50), (10, 3), (1, 1), (120, 40)] {
            journey.program.resize(columns: columns, rows: rows)
        }
        try journey.see("World")
        let fresh = try Journey(["-c", "47,8", "-z", "5"], columns: 120, rows: 40)
        try fresh.see("World")
        // A notice, for example about slow work on a busy machine, disappears by itself.
        var difference: String? = ""
        for _ in 0..<10 where difference != nil {
            try journey.settle(1)
            try fresh.settle(1)
            difference = try journey.screen().difference(from: fresh.screen(), tolerance: Journey.tolerance)
        }
        #expect(difference == nil)
    }

    @Test func `the last view is stored, and u offers it at the next start`() throws {
        let home = TestFolder.make()
        let first = try Journey(["-c", "10,20", "-z", "4"], environment: ["HOME": home])
        try first.see("z4.0")
        #expect(try first.quit() == .exited(0))
        let second = try Journey(["--no-animation"], environment: ["HOME": home])
        try second.see(" z0  ")
        try second.type("u")
        try second.see("10.00 N 20.00 E")
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGALRM])
    func `a signal in the middle of drawing ends it and restores the terminal`(signal: Int32) throws {
        let journey = try Journey()
        let before = journey.program.modesBefore
        try journey.see("World")
        try journey.type("lllljjj+++")
        journey.program.signal(signal)
        #expect(try journey.program.readToEnd() == .exited(128 + signal))
        #expect(journey.program.modes == before)
        #expect(!journey.program.screen.isAlternate)
    }

    @Test(arguments: [
        ("xterm-256color", ""), ("xterm", ""), ("screen-256color", "truecolor"), ("linux", ""), ("vt100", ""),
    ])
    func `every kind of terminal gets a map it can show`(term: String, colorterm: String) throws {
        let journey = try Journey(environment: ["TERM": term, "COLORTERM": colorterm])
        try journey.see("World")
        #expect(journey.program.screen.unknown.isEmpty)
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `without UTF-8 only ASCII reaches the terminal`() throws {
        let journey = try Journey(environment: ["LC_ALL": "C"])
        try journey.see("World")
        try journey.type("?b+i")
        try journey.settle()
        #expect(journey.program.output.allSatisfy { $0 < 0x80 })
    }
}

/// A folder for one test.
enum TestFolder {
    static func make() -> String {
        var template = Array("/tmp/rhumb-test-XXXXXX".utf8CString)
        return mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }
}
