import Glibc
import RhumbCore
import RhumbManual
import RhumbTestSupport
import Testing

/// Runs the commands of the manual's page "Rhumb for a team" as they are written. Only hosts, ports, the
/// folder of the disk and the source for Varnish are replaced.
struct TeamPageTests {
    private let home = TemporaryFolder(), elsewhere = TemporaryFolder()
    private let origin: LoopbackServer
    private static let blue = RGB(0x336699)

    init() throws {
        origin = try LoopbackServer { _ in
            LoopbackReply(
                200, blankPicture(Self.blue, side: 256),
                headers: ["Content-Type": "image/png", "Cache-Control": "max-age=3600", "ETag": "\"1\""])
        }
        let url = origin.url("/{z}/{x}/{y}.png")
        let sources = ["osm", "versatiles", "mine"].map {
            #"{"id": "\#($0)", "url": "\#(url)?\#($0)", "policy": {"offline": "allowed", "archives": true}}"#
        }
        for folder in [home, elsewhere] {
            folder.write(
                Array("{\"sources\": [\(sources.joined(separator: ","))]}".utf8),
                to: ".config/rhumb/config.json")
        }
        home.write([], to: "bin/.keep")
        let program = try #require(realpath(TestProducts.path("rhumb"), nil))
        defer { free(program) }
        #expect(symlink(program, home.path + "/bin/rhumb") == 0)
    }

    // MARK: The page

    /// Returns the blocks of a section of the page.
    private static func blocks(under title: String) throws -> [ManualBlock] {
        let blocks = try #require(Manual.page("team")).blocks
        func heading(_ block: ManualBlock) -> String? {
            if case .heading(_, let text) = block { text.plain } else { nil }
        }
        let start = try #require(blocks.firstIndex { heading($0) == title })
        return Array(blocks[(start + 1)...].prefix { heading($0) == nil })
    }

    /// Returns the commands of a section.
    private static func commands(under title: String, count: Int) throws -> [String] {
        let commands = try blocks(under: title).flatMap { block -> [String] in
            if case .code(let lines, _) = block { lines.filter { !$0.isEmpty } } else { [] }
        }
        // A new command needs a test.
        try #require(commands.count == count)
        return commands
    }

    // MARK: Commands

    private func environment(_ machine: TemporaryFolder, _ more: [String: String] = [:]) -> [String: String] {
        [
            "HOME": machine.path, "PATH": home.path + "/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color", "COLORTERM": "truecolor", "SWIFT_BACKTRACE": "enable=no",
        ].merging(more) { $1 }
    }

    private func words(_ command: String) -> [String] { ["-c", "cd '\(home.path)' && exec \(command)"] }

    private func run(
        _ command: String, on machine: TemporaryFolder? = nil, _ more: [String: String] = [:]
    ) async -> ProgramRun {
        await ProgramRun.of(
            "/bin/sh", words(command), environment: environment(machine ?? home, more))
    }

    /// Runs a command that opens the map, and waits for its tiles.
    private func show(_ command: String, on machine: TemporaryFolder) throws {
        let program = try PtyProgram(
            "/bin/sh", words(command), environment: environment(machine), columns: 100, rows: 30)
        try program.read { TownFixture.isDrawn(Self.blue, $0.grid) }
    }

    private func addRegion() async {
        let added = await run("rhumb region add home --source mine --bbox 0,0,90,60 --zooms 0-1")
        #expect(added.status == 0, "\(added.errors)")
    }

    // MARK: Sections

