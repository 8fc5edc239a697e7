internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// The sources of packages.
extension MapLoader {
    func source(
        of package: CatalogPackage, _ opener: WebSourceOpener
    ) async throws(MapLoaderFailure) -> RegionSource {
        let (words, definition) = try place(of: package)
        do {
            let layer = try await opener.layer(of: definition, id: words)
            return try RegionSource(words, layer, client: opener.loader.client)
        } catch let failure as WebSourceFailure {
            throw MapLoaderFailure(failure)
        } catch {
            throw MapLoaderFailure(.invalidParameters, "package \(package.id): \(error)")
        }
    }

    /// Returns a sentence for each source whose terms don't say whether downloads are allowed.
    nonisolated func unsaidTerms(of packages: [CatalogPackage]) throws(MapLoaderFailure) -> [String] {
        var sentences: [String] = [], seen: Set<PackageContent> = []
        for package in packages {
            guard let content = package.content, seen.insert(content).inserted else { continue }
            let (words, definition) = try place(of: package)
            guard definition.policy.offline == .ask else { continue }
            sentences.append("\(OfflineFailure.unsaid(words, definition.policy.policyURL))")
        }
        return sentences
    }

    nonisolated func place(
        of package: CatalogPackage
    ) throws(MapLoaderFailure) -> (words: String, source: SourceDefinition) {
        switch package.content {
        case .archive(let address)?, .part(let address)?:
            var definition = try self.definition(address, package)
            // The publisher of a catalogue allows downloads of its archives.
            definition.policy.offline = .allowed
            definition.policy.packLimit = nil
            return (address, definition)
        case .source(let words)?:
            let definition: SourceDefinition
            if let known = named(words) {
                definition = known
            } else {
                definition = try self.definition(words, package)
            }
            guard definition.policy.offline != .denied else {
                throw MapLoaderFailure(
                    .notPermitted, "package \(package.id): the provider of \(words) does not allow downloads")
            }
            return (words, definition)
        case nil: throw MapLoaderFailure(.invalidParameters, "package \(package.id) has no content")
        }
    }

    private nonisolated func definition(
        _ address: String, _ package: CatalogPackage
    ) throws(MapLoaderFailure) -> SourceDefinition {
        if let path = URLReference(address).localPath { return SourceDefinition(localArchive: path) }
        guard SourceDefinition.isAddress(address) else {
            throw MapLoaderFailure(
                .invalidParameters,
                "package \(package.id) refers to \(address), which is neither a URL nor a known source")
        }
        do throws(SourceFailure) { return try SourceDefinition(address: address) } catch {
            throw MapLoaderFailure(.invalidParameters, "package \(package.id): \(error)")
        }
    }

    /// Returns the definition of the region for a package.
    func definition(
        _ package: CatalogPackage, _ source: RegionSource, _ loaded: LoadedCatalog, edition: PackageVersion?
    ) throws(MapLoaderFailure) -> RegionDefinition {
        let id = try InstalledPackage.regionID(package.id, of: loaded.catalog), zooms = source.layer.dataZooms
        do {
            let own = try ZoomRange(zooms.lowerBound, zooms.upperBound)
            return try RegionDefinition(
                id: id, name: package.englishTitle, metadata: InstalledPackage.metadata(edition, of: loaded),
                geometry: geometry(package, source), zooms: package.zooms ?? own, sources: [source.words],
                features: features.sorted(), packing: .exact)
        } catch {
            throw MapLoaderFailure(.invalidParameters, "package \(package.id): \(error)")
        }
    }

    private func geometry(_ package: CatalogPackage, _ source: RegionSource) throws -> RegionGeometry {
        if case .archive? = package.content { return try .box(source.layer.info.bounds ?? .world) }
        return try package.area?.geometry() ?? .box(.world)
    }

    /// Returns the documents to store with a package: those its map needs, the catalogue, and the tile
    /// hashes.
    func documents(
        _ offered: PackageSource, _ loaded: LoadedCatalog
    ) async throws(MapLoaderFailure) -> [RegionDocument] {
        do throws(DocumentFailure) {
            return try await opener.loader.documents(of: [offered.source])
                + [loaded.document, offered.list].compactMap(\.self)
        } catch {
            throw MapLoaderFailure(error)
        }
    }
}
