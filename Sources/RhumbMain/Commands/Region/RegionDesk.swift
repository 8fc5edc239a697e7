internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The region store and all that work on regions needs, made from the command line.
struct RegionDesk: Sendable {
    let regions: Regions
    let web: Web
    let opener: SourceOpener

    var store: RegionStore { regions.store }

    /// - Throws: a sentence, when there is no store or it can't be used.
    init(_ invocation: Invocation, _ environment: [String: String], _ web: Web) throws {
        guard let regions = web.regions else { throw web.regionFailure ?? .switchedOff }
        self.regions = regions
        self.web = web
        web.sayTroubles()
        opener = try MapOptions(invocation, environment, web).opener
    }

    /// The sources of those words, opened.
    /// - Parameter scale: pixels of their tiles for each of the map's.
    /// - Throws: a sentence.
    func sources(_ words: [String], scale: Int = 1) throws -> [RegionSource] {
        let opener = opener.scaled(scale)
        return try words.flatMap { words in
            if TrafficSources.names.contains(words) { throw Notice.Problem("\(RegionSourceFailure.traffic(words))") }
            let layers = try opener.open(words, .day).settled()
            do throws(RegionSourceFailure) {
                return try RegionSource.all(words, layers, client: web.client)
            } catch {
                throw Notice.Problem("\(error)")
            }
        }
    }

    /// The sources of a stored region.
    /// - Throws: a sentence, when one can be had neither by its name nor as it was kept.
    func sources(of record: RegionRecord) throws -> [RegionSource] {
        try opener.sources(of: record, client: web.client)
    }

    /// The sources of a stored region as they are by now, and the documents of its map: servers are
    /// asked about them.
    /// - Throws: a sentence.
    func renewed(_ record: RegionRecord) throws -> (sources: [RegionSource], documents: [RegionDocument]) {
        var opener = opener
        opener.web?.reloadsDocuments = true
        let sources = try opener.sources(of: record, client: web.client)
        return (sources, try documents(of: sources, style: record.definition?.style, reloads: true))
    }

    /// The documents that maps are made of.
    /// - Parameter style: the style that the person named.
    /// - Throws: a sentence.
    func documents(
        of sources: [RegionSource], style: String? = nil, reloads: Bool = false
    ) throws -> [RegionDocument] {
        try opener.documents(of: sources, style: style, web.loader, reloads: reloads)
    }
}

extension SourceOpener {
    func scaled(_ scale: Int) -> SourceOpener {
        var scaled = self
        scaled.isDoubled = scale == 2
        return scaled
    }

    /// The sources of a stored region: as they are called now, else as they were kept with it.
    /// - Parameter open: layers that are open already.
    /// - Throws: a sentence, when one can be had neither way.
    func sources(
        of record: RegionRecord, client: HTTPClient, open layers: [TileLayer] = []
    ) throws -> [RegionSource] {
        let definition = try record.readDefinition(), opener = scaled(definition.scale)
        return try definition.sources.flatMap { words in
            let here = layers.filter { $0.words == words }
            let named = here.isEmpty ? try? opener.open(words, .day).settled() : here
            if let named, let live = try? RegionSource.all(words, named, client: client).contained(in: definition.features),
                live.allSatisfy({ source in record.active.contains { $0.origin.isSameSource(as: source.origin) } })
            { return live }
            return try record.active.map { part in
                guard let definition = part.definition else {
                    throw Notice.Problem("the source \(words) of region \(record.id) is gone, and was not kept with it")
                }
                return try RegionSource(words, try opener.open(definition: definition), client: client)
            }
        }
    }

    /// The documents that the maps of sources are made of, on the web and in files.
    /// - Parameters:
    ///   - style: the file or address of a style that the person named.
    ///   - reloads: whether the server is asked about that style whatever is kept of it.
    /// - Throws: a sentence.
    func documents(
        of sources: [RegionSource], style: String?, _ loader: DocumentLoader, reloads: Bool = false
    ) throws -> [RegionDocument] {
        let named = style.flatMap { SourceDefinition.isAddress($0) ? $0 : nil }
        let resource = try named.flatMap { try web?.resource(document: $0) }
        let loaded = wait(upTo: 60) { () -> Result<[RegionDocument], DocumentFailure> in
            do throws(DocumentFailure) {
                if reloads, let resource { _ = try await loader.load(resource, isReload: true) }
                return .success(try await loader.documents(of: sources, and: [resource].compactMap(\.self)))
            } catch {
                return .failure(error)
            }
        }
        guard let documents = try loaded?.get() else {
            throw Notice.Problem("the documents of \(sources.first?.words ?? "the map") did not come within a minute")
        }
        let files = (sources.map(\.words) + [style].compactMap(\.self)).filter { $0.hasSuffix(".json") && !SourceDefinition.isAddress($0) }
        return documents + Set(files).sorted().compactMap(KeptFile.document)
    }
}

/// Styles and TileJSON in files, which regions carry as they do documents of the web.
enum KeptFile {
    private static let limit = 8 << 20

    private static func address(_ path: String) -> String { "file:" + Files.named(path) }

    /// The file as a region carries it; nil if it can't be read.
    static func document(_ path: String) -> RegionDocument? {
        guard let bytes = Files.read(path, limit: limit) else { return nil }
        let freshness = Freshness(receivedAt: .now, initialAge: 0, lifetime: 0)
        return RegionDocument(address: address(path), StoredResponse(body: bytes, freshness: freshness))
    }

    /// The file, or what a region carries of it where it is gone.
    static func read(_ path: String, _ store: (any ResponseStore)?) -> [UInt8]? {
        Files.read(path, limit: limit) ?? store?.response(for: .document(address(path)))?.body
    }
}
