import RhumbCore
import RhumbManual
import Testing

@testable import RhumbCommandLine

struct InvocationTests {
    @Test func `the map opens without any words, and the first word may be a command`() throws {
        #expect(try Invocation([]).command == .open)
        #expect(try Invocation(["city.mbtiles"]).operand == "city.mbtiles")
        let render = try Invocation(["render", "--size", "120x40", "city.mbtiles"])
        #expect(render.command == .render)
        #expect(render[.size]?.columns == 120)
        #expect(render.operand == "city.mbtiles")
    }

    @Test(arguments: [
        ["--offline", "render", "--zoom", "7", "city.mbtiles"],
        ["--zoom", "7", "--offline", "render", "city.mbtiles"],
        ["--zoom=7", "--offline", "render", "city.mbtiles"],
        ["-z", "7", "render", "--offline", "city.mbtiles"],
        ["-z7", "--offline", "render", "city.mbtiles"],
    ])
    func `options may precede the command`(words: [String]) throws {
        let render = try Invocation(words)
        #expect(
            render.command == .render && render[.offline] && render[.zoom] == 7
                && render.operand == "city.mbtiles")
    }

    @Test func `an option before the command may belong to the command, and a command's name may be a value`()
        throws
    {
        #expect(try Invocation(["--json", "region", "list"]).command == .region(.list))
        #expect(try Invocation(["--over", "render"]).command == .open)
        #expect(try Invocation(["--", "render"]).operand == "render")
        #expect(try Invocation(["--offline", "city.mbtiles"]).operand == "city.mbtiles")
    }

    @Test func `an option takes a value in every command that has it, or in none`() {
        var kinds: [String: Set<Bool>] = [:]
        for option in CommandTable.commands.flatMap(\.options) {
            for name in [option.name, option.short.map(String.init)].compactMap(\.self) {
                kinds[name, default: []].insert(option.value == nil)
            }
        }
        #expect(kinds.filter { $0.value.count > 1 }.isEmpty)
    }

    @Test(arguments: [["--zoom", "7"], ["--zoom=7"], ["-z", "7"], ["-z7"], ["-z=7"]])
    func `a value may be given in every usual form`(words: [String]) throws {
        #expect(try Invocation(words)[.zoom] == 7)
    }

    @Test func `a negative number is a value and not an option`() throws {
        let place = try Invocation(["--center", "-33.9,151.2"])[.center]
        #expect(place?.coordinate.latitude == -33.9)
    }

    @Test func `after two dashes every word is a name`() throws {
        #expect(try Invocation(["--", "--zoom"]).operand == "--zoom")
    }

    @Test func `the words of a search may be given without quotation marks`() throws {
        let search = try Invocation(["search", "new", "york", "-n", "3"])
        #expect(search.operand == "new york" && search[.limit] == 3)
    }

    @Test func `commands on several archives take them in order`() throws {
        let merge = try Invocation(["archive", "merge", "a b", "-o", "x", "c", "--force", "d"])
        #expect(merge.operands == ["a b", "c", "d"] && merge.operand == "a b" && merge[.output] == "x")
        #expect(try Invocation(["archive", "info", "a"]).operands.isEmpty)
    }

    @Test func `a tile of an archive is a second operand or an option`() throws {
        let tile = TileID(zoom: 3, x: 4, y: 2)
        for words in [
            ["archive", "tile", "a.mbtiles", "3/4/2"], ["archive", "info", "-t", "3/4/2", "a.mbtiles"],
        ] {
            let invocation = try Invocation(words)
            #expect(invocation.operand == "a.mbtiles" && invocation[.tile] == tile)
        }
    }

    @Test func `overlays may be given repeatedly`() throws {
        #expect(try Invocation(["--over", "a", "--over=b"])[all: .over] == ["a", "b"])
    }

    @Test(arguments: [
        (["--zom", "3"], "did you mean --zoom?"), (["--colors", "none"], "mono; did you mean mono?"),
        (["--zoom", "99"], "from -5 to 24"),
        (["--zoom"], "needs a value"), (["--center", "91,0"], "91"),
        (["--bbox", "1,2,3"], "west,south,east,north"), (["--bbox", "0,10,10,0"], "south below north"),
        (["--bbox", "8,43,7,44"], "at most 300° wide"),
        (["render", "--size", "0x0"], "120x40"),
        (["render", "--format", "gif"], "ansi, text, svg, png, jpg, webp"),
        (["--symbols", "pixels"], "quadrant+half"), (["a", "b"], "give one SOURCE"),
        (["archive", "info"], "missing ARCHIVE"),
        (["archive", "convert", "a"], "expected INPUT OUTPUT, but got only \"a\""),
        (["archive", "diff", "a", "b", "c"], "give FIRST SECOND"),
        (["archive", "merge", "a"], "expected FILE FILE"),
        (["archive", "tile", "a.mbtiles"], "missing Z/X/Y"),
        (["archive", "tile", "a.mbtiles", "3/9/1"], "zoom/column/row"),
        (["archive"], "missing COMMAND"), (["archive", "info", "a", "--by", "zooms"], "did you mean zoom?"),
        (["--offline=yes"], "takes no value"),
        (["doctor", "x"], "unexpected argument"),
        (["help", "completions", "csh"], "bash, zsh, fish"), (["--zoom", "nan"], "from -5 to 24"),
        (["--width", "-3km"], "7km"), (["--zoom", "0x10"], "from -5 to 24"),
        (["help", "rendr"], "did you mean render?"),
        (["--zoom", "3", "--width", "7km"], "mutually exclusive"),
        (["-b", "0,0,9,9", "-c", "1,1"], "mutually exclusive"),
        (["doctor", "--json", "--card"], "mutually exclusive"),
    ])
    func `a mistake is explained in a sentence with the correct form`(words: [String], hint: String) {
        do throws(UsageError) {
            _ = try Invocation(words)
            Issue.record("\(words) was understood")
        } catch {
            #expect(error.description.contains(hint))
        }
    }

    @Test func `an escape sequence in an invalid word is sanitised`() {
        do throws(UsageError) {
            _ = try Invocation(["--zoom", "\u{1B}[31m"])
            Issue.record("it was understood")
        } catch {
            #expect(!error.description.unicodeScalars.contains("\u{1B}"))
        }
    }

    @Test func `a misspelt command is recognised, and another word is not`() {
        #expect(CommandTable.probable("rendr") == "render")
        #expect(CommandTable.probable("convrt") == "archive convert")
        #expect(CommandTable.probable("world") == nil)
        for word in [
            "validate", "check", "download", "extract", "export", "import", "install", "geocode",
            "directions", "isochrone",
        ] {
            let meant = CommandTable.probable(word)
            #expect(meant.flatMap { CommandTable.command($0) } != nil, "\(word)")
        }
        #expect(CommandTable.probable("city.mbtiles") == nil)
    }

    @Test func `no two options of a command share a name or a letter`() {
        for command in CommandTable.commands {
            #expect(Set(command.options.map(\.name)).count == command.options.count)
            let letters = command.options.compactMap(\.short)
            #expect(Set(letters).count == letters.count)
        }
    }

    @Test(arguments: CommandTable.commands.filter { !$0.text.isEmpty && $0.members.isEmpty })
    func `options may be before the command, after it, and joined to their values`(
        command: CommandSpec
    ) throws {
        let words = command.text.split(separator: " ").map(String.init)
        for option in command.accepted where option.name != "help" {
            let value = option.value.map { [$0.sample.filter { $0 != "\"" }] } ?? []
            for spelling in option.spellings {
                for order in [[spelling] + value + words, words + [spelling] + value] {
                    #expect(try Invocation(order + ["--help"]).command == command.name, "\(order)")
                }
                guard let text = value.first else { continue }
                let joined = spelling.hasPrefix("--") ? "\(spelling)=\(text)" : spelling + text
                #expect(try Invocation([joined] + words + ["--help"]).command == command.name, "\(joined)")
            }
        }
    }

    @Test(
        arguments: [
            ("200M", 200_000_000), ("200 MB", 200_000_000), ("200mb", 200_000_000), ("200MiB", 209_715_200),
            ("1GiB", 1_073_741_824),
            ("30k", 30_000), ("7", 7), ("5 parsecs", nil), ("-1", nil), ("MB", nil),
        ] as [(String, Int?)])
    func `sizes are read with common units`(text: String, bytes: Int?) {
        #expect((try? Invocation(["--cache-size", text]))?[.cacheSize] == bytes)
    }

    @Test(arguments: CommandTable.commands)
    func `every command is called by its words`(command: CommandSpec) throws {
        let words = command.text.split(separator: " ").map(String.init)
        #expect(try Invocation(words + ["--help"]).command == command.name)
        #expect(CommandTable.command(command.name).summary == command.summary)
    }

    @Test func `requested glyph sets are distinguished from the default`() throws {
        #expect(try Invocation(["-s", "half"]).symbols == .half)
        #expect(try Invocation(["-s", "auto"]).symbols == nil)
        #expect(try Invocation([]).symbols == nil)
    }

    @Test func `help needs none of the otherwise required options`() throws {
        #expect(try Invocation(["archive", "info", "--help"])[.help])
    }
}

