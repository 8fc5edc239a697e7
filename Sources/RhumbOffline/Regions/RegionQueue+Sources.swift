public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
internal import RhumbOpening
public import RhumbStore

extension RegionQueue {
    /// Opens the sources of a region, including those of disabled features. A region with tilesets has a
    /// source for each scale.
    /// - Parameters:
    ///   - previous: The stored region. Its sources replace those whose names are unknown.
    ///   - reloads: True to revalidate the documents of the sources.
    /// - Throws: `OfflineFailure`
    public func sources(
        of definition: RegionDefinition, previous: RegionRecord? = nil, reloads: Bool = false
    ) async throws(OfflineFailure) -> [RegionSource] {
        guard !definition.tilesets.isEmpty else {
            return try await sources(
                definition.sources, scale: definition.scale, previous: previous, reloads: reloads)
        }
        return try await scaledSources(of: definition, previous: previous, reloads: reloads).unique
    }

    /// Opens the sources of a region's tilesets at their scales. A source of vector tiles is the same at
    /// every scale.
    func scaledSources(
        of definition: RegionDefinition, previous: RegionRecord?, reloads: Bool = false
    ) async throws(OfflineFailure) -> [RegionSource] {
        var found: [RegionSource] = []
        for scale in Set(definition.tilesets.map(\.scale)).sorted() {
            let specifiers = Set(definition.tilesets.filter { $0.scale == scale }.map(\.source)).sorted()
            for var source in try await sources(
                specifiers, scale: scale, previous: previous, reloads: reloads)
            {
                source.scale = scale
                found.append(source)
            }
        }
        return found
    }

    /// Opens sources by name or address, including those of disabled features.
    /// - Parameters:
    ///   - scale: The number of tile pixels per map pixel.
    ///   - previous: The stored region. Its sources replace those whose names are unknown or now refer to
    ///     other sources.
    ///   - layers: The open layers, which are reused.
    ///   - reloads: True to revalidate the documents of the sources even if they are fresh.
    /// - Throws: `OfflineFailure`
    public func sources(
        _ specifiers: [String], scale: Int, previous: RegionRecord? = nil, open layers: [TileLayer] = [],
        reloads: Bool = false
    ) async throws(OfflineFailure) -> [RegionSource] {
        var opener = opener
        opener.isDoubled = scale == 2
        opener.web.reloadsDocuments = reloads
        do {
            var sources: [RegionSource] = [], lost: String?
            for specifier in specifiers {
                do {
                    let found = try await all(specifier, layers.filter { $0.specifier == specifier }, opener)
                    guard previous?.mayHave(found) ?? true else { throw RegionSourceFailure.here(specifier) }
                    sources += found
                } catch  where previous != nil {
                    lost = lost ?? specifier
                }
            }
            guard let previous, let lost else { return sources }
            return try await sources + storedSources(of: previous, besides: sources, called: lost, opener)
        } catch {
            throw OfflineFailure(error)
        }
    }

    private func all(
        _ specifier: String, _ open: [TileLayer], _ opener: MapOpener
    ) async throws -> [RegionSource] {
        if TrafficSources.names.contains(specifier) { throw RegionSourceFailure.traffic(specifier) }
        let layers = open.isEmpty ? try await opener.open(specifier, theme: .day) : open
        return try RegionSource.all(specifier, layers, client: session.client)
    }

    /// Opens the sources of a region that were not found by name, using their stored definitions.
    private func storedSources(
        of record: RegionRecord, besides found: [RegionSource], called specifier: String, _ opener: MapOpener
    ) async throws -> [RegionSource] {
        var sources: [RegionSource] = []
        for part in record.active where !found.contains(where: { $0.origin.isSameSource(as: part.origin) }) {
            guard let definition = part.definition else {
                throw OfflineFailure.gone(specifier, region: record.id)
            }
            let layer = try await opener.open(definition: definition)
            sources.append(try RegionSource(specifier, layer, client: session.client))
        }
        return sources
    }
}

extension RegionRecord {
    /// True if the region may have been created from these sources: it stores all those of its own features.
    fileprivate func mayHave(_ sources: [RegionSource]) -> Bool {
        sources.contained(in: definition?.features ?? []).allSatisfy { source in
            active.contains { $0.origin.isSameSource(as: source.origin) }
        }
    }

    /// Throws a sentence if a source of the region could not be opened, or if its server no longer has it, so
    /// that neither its tiles nor its documents are lost.
    func requireAll(_ sources: [RegionSource]) throws(OfflineFailure) {
        for source in sources {
            if let loss = source.archive?.loss { throw .map(.web(.archive(loss))) }
        }
        let lost = active.first { part in !sources.contains { $0.origin.isSameSource(as: part.origin) } }
        guard let lost else { return }
        let name = SafeText.sanitised(lost.definition?.name ?? lost.origin.source, limit: 80)
        throw .other(
            "the source \(name) of region \(SafeText.sanitised(id)) can't be opened, so the region was not changed; "
                + "try again later")
    }

