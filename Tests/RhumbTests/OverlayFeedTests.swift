import Glibc
@testable import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests features from files, commands and servers.
struct OverlayFeedTests {
    let folder = TemporaryFolder()

    func write(_ text: String, to name: String) -> String { write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) -> String {
        let path = folder.path + "/" + name, file = fopen(path, "wb")
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        return path
    }

    func feed(_ words: String, timeToLive: Double? = nil) throws -> OverlayFeed {
        OverlayFeed(
            try #require(OverlayOrigin(words)), number: 0, overlayTheme: LiveLayer.OverlayTheme(),
            timeToLive: timeToLive)
    }

    func read(_ words: String) async throws -> (names: [String], status: OverlayStatus) {
        let feed = try feed(words), status = await feed.whole(within: .seconds(60))
        defer { feed.stop() }
        return (feed.live.index.features.map(\.name), status)
    }

    @Test func `files and URLs can be shared, but not standard input, commands and streams`()
        throws
    {
        func words(_ text: String) throws -> String? { try feed(text).layer.openedBy }
        #expect(
            try words("walk.gpx") == "walk.gpx"
                && words("https://example.org/q.geojson?a=1") == "https://example.org/q.geojson?a=1")
        for text in ["-", "exec:cat walk.gpx", "gpsd:", "tcp:boat:30003", "aprs:host", "meshtastic:host"] {
            #expect(try words(text) == nil)
        }
    }

    @Test func `words name origins, but not archives, sources and styles`() {
        #expect(OverlayOrigin("-") == .standardInput)
        let flight = "http://127.0.0.1/flight.igc"
        #expect(OverlayOrigin(flight) == .address(flight))
        #expect(OverlayOrigin("exec:date") == .command("date", pace: OverlayOrigin.usualPace))
        #expect(OverlayOrigin("exec:5s:a:b") == .command("a:b", pace: 5))
        #expect(OverlayOrigin("exec:a:b") == .command("a:b", pace: OverlayOrigin.usualPace))
        #expect(OverlayOrigin("gpsd:") == .gpsd(host: "localhost", port: 2947))
        #expect(OverlayOrigin("gpsd:boat:1234") == .gpsd(host: "boat", port: 1234))
        #expect(OverlayOrigin("tcp:[::1]:30003") == .stream(host: "::1", port: 30003))
        #expect(OverlayOrigin("tcp:host") == nil)
        #expect(OverlayOrigin("meshtastic://node.local") == .meshtastic(host: "node.local", port: 4403))
        #expect(OverlayOrigin("meshtastic:[::1]:99") == .meshtastic(host: "::1", port: 99))
        #expect(OverlayOrigin("aprs:euro.aprs2.net") == .aprs(host: "euro.aprs2.net", port: 14580))
        #expect(
            OverlayOrigin("https://a.example/quakes.geojson?x=1")
                == .address("https://a.example/quakes.geojson?x=1"))
        let export = "https://a.example/export?id=7&format=GPX"
        #expect(OverlayOrigin(export) == .address(export))
        #expect(OverlayOrigin("https://a.example/export?format=png") == nil)
        let items = "https://a.example/collections/roads/items?limit=5&f=json"
        #expect(OverlayOrigin(items) == .address(items))
        let wfs = "https://a.example/wfs?service=WFS&request=GetFeature&typeNames=roads"
        #expect(OverlayOrigin(wfs) == .address(wfs))
        #expect(OverlayOrigin("features:https://a.example/api") == .address("https://a.example/api"))
        #expect(OverlayOrigin("features:api") == nil)
        #expect(OverlayOrigin("https://a.example/{z}/{x}/{y}.geojson") == nil)
        for other in ["osm", "world", "city.mbtiles", "https://a.example/map.json", ""] {
            #expect(OverlayOrigin(other) == nil)
        }
        #expect(
            OverlayOrigin(
                write(
                    "{\"version\":8,\"layers\":[],\"sources\":{\"a\":{\"type\":\"Feature\"}}}",
                    to: "style.json")) == nil)
        #expect(OverlayOrigin(write("{\"type\":\"Feature\"}", to: "one.json"))?.isFile == true)
    }

    @Test func `a file is read, and read again when it is saved`() async throws {
        let path = write("60,22,first\n", to: "places.csv"), feed = try feed(path)
        #expect(await feed.whole(within: .seconds(60)).count == 1)
        _ = write("60,22,second\n61,22,third\n", to: "places.csv")
        #expect(await eventually { feed.live.index.features.map(\.name) == ["second", "third"] })
        feed.stop()
    }

    @Test func `a missing file is reported`() async throws {
        let status = try await read(folder.path + "/none.gpx").status
        #expect(status.problem?.contains("can't open") == true)
    }

    @Test(arguments: ["cat /dev/urandom", "yes ''", "yes garbage"])
    func `a feed without features ends after a MiB, and says so`(command: String) async throws {
        let feed = try feed("exec:1000s:\(command)"), status = await feed.whole(within: .seconds(600))
        defer { feed.stop() }
        #expect("\(status)".contains("1 MiB without"), "\(status)")
        // One of 200 MiB of random bytes has a line that is a geohash; five in one have no measurable chance.
        #expect(feed.live.index.features.count < 5)
    }

    @Test func `a line without an end is dropped`() {
        var reader = FeatureReader(isLive: true)
        let block = [UInt8](repeating: 0, count: 8 << 20)
        for _ in 0...8 where !reader.isUnreadable { reader.read(block[...]) }
        #expect(reader.isUnreadable)
    }

    @Test func `a command's output is shown, and its failure is reported`() async throws {
        #expect(try await read("exec:100s:echo 60,22,here; echo 61,23,there").names == ["here", "there"])
        #expect(try await read("exec:100s:echo wrong >&2; exit 3").status.problem?.contains("wrong") == true)
        #expect(try await read("exec:100s:no-such-program-at-all").status.problem != nil)
        let chatty = "head -c 300000 /dev/zero | tr '\\0' x >&2; echo 60,22,here"
        #expect(try await read("exec:100s:\(chatty)").names == ["here"])
    }

    @Test func `a command is run again at its pace, and ended with its feed`() async throws {
        let count = folder.path + "/count"
        let feed = try feed("exec:0.2s:echo x >> \(count); echo 60,22,a; sleep 0.01")
        feed.begin { _, _ in }
        #expect(await eventually { (Files.size(count) ?? 0) >= 6 })
        feed.stop()
        let endless = try self.feed(
            "exec:echo $$ > \(folder.path)/pid; while true; do echo 60,22,a; sleep 0.05; done")
        endless.begin { _, _ in }
        #expect(await eventually { endless.live.index.features.count > 2 })
        endless.stop()
        let process = try #require(
            Files.read(folder.path + "/pid").flatMap {
                Int32(String(decoding: $0, as: UTF8.self).filter(\.isNumber))
            })
        #expect(await eventually { kill(process, 0) != 0 })
    }

    @Test(arguments: [false, true])
    func `a command and its children end with the thread that reads them, also under nohup`(
        isIgnored: Bool
    )
        async throws
    {
        let before = isIgnored ? signal(SIGHUP, SIG_IGN) : nil
        defer { if isIgnored { signal(SIGHUP, before) } }
        let pids = folder.path + "/pids"
        let reading = Task.detached {
            // The queue's thread is not kept after its work.
            await withCheckedContinuation { continuation in
                Thread.run {
                    let child = try? ChildProcess(
                        shell:
                            "(trap '' HUP; echo $$ >> \(pids); sleep 1000) & sleep 1000 & echo $! >> \(pids); wait"
                    )
                    while (Files.read(pids) ?? []).count(where: { $0 == 0x0A }) < 2 { usleep(1000) }
                    _ = child
                    continuation.resume()
                }
            }
        }
        await reading.value
        let processes = String(decoding: Files.read(pids) ?? [], as: UTF8.self).split(separator: "\n")
            .compactMap { Int32($0) }
        #expect(processes.count == 2)
        for process in processes { #expect(await eventually { isOver(process) }) }
    }

    /// Returns true for a process that has ended, even if its parent has not waited for it.
    private func isOver(_ process: Int32) -> Bool {
        guard kill(process, 0) == 0 else { return true }
        let words = Files.read("/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return words.isEmpty || words.contains(") Z ")
    }

    @Test func `children that a command leaves end with it`() async throws {
        let pid = folder.path + "/pid"
        #expect(
            try await read("exec:100s:echo 60,22,here; sleep 1000 >/dev/null & echo $! > \(pid)").names == [
                "here"
            ])
        let process = try #require(
            Int32(String(decoding: Files.read(pid) ?? [], as: UTF8.self).filter(\.isNumber)))
        #expect(await eventually { isOver(process) })
    }

    @Test func `lines of a server are features, invalid ones are counted, and a lost connection is restored`()
        async throws
    {
        let server = try LineServer(
            [
                "60,22,a", "nonsense", "{\"lat\":1,\"lon\":2,\"id\":\"x\"}",
                "{\"lat\":3,\"lon\":2,\"id\":\"x\"}",
            ], closes: true)
        let feed = try feed("tcp:127.0.0.1:\(server.port)")
        feed.begin { _, _ in }
        #expect(await eventually { feed.current.faults.count > 0 && feed.live.index.features.count >= 2 })
        #expect(feed.live.index.features.filter { $0.id == "x" }.count == 1)
        #expect(await eventually { server.count > 1 })
        feed.stop()
    }

    @Test func `invalid lines of a server are counted before any valid one`() async throws {
        let server = try LineServer(["$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*00"])
        let feed = try feed("tcp:127.0.0.1:\(server.port)")
        feed.begin { _, _ in }
        #expect(
            await eventually {
                feed.current.faults.first.map(\.reason) == ["sentence with a wrong checksum"]
            })
        feed.stop()
    }

    @Test func `gpsd is asked for all reports, and its positions form a line`() async throws {
        let server = try LineServer([
            "{\"class\":\"VERSION\",\"proto_major\":3}",
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":60.0,\"lon\":22.0}",
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":60.01,\"lon\":22.0}",
            "{\"class\":\"AIS\",\"mmsi\":7,\"lat\":60.1,\"lon\":22.1,\"speed\":1}",
        ])
        let feed = try feed("gpsd:127.0.0.1:\(server.port)")
        feed.begin { _, _ in }
        #expect(
            await eventually { Set(feed.live.index.features.map(\.id)) == ["own way", "mmsi 000000007"] })
        #expect(await eventually { server.said.contains("?WATCH=") })
        feed.stop()
    }

    @Test func `a connected server without data is silent, and one that is read once is not awaited`()
        async throws
    {
        let server = try LineServer([String]()), feed = try feed("gpsd:127.0.0.1:\(server.port)")
        feed.begin { _, _ in }
        #expect(await eventually { feed.current.isSilent && feed.current.silence != nil })
        feed.stop()
        let once = OverlayFeed(
            try #require(OverlayOrigin("tcp:127.0.0.1:1")), number: 0,
            overlayTheme: LiveLayer.OverlayTheme(), reconnects: false)
        let problem = await once.whole(within: .seconds(60)).problem
        #expect(problem?.contains("127.0.0.1:1") == true && problem?.contains("reconnecting") == false)
        once.stop()
    }

    @Test func `the first position of gpsd is known before it moves`() async throws {
        let server = try LineServer(["{\"class\":\"TPV\",\"mode\":3,\"lat\":60.0,\"lon\":22.0}"])
        let feed = try feed("gpsd:127.0.0.1:\(server.port)")
        feed.begin { _, _ in }
        #expect(await eventually { feed.current.hasPosition })
        feed.stop()
        let none = try LineServer(["{\"class\":\"TPV\",\"mode\":1}", "60,22"])
        let other = try self.feed("gpsd:127.0.0.1:\(none.port)")
        other.begin { _, _ in }
        #expect(await eventually { other.current.count == 1 })
        #expect(!other.current.hasPosition)
        other.stop()
    }

    @Test(arguments: [
        String(repeating: "\u{7F}\u{1}", count: 2000) + "\n", "{\"a\":\n",
        String(repeating: "$", count: 4000) + "\n#\n\u{3}\n",
    ])
    func `data that can't be read is not read on, which is reported`(garbage: String) async throws {
        let bytes = Array(String(repeating: garbage, count: 3 << 20 / garbage.utf8.count + 1).utf8)
        let server = try LineServer([bytes])
        let feed = try feed("tcp:127.0.0.1:\(server.port)")
        feed.begin { _, _ in }
        #expect(await eventually { feed.current.problem?.contains("no positions or features") == true })
        feed.stop()
        let file = folder.write(bytes, to: "garbage")
        let output = try await read("exec:60s:cat \(file)")
        #expect(output.status.faults.count > 0 && output.names.isEmpty)
    }

    @Test func `an APRS server is queried as a guest for the view, and again when the view moves`()
        async throws
    {
        let server = try LineServer(["# hello", "N0CALL-1>APRS:!6027.00N/02216.00E>here"])
        let feed = try feed("aprs:127.0.0.1:\(server.port)", timeToLive: 600)
        feed.view = (Coordinate(latitude: 60.4518, longitude: 22.2666), 12_000)
        feed.begin { _, _ in }
        #expect(await eventually { feed.live.index.features.map(\.name) == ["N0CALL-1"] })
        #expect(
            await eventually {
                server.said.contains("user N0CALL pass -1 ")
                    && server.said.contains("#filter r/60.45/22.27/15\r\n")
            })
        feed.view = (Coordinate(latitude: -33.9, longitude: 18.4), 4_000_000)
        #expect(await eventually { server.said.contains("#filter r/-33.90/18.40/500\r\n") })
        feed.stop()
    }

    @Test func `a Meshtastic device is asked for its nodes, and again after a lost connection`() async throws
    {
        let node = MeshtasticFixture.node(
            7, name: "Ada", latitude: 604_500_000, longitude: 222_700_000, time: 1_790_000_000)
        let server = try LineServer(
            [node, MeshtasticFixture.end, Array(node.dropLast(5))], closes: true)
        let feed = try feed("meshtastic://127.0.0.1:\(server.port)", timeToLive: 600)
        feed.begin { _, _ in }
        #expect(await eventually { feed.live.index.features.map(\.name) == ["Ada"] && server.count > 1 })
        #expect(await eventually { feed.current.isWhole && feed.current.problem != nil })
        feed.stop()
        let open = try LineServer([node, MeshtasticFixture.end])
        let other = try self.feed("meshtastic:127.0.0.1:\(open.port)", timeToLive: 600)
        other.begin { _, _ in }
        // The request for the list of nodes alone.
        #expect(
            await eventually { Array(open.heardBytes.prefix(8)) == [0x94, 0xC3, 0, 4, 0x18, 0xAD, 0x9E, 4] })
        #expect(other.live.index.features.count <= 1)
        other.stop()
    }

    @Test func `rows of a GeoPackage with unreadable geometry are counted`() async throws {
        let path = folder.path + "/broken.gpkg", connection = try Connection(path, .readWrite)
        try connection.execute(
            """
            CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);
            CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
            CREATE TABLE places (name TEXT, geom BLOB);
            INSERT INTO gpkg_contents VALUES ('places', 'features');
            INSERT INTO gpkg_geometry_columns VALUES ('places', 'geom', 4326);
            INSERT INTO places VALUES ('sound', x'4750000100000000' || x'01010000000000000000003640' || x'0000000000004E40');
            INSERT INTO places VALUES ('cut', x'4750000100000000' || x'0101000000'), ('none', x'00'), ('empty', NULL);
            """, to: "make a file")
        let read = try await read(path)
        #expect(read.names == ["sound"] && read.status.faults.count == 2)
        #expect(read.status.faults.first.first?.description.hasPrefix("row 2 of places: ") == true)
    }

    @Test(arguments: [("places", "rows from 100001"), ("gpkg_contents", "interrupted")])
    func `a GeoPackage with endless tables is read up to a limit, which is reported`(
        endless: String, words: String
    ) async throws {
        let path = folder.path + "/endless.gpkg", connection = try Connection(path, .readWrite)
        let point = "x'4750000100000000' || x'01010000000000000000003640' || x'0000000000004E40'"
        let source = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
        let tables = [
            "places": ("i AS name, \(point) AS geom", "SELECT 'a' AS name, \(point) AS geom"),
            "gpkg_contents": (
                "'places' AS table_name, 'features' AS data_type",
                "SELECT 'places' AS table_name, 'features' AS data_type"
            ),
        ]
        try connection.execute(
            "CREATE TABLE gpkg_geometry_columns AS SELECT 'places' AS table_name, 'geom' AS column_name, 4326 AS srs_id;"
                + tables.map { "CREATE VIEW \($0) AS \($0 == endless ? "\(source) \($1.0) FROM n" : $1.1);" }
                .joined(), to: "make a file")
        let read = try await read(path)
        let limit = read.status.problem ?? read.status.faults.first.first?.reason ?? ""
        #expect(read.status.isWhole && read.names.count <= 100_000 && limit.contains(words), "\(limit)")
    }

    @Test func `features without further reports disappear`() async throws {
        let server = try LineServer(["60,22,a"])
        let feed = try feed("tcp:127.0.0.1:\(server.port)", timeToLive: 1), seen = SharedCount()
        feed.begin { [live = feed.live] _, _ in seen.add(live.index.features.count) }
        #expect(await eventually { seen.count > 0 })
        #expect(await eventually { feed.live.index.features.isEmpty })
        feed.stop()
    }
}

/// A count that any thread can increase.
final class SharedCount: Sendable {
    private let value = Mutex(0)

    func add(_ more: Int) { value.withLock { $0 += more } }

    var count: Int { value.withLock { $0 } }
}

/// A thread that ends with its work.
enum Thread {
    static func run(_ work: @escaping @Sendable () -> Void) {
        final class Box {
            let work: @Sendable () -> Void
            init(_ work: @escaping @Sendable () -> Void) { self.work = work }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { box in
                box.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().work() }
                return nil
            }, Unmanaged.passRetained(Box(work)).toOpaque())
        pthread_detach(thread)
    }
}
