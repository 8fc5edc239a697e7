import Rhumb
import RhumbTestSupport
import Testing

/// Tests that every kind of map opens with its words.
struct MapOpenerTests {
    private func session(
        catalog: SourceCatalog = SourceCatalog(), style: StyleChoice = .standard
    ) async throws -> MapSession {
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
        options.catalog = catalog
        options.style = style
        return await MapSession.open(options)
    }

    private func failure(_ opener: MapOpener, _ words: String) async -> MapOpenFailure? {
        do throws(MapOpenFailure) {
            _ = try await opener.open(words)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Files

    @Test func `an archive in a file opens with the size of its images`() async throws {
        let folder = TemporaryFolder(), session = try await session()
        defer { session.close() }
        let pmtiles = folder.write(MapServer.archive(MapServer.picture), to: "town.pmtiles")
        let mbtiles = try MBTilesFixture([(.world, MapServer.picture)]).write(in: folder)
        for path in [pmtiles, mbtiles] {
            let layer = try await session.opener.openLayer(path)
            #expect(layer.tileSize == .pixels512 && layer.specifier == path)
        }
    }

    @Test func `a folder of tiles opens, with rows counted from either end`() async throws {
        let folder = TemporaryFolder(), session = try await session()
        defer { session.close() }
        for row in 0...1 { _ = folder.write(MapServer.picture, to: "1/0/\(row).png") }
        var opener = session.opener
        opener.isTMS = true
        #expect(try await session.opener.openLayer(folder.path).tileSize == .pixels512)
        #expect(try await opener.openLayer(folder.path).info.zooms == 1...1)
    }

    @Test func `an archive of vector tiles is drawn by day and by night`() async throws {
        let folder = TemporaryFolder(), session = try await session()
        defer { session.close() }
        let path = folder.write(MapServer.archive(MapServer.vectorTile), to: "town.pmtiles")
        let night = try await session.opener.openLayer(path, theme: .night)
        #expect(night.role == .vectorBase && night.specifier == path)
        let day = try #require(session.opener.themed([night], .day)?[night.id])
        #expect(day.id != night.id && day.specifier == path)
        #expect(session.opener.themed([day], .day)?.isEmpty == true)
    }

    @Test func `a TileJSON and a style in a file open`() async throws {
        let folder = TemporaryFolder(), server = try MapServer.start(), session = try await session()
        defer { session.close() }
        let document = #"{"tilejson":"3.0.0","name":"Town","tiles":["\#(server.url("/{z}/{x}/{y}.png"))"]}"#
        let path = folder.write(Array(document.utf8), to: "town.json")
        #expect(try await session.opener.openLayer(path).info.name == "Town")
        let tiles = server.url("/p/{z}/{x}/{y}.png")
        let style =
            #"{"version":8,"sources":{"p":{"type":"raster","tiles":["\#(tiles)"]}},"layers":[{"id":"p","type":"raster","source":"p"}]}"#
        let styled = folder.write(Array(style.utf8), to: "style.json")
        let layers = try await session.opener.open(styled)
        #expect(layers.map(\.specifier) == [styled])
    }

    // MARK: The web

    @Test func `URLs open any kind of content`() async throws {
        let server = try MapServer.start(), session = try await session()
        defer { session.close() }
        let opener = session.opener
        let template = server.url("/{z}/{x}/{y}.png")
        #expect(try await opener.openLayer(template).specifier == template)
        #expect(server.requestCount == 0)
        #expect(try await opener.openLayer(server.url("/town.json")).info.name == "Town")
        #expect(try await opener.openLayer(server.url("/town.pmtiles")).tileSize == .pixels512)
        for words in ["/vectors.json", "/vectors.pmtiles", "/{z}/{x}/{y}.pbf"] {
            let layer = try await opener.openLayer(server.url(words))
            #expect(layer.drawing is VectorDrawing && layer.specifier == server.url(words), "\(words)")
        }
    }

    @Test func `a style at a URL makes a map of its sources`() async throws {
        let server = try MapServer.start(), session = try await session()
        defer { session.close() }
        let layers = try await session.opener.open(server.url("/style.json"))
        #expect(layers.count == 2 && layers[0].info.name == "Styled" && layers[1].drawing is VectorDrawing)
        await #expect(throws: MapOpenFailure.severalLayers(2)) {
            try await session.opener.openLayer(server.url("/style.json"))
        }
    }

    @Test func `a source opens by its name, even one defined by the user`() async throws {
        let own: JSON = ["sources": [["id": "town", "url": "https://town.example/{z}/{x}/{y}.png"]]]
        let session = try await session(catalog: SourceCatalog(own: own))
        defer { session.close() }
        #expect(try await session.opener.openLayer("osm").info.name == "OpenStreetMap")
        #expect(try await session.opener.openLayer("town").specifier == "town")
    }

    @Test func `a map provided by the program opens by its name and follows the theme`() async throws {
        let folder = TemporaryFolder(), session = try await session()
        defer { session.close() }
        var opener = session.opener
        let archive = try Archive.open(
            folder.write(MapServer.archive(MapServer.picture), to: "chart.pmtiles"))
        opener.ownMaps = [
            EmbeddedMap("chart") { _, _ in TileLayer(id: "", source: archive, info: archive.info) }
        ]
        let day = try await opener.open("chart", theme: .day)
        #expect(
            day.map(\.id) == ["chart.day"] && opener.themed(day, .night)?["chart.day"]?.id == "chart.night")
    }

