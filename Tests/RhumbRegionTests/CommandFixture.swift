@testable import Rhumb
import RhumbCore
import RhumbHTTP
@testable import RhumbStore
import RhumbTestSupport

/// The program with its own home folder and a tile server.
struct CommandFixture {
    let host: TileHost
    let folder: TemporaryFolder

    init() throws { self.init(try TileHost(), in: TemporaryFolder()) }

    init(_ host: TileHost, in folder: TemporaryFolder) {
        self.host = host
        self.folder = folder
    }

    var template: String { host.server.url("/{z}/{x}/{y}.png") }
    var storePath: String { folder.path + "/data/regions.db" }

    var environment: [String: String] {
        ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    }

    /// Writes a configuration file that names the server "web", with this policy.
    func configure(
        _ policy: String = #"{"offline":"allowed","archives":true,"packLimit":null}"#,
        zooms: ClosedRange<Int> = 0...16,
        feature: String = "rendering"
    ) {
        let text = """
            {"sources":[{"id":"web","name":"Web","url":"\(template)?key={key}","minzoom":\(zooms.lowerBound),"maxzoom":\(zooms.upperBound),
            "keys":{"key":{"environment":"TEST_KEY","config":"test"}},"feature":"\(feature)","policy":\(policy)}],"keys":{"test":"SECRETMARKER"}}
            """
        folder.write(Array(text.utf8), to: "config.json")
    }

    func words(_ words: [String]) -> [String] {
        ["region"] + words + places
    }

    /// The options for its files.
    var places: [String] {
        [
            "--data-path", folder.path + "/data", "--cache-path", folder.path + "/cache.db",
            "--config", folder.path + "/config.json",
        ]
    }

    static let program = TestProducts.path("rhumb")

    /// Runs `rhumb region …` to its end.
    func run(_ words: String...) async -> ProgramRun { await run(words) }

    func run(_ words: [String]) async -> ProgramRun {
        await ProgramRun.of(Self.program, self.words(words), environment: environment)
    }

    /// Starts a command without waiting for its end.
    func start(_ words: [String]) -> ChildProgram {
        ChildProgram(
            Self.program, self.words(words), environment: environment, errors: folder.path + "/errors.txt")
    }

    func json(_ run: ProgramRun) throws -> JSON { try JSON.parse(Array(run.output.utf8)) }

    func shown(_ id: String = "home") async throws -> JSON { try json(await run("show", id, "--json")) }

    /// An area of exactly 86 tiles.
    static let area = ["--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-11", "--exact"]

    func add(_ more: String...) async -> ProgramRun {
        await run(["add", "home", "--source", "web"] + Self.area + more)
    }

    /// Waits for the end of a child process while other tests run. Kills one that doesn't end.
    func end(of child: ChildProgram) async -> Int32 {
        if !(await eventually { child.hasEnded }) { child.kill() }
        return child.wait()
    }

    /// Returns the first number in the result of an SQL query.
    func number(_ sql: String) throws -> Int? {
        let rows = try Connection(storePath, .readOnly).prepare(sql, to: "look")
        return try rows.step() ? rows.int(0) : nil
    }

    /// Returns the stored tiles with their bodies.
    func stored() throws -> [TileID: [UInt8]] {
        let connection = try Connection(storePath, .readOnly)
        let rows = try connection.prepare(
            "SELECT z, x, y, bytes FROM entries LEFT JOIN bodies ON id = body WHERE z >= 0", to: "look")
        var stored: [TileID: [UInt8]] = [:]
        while try rows.step() {
            let tile = TileID(zoom: rows.int(0) ?? -1, x: rows.int(1) ?? -1, y: rows.int(2) ?? -1)
            if let tile { stored[tile] = rows.bytes(3) ?? [] }
        }
        return stored
    }
}