struct HelpTests {
    @Test(arguments: CommandTable.commands.map(\.text))
    func `help names every option and stays within 80 columns`(name: String) throws {
        let command = try #require(CommandTable.command(name))
        let text = name.isEmpty ? HelpText.mapOptions : HelpText.text(for: command)
        for option in command.options { #expect(text.contains("--\(option.name)")) }
        for line in text.split(separator: "\n") where !line.contains("--symbols") {
            #expect(line.count <= 80)
        }
    }

    @Test func `the help of a command names its page of the manual, and the overview lists all`() {
        #expect(
            HelpText.text(for: CommandTable.command(.region(.add))).contains("manual: rhumb help regions"))
        for topic in HelpText.topics.values { #expect(Manual.page(topic) != nil) }
        for page in Manual.pages {
            #expect(
                HelpText.overview.contains("rhumb help \(page.topic)")
                    && HelpText.overview.contains(page.summary.prefix(20)))
        }
    }

    @Test func `the first page of help fits on a screen, and leads to every command`() {
        let text = HelpText.text(for: CommandTable.open)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
        for line in text.split(separator: "\n") { #expect(line.count <= 80) }
        for command in CommandTable.commands where command.family == nil {
            #expect(text.contains(command.text))
        }
    }

    @Test func `every option of the map has a subject`() {
        let ends = HelpText.mapOptions.components(after: "program:").prefix { !$0.hasPrefix("examples") }
        let names = ends.filter { $0.hasPrefix("  ") && $0.contains("--") }
        #expect(names.count == 5, "\(names)")
    }

    @Test func `the man page is short, and those of the groups have every command and option`() {
        #expect(ManPage.text.split(separator: "\n").count < 600)
        for group in CommandGroup.allCases {
            let text = ManPage.text(of: group)
            for option in group.commands.flatMap(\.options) {
                #expect(text.contains("\\-\\-\(option.name.escapedHyphens)"))
                #expect(
                    text.components(after: ".SH NAME").filter { $0.hasSuffix("\\-\\-version") }.count == 1)
            }
        }
        let groups = CommandGroup.allCases.flatMap(\.commands).map(\.text)
        #expect(groups.sorted() == CommandTable.commands.map(\.text).filter { !$0.isEmpty }.sorted())
        for page in Manual.pages { #expect(ManPage.text.contains("rhumb help \(page.topic.escapedHyphens)")) }
    }

    @Test func `the man pages are plain ASCII, and no text in them is taken for a request`() {
        for text in [ManPage.text] + CommandGroup.allCases.map(ManPage.text(of:)) {
            #expect(text.utf8.allSatisfy { $0 < 128 })
            let requests = [".TH", ".SH", ".SS", ".TP", ".PP", ".EX", ".EE", ".B", ".BR", ".br"]
            for line in text.split(separator: "\n") where line.hasPrefix(".") {
                #expect(requests.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
            }
        }
    }
}

extension String {
    /// The text as roff needs it.
    fileprivate var escapedHyphens: String { map { $0 == "-" ? "\\-" : String($0) }.joined() }

