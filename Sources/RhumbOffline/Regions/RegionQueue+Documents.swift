internal import RhumbCore
public import RhumbEngine
public import RhumbHTTP
internal import RhumbOpening
public import RhumbStore

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
        let files = Set(sources.map(\.words) + style.named).filter {
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
    fileprivate func pictures(ofStyles places: [String]) async -> (documents: [WebResource], files: [String])
    {
        var documents: [WebResource] = [], files: Set<String> = []
        for place in places {
            guard let bytes = await bytes(ofStyle: place), let style = try? Style(bytes) else { continue }
            await loadSprites(of: style, at: place)
            documents += spriteDocuments(of: style, at: place)
            files.formUnion(style.spritePlaces(in: place).filter { !SourceDefinition.isAddress($0) })
        }
        return (documents, files.sorted())
    }

    /// Returns the addresses of documents, such as styles, by which sources were opened.
    fileprivate func openedDocuments(of sources: [RegionSource]) -> [String] {
        let known = Set(sources.flatMap(\.layer.documents).map(\.key))
        return Set(sources.map(\.words).filter(SourceDefinition.isAddress)).filter { address in
            (try? resource(document: address)).map { known.contains($0.key) } == true
        }.sorted()
    }

    private func bytes(ofStyle place: String) async -> [UInt8]? {
        guard SourceDefinition.isAddress(place) else { return CachedFile.read(place, loader.store) }
        guard let resource = try? resource(document: place) else { return nil }
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
            guard document.isStorable else {
                throw .unreadable(
                    address: address, "the server forbids storing it (no-store), but the region needs it")
            }
            documents.append(RegionDocument(address: address, document.stored))
        }
        return documents
    }
}
