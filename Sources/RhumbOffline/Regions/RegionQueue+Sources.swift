public import RhumbCore
public import RhumbEngine
internal import RhumbOpening
public import RhumbStore

extension RegionQueue {
    /// The sources of a region, whatever their features; those of several scales, at each of them.
    /// - Parameters:
    ///   - kept: The stored region, whose sources replace unknown names.
    ///   - layers: Open layers.
    ///   - reloads: True to revalidate the documents of the sources.
    /// - Throws: `RegionFailure`
    public func sources(
        of definition: RegionDefinition, kept: RegionRecord? = nil, open layers: [TileLayer] = [],
        reloads: Bool = false
    ) async throws(RegionFailure) -> [RegionSource] {
        guard !definition.tilesets.isEmpty else {
            return try await sources(
                definition.sources, scale: definition.scale, kept: kept, open: layers, reloads: reloads)
        }
        return try await scaledSources(of: definition, kept: kept, reloads: reloads).unique
    }

    /// The sources of a region's tilesets at their scales. A source of vector tiles is the same at every
    /// scale.
    func scaledSources(
        of definition: RegionDefinition, kept: RegionRecord?, reloads: Bool = false
    ) async throws(RegionFailure) -> [RegionSource] {
        var found: [RegionSource] = []
        for scale in Set(definition.tilesets.map(\.scale)).sorted() {
            let words = Set(definition.tilesets.filter { $0.scale == scale }.map(\.source)).sorted()
            for var source in try await sources(words, scale: scale, kept: kept, reloads: reloads) {
                source.scale = scale
                found.append(source)
            }
        }
        return found
    }

    /// The sources that names or addresses stand for, whatever their features.
    /// - Parameters:
    ///   - scale: pixels of their tiles for each of the map's.
    ///   - kept: the region they are of: where a name means something else by now, or nothing, its
    ///     sources are taken as they were kept with it.
    ///   - layers: those that are open already.
    ///   - reloads: whether servers are asked about their documents whatever is kept of them.
    /// - Throws: `RegionFailure`
    public func sources(
        _ words: [String], scale: Int, kept: RegionRecord? = nil, open layers: [TileLayer] = [],
        reloads: Bool = false
    ) async throws(RegionFailure) -> [RegionSource] {
        var opener = opener
        opener.isDoubled = scale == 2
        opener.web.reloadsDocuments = reloads
        do {
            var sources: [RegionSource] = [], lost: String?
            for words in words {
                do {
                    let found = try await all(words, layers.filter { $0.words == words }, opener)
                    guard kept?.mayHave(found) ?? true else { throw RegionSourceFailure.here(words) }
                    sources += found
                } catch  where kept != nil {
                    lost = lost ?? words
                }
            }
            guard let kept, let lost else { return sources }
            return try await sources + keptSources(of: kept, besides: sources, called: lost, opener)
        } catch {
            throw RegionFailure(error)
        }
    }

    private func all(_ words: String, _ open: [TileLayer], _ opener: MapOpener) async throws -> [RegionSource]
    {
        if TrafficSources.names.contains(words) { throw RegionSourceFailure.traffic(words) }
        let layers = open.isEmpty ? try await opener.open(words, theme: .day) : open
        return try RegionSource.all(words, layers, client: session.client)
    }

    /// The sources of a region that are not among those found, as they were kept with it.
    private func keptSources(
        of record: RegionRecord, besides found: [RegionSource], called words: String, _ opener: MapOpener
    ) async throws -> [RegionSource] {
        var sources: [RegionSource] = []
        for part in record.active where !found.contains(where: { $0.origin.isSameSource(as: part.origin) }) {
            guard let definition = part.definition else { throw RegionFailure.gone(words, region: record.id) }
            sources.append(
                try RegionSource(words, try await opener.open(definition: definition), client: session.client)
            )
        }
        return sources
    }
}

extension RegionRecord {
    /// Returns true if the sources are those of the region, as far as it contains them.
    fileprivate func mayHave(_ sources: [RegionSource]) -> Bool {
        sources.contained(in: definition?.features ?? []).allSatisfy { source in
            active.contains { $0.origin.isSameSource(as: source.origin) }
        }
    }
}