    /// The lines after the first that is equal to a text.
    fileprivate func components(after line: String) -> [Substring] {
        Array(split(separator: "\n").drop { $0 != line }.dropFirst())
    }
}

struct HelpWordTests {
    @Test(
        arguments: [
            (["help", "region", "add"], "region add"), (["help", "style", "add"], "style add"),
            (["help", "promises"], "promises"),
            (["help", "regions"], "regions"), (["help"], nil),
        ] as [([String], String?)])
    func `help accepts the words of any command`(words: [String], operand: String?) throws {
        #expect(try Invocation(words).operand == operand)
    }

    @Test(arguments: [
        (["help", "region", "ad"], "did you mean rhumb help region add?"),
        (["help", "regoin"], "did you mean region?"),
        (["help", "rotes"], "no command or page \"rotes\"; did you mean routes?"),
        (["help", "render", "me"], "see rhumb help render"),
        (["regoin", "add"], "did you mean rhumb region add?"),
        (["region", "ad"], "did you mean add?"), (["stile", "check"], "did you mean rhumb style check?"),
        (["validate", "a.pmtiles"], "did you mean rhumb archive info a.pmtiles?"),
        (["export", "home"], "did you mean rhumb region export home?"),
    ])
    func `a misspelt command is guessed`(words: [String], hint: String) {
        let error = #expect(throws: UsageError.self) { try Invocation(words) }
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }

    @Test func `the usage of contours contains the box that it requires`() {
        let text = HelpText.text(for: CommandTable.command(.contours))
        #expect(text.contains("usage: rhumb contours [OPTIONS] --bbox W,S,E,N SOURCE"))
    }

    @Test func `manual and completions are among the commands of the help`() {
        let text = HelpText.text(for: CommandTable.command(.help))
        #expect(text.contains("rhumb help man") && text.contains("rhumb help completions"))
    }

