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
        opener = try MapOptions(invocation, environment, web).opener
    }

    /// The sources of those words, opened.
    /// - Throws: a sentence.
    func sources(_ words: [String]) throws -> [RegionSource] {
        try words.map { words in
            if TrafficSources.names.contains(words) { throw Notice.Problem("\(RegionSourceFailure.traffic(words))") }
            let layer = try opener.open(words, .day).settledLayer()
            do throws(RegionSourceFailure) {
                return try RegionSource(words, layer, client: web.client)
            } catch {
                throw Notice.Problem("\(error)")
            }
        }
    }

    /// The sources of a stored region: as they are called now, else as they were kept with it.
    /// - Throws: a sentence, when one can be had neither way.
    func sources(of record: RegionRecord) throws -> [RegionSource] {
        let definition = try RegionDefinition(json: record.definition)
        return try definition.sources.enumerated().map { at, words in
            if let live = try? sources([words]).first, record.parts.contains(where: { $0.origin == live.origin }) {
                return live
            }
            let kept = (try? SourceList.read(["sources": record.sources])) ?? []
            guard kept.indices.contains(at) else {
                throw Notice.Problem("the source \(words) of region \(record.id) is gone, and was not kept with it")
            }
            let layer = try opener.open(definition: kept[at])
            return try RegionSource(words, layer, client: web.client)
        }
    }
}