    @Test func `the map server works, with each address of the table`() async throws {
        let commands = try Self.commands(under: "A map server", count: 4)
        try writeArchives()
        await addRegion()
        func serve(_ command: String) throws -> (ChildProgram, port: UInt16) {
            let server = ChildProgram(
                "/bin/sh", words(command.replacing("rhumb serve", with: "rhumb serve --port 0")),
                environment: environment(home), errors: home.path + "/errors")
            let line = try #require(server.readLine(), "\(home.text("errors"))")
            return (server, try #require(line.dropLast().split(separator: ":").last.flatMap { UInt16($0) }))
        }
        func isFound(_ path: String, _ port: UInt16) throws -> Bool {
            try RawConnection.response(
                port, "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            )
            .hasPrefix("HTTP/1.1 200")
        }
        let (server, port) = try serve(commands[0])
        for path in try Self.addresses() {
            let paths = ["city", "streets"].map { name in
                path.replacing("NAME", with: name).replacing("{z}/{x}/{y}", with: "0/0/0")
            }
            #expect(try paths.contains { try isFound($0, port) }, "\(path)")
        }
        try show(
            commands[3].replacing("http://maps.example:8080", with: "http://127.0.0.1:\(port)"), on: elsewhere
        )
        server.kill()
        for (command, path) in zip(commands[1...2], ["/city/0/0/0.png", "/home/0/0/0.png"]) {
            let (server, port) = try serve(command)
            #expect(try isFound(path, port), "\(command)")
            server.kill()
        }
    }

    /// The addresses in the table of the section.
    private static func addresses() throws -> [String] {
        let rows = try blocks(under: "A map server").flatMap { block -> [[ManualText]] in
            if case .table(let rows) = block { rows } else { [] }
        }
        return try rows.dropFirst().flatMap { row in
            let names = try #require(row.first).plain.split(separator: ", ").map(String.init)
            // A name that is only an extension replaces that of the first one.
            let stem = try #require(names.first).prefix { $0 != "." }
            return names.map { $0.hasPrefix("/") ? $0 : stem + $0 }
        }
    }

    private func writeArchives() throws {
        let picture = blankPicture(Self.blue, side: 256)
        let town = VectorTileFixture.Feature(
            .point, through: [(2048, 2048)], [("name", .string("Town")), ("class", .string("city"))])
        for path in ["city.pmtiles", "maps/city.pmtiles"] {
            home.write(PMTilesFixture(TileID.pyramid(0...1).map { ($0, picture) }).bytes, to: path)
        }
        _ = try MBTilesFixture(
            [(.world, VectorTileFixture([("place", [town])]).bytes)],
            metadata: [("name", "Streets"), ("format", "pbf"), ("minzoom", "0"), ("maxzoom", "0")]
        ).write(in: home, name: "streets.mbtiles")
    }

    @Test(.enabled(if: VerifyingStore.isAvailable, "awssig and moto are not installed"))
    func `a published folder that another program uploads is read from an object store`() async throws {
        let commands = try Self.commands(under: "Publishing to an object store", count: 3)
        try writeArchives()
        let run = await run(commands[0])
        #expect(run.status == 0, "\(run.errors)")
        let names = ["catalog.json", "city.pmtiles"]
        let store = try VerifyingStore(
            objects: Dictionary(
                uniqueKeysWithValues: names.map { ("theme=base/a b+å/" + $0, home.bytes("maps/" + $0)) }))
        for secret in ["WRONG", "SKEY+/="] {
            let keys = [
                "AWS_ENDPOINT_URL": store.url, "AWS_ACCESS_KEY_ID": "AKEY", "AWS_SECRET_ACCESS_KEY": secret,
            ]
            let tree = await self.run(
                "rhumb package tree --catalog 's3://maps/theme=base/a b+å/catalog.json'", on: elsewhere, keys)
            let map = await self.run(
                "rhumb render 's3://maps/theme=base/a b+å/city.pmtiles' -z 0 --size 20x6", on: elsewhere, keys
            )
            #expect((tree.status == 0) == (secret != "WRONG") && (map.status == 0) == (secret != "WRONG"))
            #expect(!(tree.errors + map.errors).contains("WRONG"))
        }
    }

    @Test func `maps are carried to another machine`() async throws {
        let commands = try Self.commands(under: "Carrying maps to another machine", count: 4)
        await addRegion()
        home.write(Array("<gpx><wpt lat=\"60\" lon=\"24\"/></gpx>".utf8), to: "track.gpx")
        home.write([], to: "disk/.keep")
        let third = TemporaryFolder()
        for (command, machine) in zip(commands, [home, elsewhere, home, third]) {
            let run = await run(command.replacing("/media/disk", with: "disk"), on: machine)
            #expect(run.status == 0, "\(command): \(run.errors)")
        }
        for machine in [elsewhere, third] {
            let list = await run("rhumb region list", on: machine)
            #expect(list.output.contains("home"), "\(list.output)")
        }
        #expect(elsewhere.text(".local/share/rhumb/overlays/track.gpx").contains("lat=\"60\""))
    }
}
