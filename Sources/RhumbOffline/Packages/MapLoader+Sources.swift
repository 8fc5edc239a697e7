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
        let (specifier, definition) = try specified(of: package), address = try location(of: package, opener)
        var opener = opener
        opener.location = address
        do {
            let layer = try await opener.layer(of: definition, id: specifier)
            let source = try RegionSource(specifier, layer, client: opener.loader.client)
            guard case .archive? = package.content, let archive = layer.source as? RemoteArchive,
                !archive.needsCopy, let bounds = try await archive.extendedBounds()
            else { return source }
            return source.extended(to: bounds)
        } catch let failure as WebSourceFailure {
            let failure = MapLoaderFailure(failure)
            guard address != nil, failure.obstacle == nil else { throw failure }
            // The server may have only the newest archive. A signed list of hashes shows whether it is the
            // edition's.
            return try await source(of: package.withoutCopies, opener)
        } catch let failure as ArchiveFailure {
            throw MapLoaderFailure(WebSourceFailure.archive(failure))
        } catch {
            throw MapLoaderFailure(.invalidParameters, "package \(package.id): \(error)")
        }
    }

    /// Returns a sentence for each source whose terms don't say whether downloads are allowed.
    nonisolated func unsaidTerms(of packages: [CatalogPackage]) throws(MapLoaderFailure) -> [String] {
        var sentences: [String] = [], seen: Set<PackageContent> = []
        for package in packages {
            guard let content = package.content, seen.insert(content).inserted else { continue }
            let (specifier, definition) = try specified(of: package)
            guard definition.policy.offline == .ask else { continue }
            sentences.append("\(OfflineFailure.unsaid(specifier, definition.policy.policyURL))")
        }
        return sentences
    }

    /// Returns the address of the copy of an archive that belongs to the package's edition; nil if there is
    /// none.
    private nonisolated func location(
        of package: CatalogPackage, _ opener: WebSourceOpener
    ) throws(MapLoaderFailure) -> HTTPAddress? {
        guard case .archive? = package.content, let address = package.edition?.archive else { return nil }
        let definition = try definition(address, package)
        do throws(WebSourceFailure) { return try opener.resource(definition).address } catch {
            throw MapLoaderFailure(error)
        }
    }

    nonisolated func specified(
        of package: CatalogPackage
    ) throws(MapLoaderFailure) -> (specifier: String, source: SourceDefinition) {
        switch package.content {
        case .archive(let address)?, .part(let address)?:
            var definition = try self.definition(address, package)
            // The publisher of a catalogue allows downloads of its archives.
            definition.policy.offline = .allowed
            definition.policy.packLimit = nil
            return (address, definition)
        case .source(let specifier)?:
            return (
                specifier,
                try permitted(
                    specifier, package,
                    "package \(package.id): the provider of \(specifier) does not allow downloads"
                )
            )
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
    /// - Parameter heights: The source of the package's heights; nil for none.
    func definition(
        _ package: CatalogPackage, _ source: RegionSource, _ loaded: LoadedCatalog, edition: PackageVersion?,
        heights: RegionSource? = nil
    ) throws(MapLoaderFailure) -> RegionDefinition {
        let id = try InstalledPackage.regionID(package.id, of: loaded.catalog), zooms = source.layer.dataZooms
        do {
            let own = try ZoomRange(zooms.lowerBound, zooms.upperBound)
            let plain = try RegionDefinition(
                id: id, name: package.englishTitle,
                metadata: InstalledPackage.metadata(edition, of: loaded, heights: heights?.specifier),
                geometry: geometry(package, source), zooms: package.zooms ?? own, sources: [source.specifier],
                features: features.sorted(), packing: .exact)
            guard let heights else { return plain }
            var definition = try plain.withHeights(of: heights.specifier)
            for at in definition.tilesets.indices {
                let isHeights = definition.tilesets[at].source == heights.specifier
                definition.tilesets[at].origins = [(isHeights ? heights : source).origin.key]
            }
            return definition
        } catch {
            throw MapLoaderFailure(.invalidParameters, "package \(package.id): \(error)")
        }
    }

    /// Opens the source of the heights to store with a package. Returns nil if it has none in the package's
    /// area, or if the package itself consists of heights.
    /// - Parameters:
    ///   - specifier: The name or address of the heights' source; nil for no heights.
    ///   - source: The source of the package.
    /// - Throws: `MapLoaderFailure.invalidParameters` if it has no elevation, …
    func heights(
        _ specifier: String?, of package: CatalogPackage, _ source: RegionSource, _ loaded: LoadedCatalog,
        _ opener: WebSourceOpener
    ) async throws(MapLoaderFailure) -> RegionSource? {
        guard source.definition.elevation == nil,
            let heights = try await heights(specifier, of: package, opener)
        else { return nil }
        let region = try definition(package, source, loaded, edition: nil, heights: heights)
        return heights.reaches(region) ? heights : nil
    }

    private func heights(
        _ specifier: String?, of package: CatalogPackage, _ opener: WebSourceOpener
    ) async throws(MapLoaderFailure) -> RegionSource? {
        guard let specifier else { return nil }
        do {
            let layer = try await opener.layer(of: try heightSource(specifier, package), id: specifier)
            let source = try RegionSource(specifier, layer, client: opener.loader.client)
            guard source.definition.elevation != nil else {
                throw MapLoaderFailure(
                    .invalidParameters,
                    "\(SafeText.sanitised(specifier, limit: 80)) has no elevation; use a source of terrain-RGB or "
                        + "terrarium tiles with the encoding in its description")
            }
            return source
        } catch let failure as MapLoaderFailure {
            throw failure
        } catch let failure as WebSourceFailure {
            throw MapLoaderFailure(failure)
        } catch let failure as ArchiveFailure {
            throw MapLoaderFailure(WebSourceFailure.archive(failure))
        } catch {
            throw MapLoaderFailure(.invalidParameters, "heights of \(package.id): \(error)")
        }
    }

    /// Returns a sentence if the terms of a source of heights don't say whether downloads are allowed.
    /// - Parameter package: A package that lacks heights; nil if there is none.
    nonisolated func unsaidTerms(
        ofHeights specifier: String?, _ package: CatalogPackage?
    ) throws(MapLoaderFailure) -> [String] {
        guard let specifier, let package else { return [] }
        let policy = try heightSource(specifier, package).policy
        return policy.offline == .ask ? ["\(OfflineFailure.unsaid(specifier, policy.policyURL))"] : []
    }

    /// Returns the definition of a source of heights.
    /// - Throws: `MapLoaderFailure.notPermitted` if its provider denies downloads, …
    nonisolated func heightSource(
        _ specifier: String, _ package: CatalogPackage
    ) throws(MapLoaderFailure) -> SourceDefinition {
        try permitted(specifier, package, "the provider of \(specifier) does not allow downloading heights")
    }

    /// Returns the definition of a source by its name or address.
    /// - Parameter refusal: The sentence if its provider denies downloads.
    private nonisolated func permitted(
        _ specifier: String, _ package: CatalogPackage, _ refusal: String
    ) throws(MapLoaderFailure) -> SourceDefinition {
        let definition =
            if let known = named(specifier) { known } else { try self.definition(specifier, package) }
        guard definition.policy.offline != .denied else { throw MapLoaderFailure(.notPermitted, refusal) }
        return definition
    }

    private func geometry(_ package: CatalogPackage, _ source: RegionSource) throws -> RegionGeometry {
        if case .archive? = package.content { return try .box(source.layer.info.bounds ?? .world) }
        return try package.area?.geometry() ?? .box(.world)
    }

    /// Returns the documents to store with a package: those its map needs, the catalogue, and the tile
    /// hashes.
    func documents(
        _ offered: PackageSource, _ heights: RegionSource?, _ loaded: LoadedCatalog
    ) async throws(MapLoaderFailure) -> [RegionDocument] {
        do throws(DocumentFailure) {
            let sources = [offered.source, heights].compactMap(\.self)
            let opened = try await opener.loader.documents(of: sources).map { document in
                let address = offered.archive?.storedAddress(of: document.address) ?? document.address
                return RegionDocument(address: address, document.response)
            }
            return opened + [loaded.document, offered.list].compactMap(\.self) + loaded.signatureDocuments
        } catch {
            throw MapLoaderFailure(error)
        }
    }
}

/// Archives on servers without range requests. They are downloaded completely into a temporary file, and read
/// from there.
extension MapLoader {
    /// The maximum size of an archive that is downloaded completely: 64 GiB.
    private static let wholeFileLimit = 1 << 36

    /// Opens the source of a package. Downloads the archive first if its server ignores ranges.
    func source(
        of package: CatalogPackage, _ opener: WebSourceOpener, _ job: PackageJob
    ) async throws(MapLoaderFailure) -> RegionSource {
        do throws(MapLoaderFailure) {
            let source = try await source(of: package, opener)
            guard (source.layer.source as? RemoteArchive)?.needsCopy == true else { return source }
        } catch {
            guard error.obstacle == .wholeFilesOnly else { throw error }
        }
        var opener = opener
        opener.copy = try await download(package, opener, job)
        return try await source(of: package, opener)
    }

    /// Returns the size of a package's archive in bytes according to its server; nil if unknown.
    func announcedSize(of package: CatalogPackage) async throws(MapLoaderFailure) -> Int? {
        do {
            let request = try request(for: package, opener)
            for try await part in opener.loader.client.parts(of: request) { return part.announcedSize }
            return nil
        } catch {
            throw MapLoaderFailure(any: error)
        }
    }

    private func request(
        for package: CatalogPackage, _ opener: WebSourceOpener
    ) throws(MapLoaderFailure) -> HTTPRequest {
        var resource: WebResource
        let definition = try specified(of: package).source
        do throws(WebSourceFailure) { resource = try opener.resource(definition) } catch {
            throw MapLoaderFailure(error)
        }
        resource.address = try location(of: package, opener) ?? resource.address
        var request = HTTPRequest(resource, priority: .download)
        request.range = ByteRange(offset: 0, count: UInt64(MapLoader.wholeFileLimit))
        request.acceptsWholeFile = true
        request.timeout = .seconds(7 * 86_400)
        return request
    }

    private func download(
        _ package: CatalogPackage, _ opener: WebSourceOpener, _ job: PackageJob
    ) async throws(MapLoaderFailure) -> WholeFile {
        let request = try request(for: package, opener)
        do {
            let file = try PartFile(regions.store.path + "-archive", isReplacing: true, isPrivate: true)
            file.hide()
            var count = 0, first: HTTPResponse?
            for try await part in opener.loader.client.parts(of: request) {
                if first == nil { try checkRoom(for: part, package) }
                first = first ?? part
                job.apply(.reconnect)
                try file.write(part.body, at: count)
                count += part.body.count
                job.report { $0.archive = (count, first?.announcedSize ?? 0) }
            }
            guard !Task.isCancelled else { throw MapLoaderFailure.cancelled }
            if first?.isAbsent == true, package.edition?.archive != nil {
                return try await download(package.withoutCopies, opener, job)
            }
            guard let first, !first.isAbsent else {
                throw MapLoaderFailure(DocumentFailure.absent(address: request.address.description))
            }
            try check(file.read(at: 0, count: PMTilesHeader.length), of: request.address, size: count)
            return WholeFile(file, first, size: count)
        } catch {
            throw MapLoaderFailure(any: error)
        }
    }

    /// Checks that an archive is complete. Files of other formats pass; opening them fails later.
    private nonisolated func check(
        _ start: [UInt8], of address: HTTPAddress, size: Int
    ) throws(MapLoaderFailure) {
        guard let header = PMTilesHeader(start) else { return }
        let parts = [header.root, header.metadata, header.leaves, header.tiles]
        guard !parts.allSatisfy({ $0.fits(size: UInt64(size)) }) else { return }
        throw MapLoaderFailure(
            .connectionFailed, "\(address): the archive was cut short; its owner must replace it")
    }

    private func checkRoom(for response: HTTPResponse, _ package: CatalogPackage) throws(MapLoaderFailure) {
        guard let size = response.announcedSize, let free = regions.freeDisk, size > free else { return }
        throw MapLoaderFailure(
            .insufficientStorage,
            "\(package.id): its archive has \(AmountText.bytes(size)), and \(AmountText.bytes(free)) are free on the disk. "
                + "Make room and try again.")
    }
}

extension HTTPResponse {
    /// The size of the file according to the headers.
    fileprivate var announcedSize: Int? {
        if status == 206 {
            return headers.first("Content-Range")?.split(separator: "/").last.flatMap { Int($0) }
        }
        return headers.first("Content-Length").flatMap { Int($0) }
    }
}

extension MapLoaderFailure {
    fileprivate init(any error: any Error) {
        switch error {
        case let failure as MapLoaderFailure: self = failure
        case let failure as HTTPFailure: self.init(DocumentFailure.notFetched(failure))
        case let failure as ExportFailure:
            self.init(
                failure.reason == .diskFull ? .insufficientStorage : .initializationFailed, "\(failure)")
        default: self.init(.connectionFailed, "\(error)")
        }
    }
}

extension CatalogPackage {
    /// The same package with the archive that its server replaces.
    fileprivate var withoutCopies: CatalogPackage {
        var package = self
        for at in editions.indices { package.editions[at].archive = nil }
        return package
    }
}