    @Test(arguments: ["region list", "region show", "package list", "style list", "package cancel"])
    func `a command on stored data lists only options that affect it, and accepts those of its siblings`(
        words: String
    ) throws {
        let command = try #require(CommandTable.command(words)), help = HelpText.text(for: command)
        #expect(!help.contains("--rate") && !help.contains("--traffic") && help.contains("--data-path"))
        let operand = command.operand?.isRequired == true ? ["home"] : []
        #expect(
            try Invocation(words.split(separator: " ").map(String.init) + operand + ["--rate", "5k"])[.rate]
                == 5000)
    }
}

struct CommandNameTests {
    /// The commands of one word.
    private let top = CommandTable.commands.filter { !$0.text.isEmpty && $0.family == nil }

    @Test func `there are at most 18 commands, and 14 commands on regions`() {
        // Two commands with subjects of their own are planned.
        let names = Set(top.map(\.text)).subtracting(["contours", "describe"])
        #expect(names.count <= 18, "\(names)")
        #expect(CommandTable.command(.region(nil)).members.count <= 14)
    }

    @Test(arguments: ["region", "package", "area", "cache", "source", "style", "bookmark"])
    func `a noun alone lists`(noun: String) throws {
        #expect(try Invocation([noun]).command == Invocation([noun, "list"]).command)
        #expect(try Invocation([noun, "--json"])[.json])
        #expect(try Invocation([noun, "--help"]).command.text == noun)
        #expect(throws: UsageError.self) { try Invocation([noun, "nothing"]) }
    }

    @Test func `update alone checks, and archive needs a command`() throws {
        #expect(try Invocation(["update"]).command == .update(.check))
        #expect(throws: UsageError.self) { try Invocation(["archive"]) }
    }

    @Test(
        arguments: [
            ("inspect a.pmtiles", "archive info a.pmtiles"),
            ("verify a.pmtiles --repair -o b", "archive info --check a.pmtiles --repair -o b"),
            ("stats a.pmtiles", "archive info --by zoom a.pmtiles"),
            ("stats a.pmtiles --by layer", "archive info a.pmtiles --by layer"),
            ("schema a.pmtiles --sample 5", "archive info --fields a.pmtiles --sample 5"),
            ("tile a 1/0/0", "archive tile a 1/0/0"), ("decode a 1/0/0", "archive tile --decode a 1/0/0"),
            ("convert a b", "archive convert a b"), ("merge a b -o c", "archive merge a b -o c"),
            ("extract a -o b", "archive extract a -o b"), ("diff a b --show", "archive diff a b --show"),
            ("patch make a b -o c", "archive patch make a b -o c"),
            ("patch apply a b -o c", "archive patch apply a b -o c"),
            ("--offline ready hike", "area check --offline hike"),
            ("reach Turku --minutes 5,10", "route Turku --within 5,10"),
            ("reach Turku --minutes=5", "route Turku --within=5"),
            ("track stats walk.gpx", "track walk.gpx"), ("features --json", "source features --json"),
            ("bookmarks", "bookmark list"), ("bookmarks add a 1,2", "bookmark add a 1,2"),
            ("region retry home", "region check home --repair"), ("region verify home", "region check home"),
            ("region repair", "region check --repair"), ("update size", "update check --sizes"),
            ("update cancel", "package cancel"), ("package status", "package list"),
            ("style pack add x", "style add x"), ("style pack list", "style list"),
            ("man offline", "help man offline"), ("completions bash", "help completions bash"),
            ("help inspect", "help archive info"),
        ])
    func `a former name means the current command`(former: String, current: String) throws {
        func parsed(_ line: String) throws -> Invocation {
            try Invocation(line.split(separator: " ").map(String.init))
        }
        let old = try parsed(former), new = try parsed(current)
        #expect(old.command == new.command && old.operand == new.operand && old.operands == new.operands)
        for option in [Option<String>.output, .by, .within] { #expect(old[option] == new[option]) }
        for option in [Option<Bool>.check, .repair, .fields, .decode, .sizes, .json, .offline] {
            #expect(old[option] == new[option])
        }
        #expect(old[.tile] == new[.tile] && old[.sample] == new[.sample])
        let name = try #require(old.renaming)
        #expect(name.hasPrefix("`rhumb ") && name.contains("` is now `rhumb "), "\(name)")
        #expect(new.renaming == nil)
    }

    @Test func `help, man pages and completions have no former names`() {
        let former = RenamedCommand.all.map { $0.former.joined(separator: " ") }
        for name in former { #expect(CommandTable.command(name) == nil, "\(name)") }
        let groups = CommandGroup.allCases.map(ManPage.text(of:))
        let scripts = ["bash", "zsh", "fish"].compactMap(Completions.script(for:))
        for text in [HelpText.start, HelpText.overview, ManPage.text] + groups + scripts {
            for name in former { #expect(!text.contains("rhumb \(name) "), "\(name)") }
        }
    }
}
