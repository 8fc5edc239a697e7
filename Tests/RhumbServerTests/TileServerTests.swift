import Glibc
import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

@testable import RhumbServer

/// Tests a server with two archives over real connections.
struct TileServerTests {
    private static let body = Array("\u{1A}\u{05}vector tile".utf8)
    private let folder = TemporaryFolder()
    private let server: HTTPServer
    private let port: UInt16
    private let archiveSize: Int

    init() throws {
        try self.init(limits: HTTPServer.Limits())
    }

    private init(limits: HTTPServer.Limits) throws {
        var fixture = PMTilesFixture(zooms: 0...2)
        fixture.metadata = Array(#"{"name":"Test","format":"png"}"#.utf8)
        archiveSize = fixture.bytes.count
        let path = folder.write(fixture.bytes, to: "a.pmtiles")
        var pictures = ServedTileset(id: "a", try PMTilesArchive(path), path: path)
        pictures.draw = { tile in
            tile.zoom == 0 ? Raster(width: 2, height: 2, filledWith: RGB(0x336699)) : nil
        }
        let info = TileSourceInfo(
            name: "Vector", attribution: "© me", zooms: 0...1, bounds: nil, center: nil, centerZoom: nil,
            tileSize: .pixels512, isOverlay: false)
        var vector = ServedTileset(id: "v", info: info, isVector: true) { tile in
            tile == .world ? ServedTileset.Tile(body: Gzip.packed(Self.body), modified: UnixSeconds(0)) : nil
        }
        vector.names = { tile in
            let river = VectorLabel.Anchor.line([SIMD2(0.75, 0.25), SIMD2(0.25, 0.25)])
            return (
                .world,
                [
                    VectorLabel(
                        text: "Town", anchor: .point(SIMD2(0.75, 0.75)), rank: .init(layer: 0), layer: "a"),
                    VectorLabel(text: "River", anchor: river, rank: .init(layer: 1), layer: "a"),
                    VectorLabel(
                        text: "", anchor: .point(.zero), rank: .init(layer: 2), layer: "a", icon: "star"),
                ]
            )
        }
        let tiles = TileServer([pictures, vector])
        let server = try HTTPServer(port: 0, limits: limits) { tiles.answer($0) }
        self.server = server
        port = try #require(server.address.split(separator: ":").last.flatMap { UInt16($0) })
    }

    private func get(_ path: String, _ fields: String = "", method: String = "GET") throws -> String {
        try RawConnection.response(
            port, "\(method) \(path) HTTP/1.1\r\nHost: maps.example\r\nConnection: close\r\n\(fields)\r\n")
    }

    private func field(_ name: String, of response: String) -> String? {
        response.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    // MARK: Tiles

    @Test func `a tile has validators, and is not sent again to a client that has it`() throws {
        let first = try get("/a/1/0/1.png")
        #expect(first.hasPrefix("HTTP/1.1 200") && field("Access-Control-Allow-Origin", of: first) == nil)
        #expect(field("Cross-Origin-Resource-Policy", of: first) == "same-origin")
        let etag = try #require(field("ETag", of: first)),
            date = try #require(field("Last-Modified", of: first))
        for condition in [
            "If-None-Match: \(etag)", "If-None-Match: \"x\", W/\(etag)", "If-Modified-Since: \(date)",
            "If-None-Match: \"x\"\r\nIf-None-Match: \(etag)",
            "If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT",
        ] {
            let again = try get("/a/1/0/1.png", condition + "\r\n")
            #expect(again.hasPrefix("HTTP/1.1 304") && field("ETag", of: again) == etag, "\(condition)")
        }
        #expect(try get("/a/1/0/1.png", "If-None-Match: \"x\"\r\n").hasPrefix("HTTP/1.1 200"))
        #expect(try get("/a/1/0/1.png", "If-Match: \"x\"\r\n").hasPrefix("HTTP/1.1 412"))
    }

    @Test func `a response that a tile is unchanged has the fields on which it depends`() throws {
        let packed = try get("/v/0/0/0.pbf", "Accept-Encoding: gzip\r\n")
        let etag = try #require(field("ETag", of: packed))
        let again = try get("/v/0/0/0.pbf", "Accept-Encoding: gzip\r\nIf-None-Match: \(etag)\r\n")
        #expect(again.hasPrefix("HTTP/1.1 304"))
        for name in ["ETag", "Vary", "Cache-Control", "Last-Modified"] {
            #expect(field(name, of: again) == field(name, of: packed), "\(name)")
        }
    }

    @Test(arguments: [
        "/%61/1/0/1.png", "/a/%31/0/1%2Epng", "http://maps.example/a/1/0/1.png", "HTTP://x/a/1/0/1.png?v=2",
    ])
    func `an equivalent form of a path leads to the same tile`(target: String) throws {
        let tile = try get("/a/1/0/1.png"), other = try get(target)
        #expect(other.hasPrefix("HTTP/1.1 200") && field("ETag", of: other) == field("ETag", of: tile))
    }

    @Test func `a target in absolute form precedes the field Host`() throws {
        #expect(try get("http://other.example/v.json").contains("http://other.example/v/{z}/{x}/{y}.pbf"))
        #expect(try get("/%zz").hasPrefix("HTTP/1.1 400"))
        #expect(try get("/", "Host: second.example\r\n").hasPrefix("HTTP/1.1 400"))
    }

    @Test func `a tile that can't be read is an error of the server, and not cached`() throws {
        var info = TileSourceInfo(name: "Damaged", zooms: 0...0)
        info.tileSize = .pixels512
        let thrown = ServedTileset(id: "thrown", info: info, isVector: true) { _ in
            throw TileFailure(.badContent, "damaged")
        }
        let cut = ServedTileset(id: "cut", info: info, isVector: true) { _ in
            ServedTileset.Tile(body: Array(Gzip.packed(Self.body).dropLast(9)), modified: nil)
        }
        var drawn = ServedTileset(id: "drawn", info: info, isVector: true) { _ in nil }
        drawn.draw = { _ in throw TileFailure(.badContent, "damaged") }
        let tiles = TileServer([thrown, cut, drawn])
        for path in ["/thrown/0/0/0.pbf", "/cut/0/0/0.pbf"] {
            for codings in ["gzip", "identity"] {
                let response = tiles.answer(ServedRequest(path, fields: ["accept-encoding": codings]))
                #expect(response.status == 500, "\(path) \(codings)")
            }
        }
        let server = try HTTPServer(port: 0) { tiles.answer($0) }
        let port = try #require(server.address.split(separator: ":").last.flatMap { UInt16($0) })
        let response = try RawConnection.response(
            port, "GET /drawn/render/0/0/0.png HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(response.hasPrefix("HTTP/1.1 500") && field("Cache-Control", of: response) == "no-store")
    }

    @Test(arguments: [
        "Content-Length: 0\r\nContent-Length: 58\r\n", "Transfer-Encoding: mystery\r\n",
        "Content-Length: 58\r\nContent-Length: 0\r\n",
    ])
    func `what follows a request with a doubtful length is not taken for another request`(
        fields: String
    ) throws {
        let hidden = "GET /catalog.json HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
        let response = try RawConnection.response(
            port, "GET /a/1/0/1.png HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\(hidden)")
        #expect(response.split(separator: "HTTP/1.1 ").count == 1, "\(response)")
    }

    @Test func `an archive named like the catalogue does not hide it`() throws {
        let info = TileSourceInfo(name: "Other", zooms: 0...0)
        let tiles = TileServer([ServedTileset(id: "catalog", info: info, isVector: false) { _ in nil }])
        let server = try HTTPServer(port: 0) { tiles.answer($0) }
        let port = try #require(server.address.split(separator: ":").last.flatMap { UInt16($0) })
        let response = try RawConnection.response(
            port, "GET /catalog.json HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(response.contains("\"tilesets\""))
    }

    @Test func `tiles and the file are those of one archive, before and after it is replaced`() async throws {
        func archive(_ colour: UInt8) -> [UInt8] {
            PMTilesFixture([(.world, blankPicture(RGB(red: colour, green: colour, blue: colour), side: 256))])
                .bytes
        }
        let path = folder.write(archive(1), to: "r.pmtiles")
        @Sendable func opened() throws -> ServedTileset {
            ServedTileset(id: "r", try PMTilesArchive(path), path: path)
        }
        var set = try opened()
        set.reopen = { try opened() }
        let tiles = TileServer([set]), server = try HTTPServer(port: 0) { tiles.answer($0) }
        let port = try #require(server.address.split(separator: ":").last.flatMap { UInt16($0) })
        func etags() throws -> [String?] {
            try ["/r/0/0/0.png", "/r.pmtiles"].map { path in
                field(
                    "ETag",
                    of: try RawConnection.response(
                        port, "GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
            }
        }
        let before = try etags()
        let next = folder.write(archive(200), to: "next.pmtiles")
        #expect(rename(next, path) == 0)
        var after = try etags()
        for _ in 0..<100 where zip(after, before).contains(where: ==) {
            try await Task.sleep(for: .milliseconds(20))
            after = try etags()
        }
        #expect(after[0] != before[0] && after[1] != before[1])
        #expect(unlink(path) == 0)
        #expect(try etags() == after)
    }

    @Test func `a compressed tile is decompressed for clients that don't accept gzip`() throws {
        let plain = try get("/v/0/0/0.pbf"),
            refused = try get("/v/0/0/0.pbf", "Accept-Encoding: gzip;q=0, br\r\n")
        for response in [plain, refused] {
            #expect(response.hasSuffix(String(decoding: Self.body, as: UTF8.self)))
            #expect(field("Content-Encoding", of: response) == nil)
            #expect(field("Vary", of: response) == "Accept-Encoding")
        }
        let packed = try get("/v/0/0/0.mvt", "Accept-Encoding: br, gzip\r\n")
        #expect(field("Content-Encoding", of: packed) == "gzip")
        #expect(field("ETag", of: packed) != field("ETag", of: plain))
    }

    @Test func `MapLibre Tiles are announced as such, compressed or not`() throws {
        let tile = MapLibreTileFixture.everything
        let path = try MBTilesFixture(
            [(.world, Gzip.packed(tile))], metadata: [("name", "m"), ("format", "pbf")]
        ).write(in: folder, name: "m.mbtiles")
        let tiles = TileServer([ServedTileset(id: "m", try Archive.open(path), path: path)])
        let server = try HTTPServer(port: 0) { tiles.answer($0) }
        let port = try #require(server.address.split(separator: ":").last.flatMap { UInt16($0) })
        for (fields, encoding) in [("Accept-Encoding: gzip\r\n", "gzip"), ("", nil)] {
            let response = try RawConnection.response(
                port, "GET /m/0/0/0.mlt HTTP/1.1\r\nHost: maps.example\r\nConnection: close\r\n\(fields)\r\n")
            #expect(field("Content-Type", of: response) == "application/vnd.maplibre-tile")
            #expect(field("Content-Encoding", of: response) == encoding)
        }
    }

    @Test func `HEAD returns the fields without the body`() throws {
        let response = try get("/v/0/0/0.pbf", method: "HEAD")
        #expect(response.hasPrefix("HTTP/1.1 200") && response.hasSuffix("\r\n\r\n"))
        #expect(field("Content-Length", of: response) == "\(Self.body.count)")
    }

    @Test(
        arguments: [
            "/a/3/0/0.png", "/a/0/0/0.pbf", "/a/0/0/0", "/a/0/0", "/a/-1/0/0.png", "/a/0/0/1.png",
            "/a/99999999999999999999/0/0.png", "/../../etc/passwd", "/a/../../etc/passwd", "/%2e%2e/%2e%2e/x",
            "/..%2fa.pmtiles", "/a/0/0/0.png%00", "/b.json", "/a.json/", "//", "/v.pmtiles",
            "/v/render/0/0/0.png",
        ])
    func `other paths are not found, and have no body`(path: String) throws {
        let response = try get(path)
        #expect(response.hasPrefix("HTTP/1.1 404") && response.hasSuffix("\r\n\r\n"))
    }

    // MARK: Documents

    @Test func `documents have the address by which the client reached the server`() throws {
        #expect(try get("/v.json").contains(#""tiles":["http://maps.example/v/{z}/{x}/{y}.pbf"]"#))
        let catalog = try get("/catalog.json")
        #expect(
            catalog.contains("http://maps.example/a.json")
                && catalog.contains("http://maps.example/a.pmtiles"))
        let etag = try #require(field("ETag", of: catalog))
        #expect(try get("/catalog.json", "If-None-Match: \(etag)\r\n").hasPrefix("HTTP/1.1 304"))
    }

    @Test func `a host that is not one is not repeated`() throws {
        let response = try RawConnection.response(
            port, "GET /v.json HTTP/1.1\r\nHost: a\"<script>\r\nConnection: close\r\n\r\n")
        #expect(!response.contains("script"))
    }

    @Test func `the page needs no other server`() throws {
        let page = try get("/")
        #expect(page.contains("catalog.json") && !page.contains("https://") && !page.contains("http://"))
    }

    @Test func `a picture is drawn while its connection waits`() throws {
        let response = try get("/a/render/0/0/0.png")
        #expect(response.hasPrefix("HTTP/1.1 200") && field("Content-Type", of: response) == "image/png")
        #expect(try get("/a/render/1/0/0.png").hasPrefix("HTTP/1.1 404"))
    }

    @Test func `the names on a part of a tile have positions on that part`() throws {
        func names(_ tile: String) throws -> JSON {
            let response = try get("/v/names/\(tile).json")
            return try JSON.parse(Array(response.split(separator: "\r\n\r\n")[1].utf8))
        }
        let world = try names("0/0/0").array ?? [], part = try names("1/1/1").array ?? []
        #expect(
            world.map { $0["text"]?.string } == ["Town", "River"]
                && part.map { $0["text"]?.string } == ["Town"])
        #expect(part[0]["x"]?.double == 0.5 && part[0]["y"]?.double == 0.5 && part[0]["angle"] == nil)
        #expect(
            world[1]["x"]?.double == 0.5 && world[1]["angle"]?.double == 0
                && world[1]["length"]?.double == 0.5)
        #expect(try names("1/1/0").array?.first?["length"]?.double == 1)
        #expect(try get("/a/names/0/0/0.json").hasPrefix("HTTP/1.1 404"))
    }

    // MARK: Archives

    @Test func `parts of an archive are sent`() throws {
        let part = try get("/a.pmtiles", "Range: bytes=0-6\r\n")
        #expect(part.hasPrefix("HTTP/1.1 206") && part.hasSuffix("\r\n\r\nPMTiles"))
        #expect(field("Content-Range", of: part) == "bytes 0-6/\(archiveSize)")
        #expect(try get("/a.pmtiles", "Range: bytes=\(archiveSize)-\r\n").hasPrefix("HTTP/1.1 416"))
        let whole = try get("/a.pmtiles")
        #expect(field("Content-Length", of: whole) == "\(archiveSize)")
        let etag = try #require(field("ETag", of: whole)),
            date = try #require(field("Last-Modified", of: whole))
        #expect(try get("/a.pmtiles", "Range: BYTES=-3\r\nIf-Range: \(date)\r\n").hasPrefix("HTTP/1.1 206"))
        #expect(
            try get("/a.pmtiles", "Range: bytes=0-6\r\nIf-Range: W/\(etag)\r\n").hasPrefix("HTTP/1.1 200"))
        let head = try get("/a.pmtiles", "Range: bytes=0-6\r\n", method: "HEAD")
        #expect(head.hasPrefix("HTTP/1.1 200") && field("Content-Length", of: head) == "\(archiveSize)")
        let same = try get("/a.pmtiles", "Range: bytes=0-6\r\nIf-Range: \(etag)\r\n")
        #expect(same.hasPrefix("HTTP/1.1 206"))
        #expect(try get("/a.pmtiles", "Range: bytes=0-6\r\nIf-Range: \"old\"\r\n").hasPrefix("HTTP/1.1 200"))
    }

