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
        return (sources, try documents(of: sources))
    }

    /// The documents that maps are made of.
    /// - Throws: a sentence.
    func documents(of sources: [RegionSource]) throws -> [RegionDocument] {
        try opener.documents(of: sources, web.loader)
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

    /// The documents that the maps of sources are made of, a style that the person named included.
    /// - Throws: a sentence.
    func documents(of sources: [RegionSource], _ loader: DocumentLoader) throws(Notice.Problem) -> [RegionDocument] {
        let style = vectorMaps.document
        let loaded = wait(upTo: 60) { () -> Result<[RegionDocument], DocumentFailure> in
            do throws(DocumentFailure) {
                return .success(try await loader.documents(of: sources, and: [style].compactMap(\.self)))
            } catch {
                return .failure(error)
            }
        }
        do throws(DocumentFailure) {
            guard let documents = try loaded?.get() else {
                throw .unreadable(address: sources.first?.words ?? "", "not here within a minute")
            }
            return documents
        } catch {
            throw Notice.Problem("\(error)")
        }
    }
}
