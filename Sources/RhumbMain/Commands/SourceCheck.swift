internal import Rhumb
internal import RhumbBrowser

/// Requests one tile, document or archive header from a source according to its rules, bypassing the cache,
/// and prints the response and how it would be handled.
struct SourceCheck: Sendable {
    struct Result: Sendable {
        var sheet = FactSheet()
        /// The reason why no usable response was received; nil if one was.
        var problem: String?
    }

    let source: SourceDefinition
    let catalog: SourceCatalog
    let client: HTTPClient

    func run() async -> Result {
        var result = Result()
        result.sheet.add("source", "source", source.id)
        do {
            try await fill(&result)
        } catch {
            result.problem = FailureText.sentence(error)
        }
        result.sheet.add("ok", nil, "", .bool(result.problem == nil))
        result.sheet.add("problem", nil, "", .text(result.problem))
        return result
    }

    private func fill(_ result: inout Result) async throws {
        switch source.kind {
        case .tiles: try await askForTile(of: source, &result)
        case .archive:
            let response = try await ask(
                "beginning", HTTPRequest(try opener.resource(source)), .documents, &result)
            guard !response.isAbsent else { throw absent }
            let layer = try await opener.layer(of: source, id: "check")
            result.sheet.add("archive", "archive", summary(layer.info))
        case .tilejson:
            let request = HTTPRequest(try opener.resource(source))
            let response = try await ask("document", request, .documents, &result)
            guard !response.isAbsent else { throw absent }
            let document = try JSON.parse(response.body)
            let found = try opener.described(source, by: document)
            result.sheet.add("describes", "describes", summary(found.info))
            try await askForTile(of: found, &result)
        case .osrm, .valhalla, .tomtomRouting, .hereRouting:
            throw Notice.Problem("it is a routing engine; use it with rhumb route --engine \(source.id)")
        case .nominatim, .photon:
            throw Notice.Problem("it is a search service; use it with rhumb search --engine \(source.id)")
        }
    }

    private var absent: Notice.Problem { Notice.Problem("the server has no such document; check the URL") }

    private var opener: WebSourceOpener {
        MapOpener(DocumentLoader(client), catalog).web
    }

    private func summary(_ info: TileSourceInfo) -> String {
        "\(info.name), zooms \(info.zooms.lowerBound) to \(info.zooms.upperBound), \(info.tileSize.rawValue) px, "
            + (info.attribution.isEmpty ? "no attribution" : info.attribution)
    }

    // MARK: Tiles

    private func askForTile(of source: SourceDefinition, _ result: inout Result) async throws {
        let tiles = try WebTileSource(
            catalog.providers.governed(source), environment: catalog.variable, configuration: catalog.key)
        let tile = SourceCheck.tile(of: source)
        result.sheet.add("tile", "tile", "\(tile)")
        let response = try await ask("answer", tiles.request(for: tile), tiles.storagePolicy, &result)
        if response.isAbsent {
            result.problem = "the server has no tile \(tile); check the template and the zooms"
        } else if source.holdsVectorTiles {
            result.sheet.add("picture", "image", "a vector tile")
        } else {
            check(response.body, source, &result)
        }
    }

    /// Returns the tile at the centre of the source's area at its lowest zoom.
    private static func tile(of source: SourceDefinition) -> TileID {
        let middle =
            source.center
            ?? source.bounds.map {
                Coordinate(latitude: ($0.south + $0.north) / 2, longitude: ($0.west + $0.east) / 2)
            }
        guard let middle else { return TileID(zoom: source.zooms.lowerBound, x: 0, y: 0) ?? .world }
        return TileID(zoom: source.zooms.lowerBound, containing: Mercator.world(middle))
    }

    private func check(_ body: [UInt8], _ source: SourceDefinition, _ result: inout Result) {
        guard let picture = TileProbes.header(body) else {
            result.problem = "the response is not a PNG, JPEG or WebP image"
            return
        }
        result.sheet.add("picture", "image", "\(picture.kind), \(picture.width)×\(picture.height) pixels")
    }

    // MARK: Responses

    private func ask(
        _ part: String, _ request: HTTPRequest, _ policy: StoragePolicy, _ result: inout Result
    ) async throws -> HTTPResponse {
        var sheet = FactSheet()
        sheet.add("url", "address", request.address.description)
        defer { result.sheet.add(part, sheet) }
        let response = try await client.load(request)
        sheet.add("status", "status", "\(response.status)", .integer(response.status))
        sheet.add("contentType", "content type", response.headers["Content-Type"] ?? "")
        sheet.add(
            "bytes", "bytes", "\(response.body.count) (\(response.wireBytes) transferred)",
            .integer(response.body.count))
        let headers = [
            ("cacheControl", "Cache-Control"), ("expires", "Expires"), ("age", "Age"), ("etag", "ETag"),
            ("lastModified", "Last-Modified"), ("vary", "Vary"),
        ]
        for (key, name) in headers {
            if let value = response.headers[name] { sheet.add(key, name.lowercased(), value) }
        }
        sheet.add("caching", "cached", fate(response, request, policy))
        return response
    }

    /// Returns how the response would be cached.
    private func fate(_ response: HTTPResponse, _ request: HTTPRequest, _ policy: StoragePolicy) -> String {
        if response.forbidsStoring { return "no (no-store)" }
        let life = response.freshness(policy)
        let question = response.validators.isEmpty ? "fetched again" : "revalidated"
        if life.alwaysRevalidate { return "yes, and \(question) on each use" }
        let rest = max(life.lifetime - life.initialAge, 0)
        return "fresh for \(AmountText.age(rest)), then \(question)"
            + (life.revalidateWhenStale ? " before use" : " in the background")
    }
}
