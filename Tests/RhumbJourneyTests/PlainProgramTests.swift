import Glibc
import Foundation
import RhumbCore
import RhumbTestSupport
import Testing

/// Runs the program without a screen, with commands on standard input.
struct PlainProgramTests {
    private func run(_ commands: [String], _ arguments: [String] = ["--plain"]) async -> ProgramRun {
        let home = TemporaryFolder(),
            script = home.write(Array((commands.joined(separator: "\n") + "\n").utf8), to: "in")
        let words = ([TestProducts.path("rhumb")] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return await ProgramRun.of(
            "/bin/sh", ["-c", "\(words) --offline < '\(script)'"],
            environment: ["HOME": home.path, "TERM": "dumb", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"])
    }

    @Test func `the plain program goes to a place, describes it, and ends with its input`() async {
        let run = await run(["help", "go Florence", "north 1 km", "street", "nonsense"])
        #expect(run.status == 0)
        #expect(run.output.contains("In the centre of Florence (Firenze), Tuscany, Italy."))
        #expect(run.output.contains("No map is stored here"))
        #expect(run.output.contains("unknown command") || run.output.contains("nonsense"))
        let signs = run.output.unicodeScalars.filter {
            $0.value < 32 && $0 != "\n" || (0x2190...0x2BFF).contains($0.value) || $0.value == 127
        }
        #expect(signs.isEmpty)
    }

    @Test func `the plain program says that there is no such place, and describes no other one`() async {
        let run = await run(["go Xyzzyqwerty", "route to Xyzzyqwerty", "route to", "route", "go 91,0"])
        let answers = run.output.components(separatedBy: "> ").dropFirst()
        #expect(answers.count == 6)
        let none = "No place found for \"Xyzzyqwerty\"."
        #expect(answers.prefix(2).allSatisfy { $0.hasSuffix(none + "\n") })
        #expect(answers.dropFirst(2).prefix(2).allSatisfy { $0.hasPrefix("Route where?") })
        #expect(answers.last?.isEmpty == true && answers.dropLast().last?.contains("out of range") == true)
        #expect(!run.output.contains("No map is stored here") && !run.output.contains("Toronto"))
    }

    @Test func `the plain program prints the results of a search, which begins with a slash or a word`() async
    {
        for line in ["/Helsinki", "search Helsinki"] {
            let run = await run([line, "yes"])
            let answers = run.output.components(separatedBy: "> ").dropFirst()
            #expect(answers.first?.contains("selected: Helsinki") == true, "\(run.output)")
            #expect(answers.dropFirst().first?.hasPrefix("Helsinki") == true, "\(run.output)")
        }
    }

    @Test func `the plain program confirms commands without an answer, and names commands instead of keys`()
        async
    {
        let run = await run(["units imperial", "zoom 15", "", "route to 43.77,11.25"])
        let answers = run.output.components(separatedBy: "> ").dropFirst()
        #expect(answers.prefix(2).allSatisfy { !$0.isEmpty } && answers.dropFirst(2).first?.isEmpty == true)
        #expect(run.output.firstRange(of: /[Pp]ress [a-z]\b/) == nil)
    }

    @Test func `the plain program names its own help, says the zoom, and looks around`() async {
        let run = await run(["go Florence", "near", "foo", "zoom 9", "look", "route Turku Helsinki"])
        let answers = run.output.components(separatedBy: "> ").dropFirst(2)
        #expect(answers.prefix(2).allSatisfy { $0.contains("type help for a list") })
        #expect(answers.dropFirst(2).first?.contains("Zoom 9") == true)
        #expect(answers.dropFirst(3).first?.contains("Florence") == true)
        #expect(answers.dropFirst(4).first?.contains("A route begins here") == true)
    }

    @Test func `the plain program says once why a map can't be opened, and that nothing was asked`() async {
        let run = await run(["open /none.pmtiles", "yes", "key zzz", ":go Florence"])
        let answers = run.output.components(separatedBy: "> ").dropFirst()
        let problems = answers.first?.split(separator: "\n").count { $0.contains("/none.pmtiles") }
        #expect(problems == 1, "\(run.output)")
        #expect(answers.dropFirst().first == "There is no question to answer.\n")
        #expect(answers.dropFirst(2).first?.hasPrefix("Which key?") == true)
        #expect(answers.dropFirst(3).first?.contains("Florence") == true)
    }

    @Test func `a command closes a question of the plain program without an answer, and then runs`()
        async throws
    {
        let run = await run(["offline", "zoom 99", "regions", "offline", "zoom 7", "offline", "go Florence"])
        let answers = run.output.components(separatedBy: "> ").dropFirst().map(\.self)
        #expect(answers.count == 8, "\(run.output)")
        #expect(answers.first?.hasPrefix("Go online?") == true)
        #expect(answers.dropFirst().first?.hasPrefix("Not answered: Go online?\nzoom: expected") == true)
        #expect(answers.dropFirst(4).first?.contains("Zoom 7.00.") == true, "\(run.output)")
        let place = try #require(answers.dropFirst(6).first)
        #expect(place.hasPrefix("Not answered: Go online?\n") && place.contains("Florence"))
    }

    @Test func `the plain program spells out units, and says how far it moves`() async {
        let run = await run(["go Florence", "north", "north 200 metres", "east 1 mile"])
        #expect(run.output.contains("Moving 500 metres north.") && !run.output.contains("How far?"))
        #expect(run.output.firstRange(of: /[0-9] (m|km|min)\b/) == nil)
    }

    @Test func `routes of the plain program start here, with steps that are not wrapped`() async throws {
        let folder = TemporaryFolder(), town = RouteTown(),
            path = folder.write(town.archive, to: "town.pmtiles")
        let run = await run(
            [
                "go \(town.west)", "route to \(town.east)", "go \(town.east)", "route to \(town.west)",
                "route to 0,0",
            ],
            ["--plain", path])
        let starts = run.output.split(separator: "\n")
            .filter { $0.hasPrefix("from ") && !$0.hasPrefix("from map tiles") }
        #expect(starts.count == 2 && starts.first != starts.last, "\(run.output)")
        #expect(run.output.contains("Head east on \(RouteTown.street)"))
        #expect(run.output.contains("Head west on \(RouteTown.street)"))
        // After the failure, the earlier route is not shown as the answer.
        let last = try #require(run.output.components(separatedBy: "> ").dropLast().last)
        #expect(!last.contains("Head") && !last.contains("from") && last.count > 10)
    }

    @Test func `a dumb terminal gets the plain program, and quit ends it`() async {
        let run = await run(["quit", "help"], [])
        #expect(run.status == 0 && run.output.hasPrefix("Rhumb. Type help"))
        #expect(!run.output.contains("go PLACE"))
    }
}