    /// Throws a sentence if a source is another map now, with another kind of tiles or in another area.
    func requireSameMaps(
        _ sources: [RegionSource], _ definition: RegionDefinition
    ) throws(OfflineFailure) {
        for source in sources {
            guard let part = parts.first(where: { $0.origin.isSameSource(as: source.origin) }),
                part.tiles > 0, let old = part.definition
            else { continue }
            let covered = source.cover(definition).counts().total, problem: String
            if old.tileWord != source.definition.tileWord {
                problem = "it has \(source.definition.tileWord) instead of \(old.tileWord)"
            } else if covered * 2 < part.planned {
                problem =
                    "it covers \(AmountText.count(covered)) of \(AmountText.count(part.planned, "tile"))"
            } else {
                continue
            }
            // The region's own first bytes open the old edition offline.
            source.archive?.forgetBeginning()
            throw .other(
                "\(SafeText.sanitised(old.name, limit: 80)) is another map now: \(problem); region "
                    + "\(SafeText.sanitised(id)) was not changed; to accept the new map, remove the region and add it "
                    + "again")
        }
    }
}

extension RegionSource {
    /// The archive of the tiles; nil for tiles with addresses of their own.
    fileprivate var archive: RemoteArchive? { layer.source as? RemoteArchive }
}

extension SourceDefinition {
    /// The kind of its tiles in a word.
    fileprivate var tileWord: String {
        elevation != nil ? "heights" : holdsVectorTiles ? "vector tiles" : "pictures"
    }
}

extension RegionQueue {
    /// Returns the documents that the maps of sources need, from the web and from files.
    /// - Parameters:
    ///   - style: The files or addresses of the styles that the user named.
    ///   - reloads: True to revalidate these styles even if they are fresh.
    /// - Throws: `OfflineFailure`
    func documents(
        of sources: [RegionSource], style: StyleChoice, reloads: Bool
    ) async throws(OfflineFailure) -> [RegionDocument] {
        var web = opener.web
        web.reloadsDocuments = reloads
        let addresses = style.named.filter(SourceDefinition.isAddress)
        let files = Set(sources.map(\.specifier) + style.named).filter {
            $0.hasSuffix(".json") && !SourceDefinition.isAddress($0)
        }.sorted()
        do {
            let styles = try addresses.map { try web.resource(document: $0) }
            if reloads { for style in styles { _ = try await web.loader.load(style, isReload: true) } }
            let pictures = await web.pictures(ofStyles: addresses + files + web.openedDocuments(of: sources))
            let documents = try await web.loader.documents(of: sources, and: styles + pictures.documents)
            return documents + (files + pictures.files).compactMap(CachedFile.document)
        } catch {
            throw OfflineFailure(error)
        }
    }
}

extension WebSourceOpener {
    /// Returns the sprites of styles, loading them first.
    fileprivate func pictures(
        ofStyles locations: [String]
    ) async -> (documents: [WebResource], files: [String]) {
        var documents: [WebResource] = [], files: Set<String> = []
        for location in locations {
            guard let bytes = await bytes(ofStyle: location), let style = try? Style(bytes) else { continue }
            await loadSprites(of: style, at: location)
            documents += spriteDocuments(of: style, at: location)
            files.formUnion(style.spriteLocations(in: location).filter { !SourceDefinition.isAddress($0) })
        }
        return (documents, files.sorted())
    }

    /// Returns the addresses of documents, such as styles, by which sources were opened.
    fileprivate func openedDocuments(of sources: [RegionSource]) -> [String] {
        let known = Set(sources.flatMap(\.layer.documents).map(\.key))
        return Set(sources.map(\.specifier).filter(SourceDefinition.isAddress)).filter { address in
            (try? resource(document: address)).map { known.contains($0.key) } == true
        }.sorted()
    }

    private func bytes(ofStyle location: String) async -> [UInt8]? {
        guard SourceDefinition.isAddress(location) else { return CachedFile.read(location, loader.store) }
        guard let resource = try? resource(document: location) else { return nil }
        return try? await loader.load(resource).body
    }
}

extension DocumentLoader {
    /// Returns the documents that a region needs to show its map offline, fetching those that are not stored.
    /// - Parameter others: Additional documents, such as a style that the user named.
    /// - Throws: `DocumentFailure`, also for a document that may not be stored.
    public func documents(
        of sources: [RegionSource], and others: [WebResource] = []
    ) async throws(DocumentFailure) -> [RegionDocument] {
        var documents: [RegionDocument] = []
        for resource in sources.flatMap(\.layer.documents) + others {
            guard case .document(let address)? = resource.key,
                !documents.contains(where: { $0.address == address })
            else { continue }
            let document = try await load(resource)
            guard document.isStorable else { throw .notStorable(address: address) }
            documents.append(RegionDocument(address: address, document.stored))
        }
        return documents
    }
}