    @Test func `a key in a URL is removed from it and stays in memory`() async throws {
        let session = try await session()
        defer { session.close() }
        let layer = try await session.opener.openLayer("https://town.example/{z}/{x}/{y}.png?key=MARKER")
        #expect(!layer.id.contains("MARKER") && !layer.specifier.contains("MARKER"))
        #expect(session.opener.catalog.typedKeys.all.values.contains("MARKER"))
    }

    // MARK: Waiting

    @Test func `fetching a map is announced before the server responds, and opening a local one is not`()
        async throws
    {
        let gate = LoopbackGate(), folder = TemporaryFolder(), session = try await session()
        defer { session.close() }
        let server = try LoopbackServer { _ in
            LoopbackReply(200, Array(#"{"tilejson":"3.0.0","name":"Town","tiles":["{z}/{x}/{y}.png"]}"#.utf8))
                .with { $0.gate = gate }
        }
        let path = folder.write(MapServer.archive(MapServer.picture), to: "town.pmtiles")
        _ = try await session.opener.open(path) { Issue.record("\($0) is fetched") }
        let layer = try await session.opener.open(server.url("/town.json")) { _ in gate.open() }
        #expect(layer.map(\.info.name) == ["Town"])
    }

    // MARK: Failures

    @Test func `opening a map that can't be opened fails with a typed reason`() async throws {
        let folder = TemporaryFolder(), server = try MapServer.start(), session = try await session()
        defer { session.close() }
        let opener = session.opener
        guard case .unknown("osmm", let names)? = await failure(opener, "osmm") else {
            Issue.record("osmm opened")
            return
        }
        #expect(names.contains("osm"))
        #expect(
            await failure(opener, folder.path + "/none.json") == .unreadable(file: folder.path + "/none.json")
        )
        guard case .archive(let archive)? = await failure(opener, folder.write([1, 2, 3], to: "a.pmtiles"))
        else {
            Issue.record("no archive opened")
            return
        }
        #expect(archive.reason == .notRecognised)
        guard case .web(.document)? = await failure(opener, server.url("/none.json")) else {
            Issue.record("a document that is not there opened")
            return
        }
        guard case .document? = await failure(opener, folder.write(Array("{".utf8), to: "broken.json")) else {
            Issue.record("a broken document opened")
            return
        }
    }

    @Test func `a style that draws no vector tiles is named`() async throws {
        let folder = TemporaryFolder()
        let style = folder.write(Array(#"{"version":8,"sources":{},"layers":[]}"#.utf8), to: "empty.json")
        let session = try await session(style: StyleChoice(style))
        defer { session.close() }
        let path = folder.write(MapServer.archive(MapServer.vectorTile), to: "town.pmtiles")
        #expect(await failure(session.opener, path) == .drawsNothing(style: style))
    }
}