    // MARK: Hostile clients

    @Test(arguments: ["POST", "PUT", "DELETE", "TRACE", "FOO"])
    func `nothing can be changed`(method: String) throws {
        let status = method == "FOO" ? "HTTP/1.1 501" : "HTTP/1.1 405"
        #expect(try get("/a/0/0/0.png", method: method).hasPrefix(status))
        #expect(
            try get("/a/0/0/0.png", "Content-Length: 5\r\n\r\nhello", method: method).hasPrefix(status))
    }

    @Test func `a huge head is rejected`() throws {
        let field = "X: " + String(repeating: "a", count: 100_000) + "\r\n"
        #expect(["HTTP/1.1 431", "HTTP/1.1 413", ""].contains(String(try get("/", field).prefix(12))))
        #expect(try get("/").hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: [
        "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n",
        "GET /a\0b HTTP/1.1\r\n\r\n",
    ])
    func `a malformed request ends its connection only`(text: String) throws {
        let connection = try RawConnection(port: port)
        connection.send(text + "GET /none HTTP/1.0\r\n\r\n")
        _ = connection.receiveAll()
        #expect(try get("/").hasPrefix("HTTP/1.1 200"))
    }

    @Test func `a client that sends its request too slowly is disconnected`() throws {
        var limits = HTTPServer.Limits()
        limits.requestSeconds = 1
        let server = try TileServerTests(limits: limits), slow = try RawConnection(port: server.port)
        // One line after the other keeps the connection from being idle.
        slow.send("GET / HTTP/1.1\r\n")
        #expect(slow.receiveAll() == [])
        #expect(try server.get("/").hasPrefix("HTTP/1.1 200"))
    }

    @Test func `a thousand connections don't keep others from being answered`() throws {
        var limits = HTTPServer.Limits()
        limits.connections = 100
        limits.requestSeconds = 2
        let server = try TileServerTests(limits: limits)
        let idle = (0..<900).compactMap { _ in try? RawConnection(port: server.port) }
        #expect(idle.count == 900)
        #expect(try server.get("/").hasPrefix("HTTP/1.1 200"))
    }

    @Test func `a client with many idle connections leaves room for others, and for its own requests`() throws
    {
        var limits = HTTPServer.Limits()
        limits.connections = 40
        limits.connectionsPerAddress = 10
        let server = try TileServerTests(limits: limits)
        let idle = (0..<60).compactMap { _ in try? RawConnection(port: server.port) }
        #expect(idle.count == 60)
        #expect(try server.get("/").hasPrefix("HTTP/1.1 200"))
    }

    @Test func `a port that is in use is reported`() {
        #expect(throws: ServerFailure.self) { try HTTPServer(port: port) { _ in .empty(404) } }
        #expect(throws: ServerFailure.address("localhost")) {
            try HTTPServer(host: "localhost", port: 0) { _ in .empty(404) }
        }
    }
}
