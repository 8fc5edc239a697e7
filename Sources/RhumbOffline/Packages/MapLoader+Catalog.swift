internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// Loads the catalogue from a server, a file, or the built-in countries.
extension MapLoader {
    /// - Parameter isReload: If true, revalidates the catalogue even if it is fresh.
    func load(isReload: Bool) async throws(MapLoaderFailure) -> LoadedCatalog {
        if let local = try local() { return local }
        if !isReload, let stored = stored() { return stored }
        do throws(MapLoaderFailure) { return try await fetched(isReload: isReload) } catch {
            // The catalogue and its signature may be from different times.
            guard error.reason == .untrusted else { throw error }
            return try await fetched(isReload: true)
        }
    }

    private func fetched(isReload: Bool) async throws(MapLoaderFailure) -> LoadedCatalog {
        let resource = try resource()
        let document = try await convertingAsync(await opener.loader.load(resource, isReload: isReload)) {
            (error: DocumentFailure) in MapLoaderFailure(error)
        }
        if isReload, case .outdated(let cause?) = document.standing {
            throw MapLoaderFailure(.connectionFailed, cause.message)
        }
        let loaded: LoadedCatalog
        do throws(MapLoaderFailure) {
            loaded = try LoadedCatalog(document, resource, opener.loader.store)
        } catch {
            // The publisher may replace an invalid catalogue before it expires.
            opener.loader.forget(resource)
            throw error
        }
        let pin = try pin(of: loaded.catalog)
        let files = try await signatureFiles(of: loaded.catalog, pin, isReload: isReload)
        return try verified(loaded, document.body, files, pin)
    }

    /// Returns the catalogue without a request; nil if it is not stored.
    func stored() -> LoadedCatalog? {
        if let local = try? local() { return local }
        guard let resource = try? resource(), let response = opener.loader.stored(resource) else {
            return nil
        }
        guard let loaded = try? LoadedCatalog(response, resource, opener.loader.store),
            let pin = try? pin(of: loaded.catalog)
        else { return nil }
        return try? verified(loaded, response.body, storedSignatureFiles(), pin)
    }

    /// Returns the resource of the catalogue, or of a file beside it.
    func resource(_ suffix: String = "") throws(MapLoaderFailure) -> WebResource {
        var reference = URLReference(address)
        if !suffix.isEmpty { reference.path += suffix }
        let url = suffix.isEmpty ? address : reference.description
        do throws(WebSourceFailure) { return try opener.resource(document: url) } catch {
            throw MapLoaderFailure(error)
        }
    }

    /// Returns a generated catalogue or one from a file; nil if the address is on the web.
    private func local() throws(MapLoaderFailure) -> LoadedCatalog? {
        if address.hasPrefix(PackageCatalog.countriesPrefix) {
            let source = String(address.dropFirst(PackageCatalog.countriesPrefix.count))
            let catalog = try converting(PackageCatalog.countries(of: source)) {
                (error: PackageCatalogFailure) in MapLoaderFailure(.initializationFailed, "\(error)")
            }
            return LoadedCatalog(catalog, nil, at: address)
        }
        guard !SourceDefinition.isAddress(address) else { return nil }
        let path = localPath
        guard let bytes = CachedFile.read(path, opener.loader.store) else {
            throw MapLoaderFailure(.initializationFailed, "\(FileProblem(path))")
        }
        let packed = PackedCatalog(of: CachedFile.address(path), in: opener.loader.store)
        let catalog = try converting(packed.catalog(bytes, at: URLReference.file(path))) {
            (error: PackageCatalogFailure) in
            MapLoaderFailure(.initializationFailed, "\(address): \(error)")
        }
        let loaded = LoadedCatalog(catalog, CachedFile.document(path), at: path)
        return try verified(loaded, bytes, storedSignatureFiles(), try pin(of: loaded.catalog))
    }

    /// The path of a catalogue in a file.
    var localPath: String { Files.named(URLReference(address).localPath ?? address) }
}

/// A parsed catalogue with its origin.
struct LoadedCatalog: Sendable {
    let catalog: PackageCatalog
    var tree: PackageTree { catalog.tree }
    /// The catalogue as stored with its packages for use without a network; nil if it can't be stored.
    let document: RegionDocument?
    /// The catalogue's address, without secrets.
    let address: String
    /// The signature; nil if the catalogue is not signed.
    var signature: CatalogSignature?
    /// The documents with the signature and its key, which are stored with packages like `document`.
    var signatureDocuments: [RegionDocument] = []

    /// - Parameter store: Caches the packed catalogue beside its document; nil to disable caching.
    init(
        _ document: Document, _ resource: WebResource, _ store: (any ResponseStore)?
    ) throws(MapLoaderFailure) {
        var storedAddress: String?
        if case .document(let address)? = resource.key, document.isStorable { storedAddress = address }
        // A catalogue with secrets in its address may contain addresses with keys, which must never be
        // stored.
        let packed = storedAddress.flatMap {
            resource.address.secrets.isEmpty ? PackedCatalog(of: $0, in: store) : nil
        }
        catalog = try converting(
            (packed ?? PackedCatalog(of: "", in: nil)).catalog(document.body, at: resource.address.url)
        ) { (error: PackageCatalogFailure) in
            MapLoaderFailure(.connectionFailed, "\(resource.address): \(error)")
        }
        address = resource.address.canonical
        self.document = storedAddress.map { RegionDocument(address: $0, document.stored) }
    }

    /// - Parameter address: The path of a file, or the address of a generated catalogue.
    init(_ catalog: PackageCatalog, _ document: RegionDocument?, at address: String) {
        self.catalog = catalog
        self.document = document
        self.address = address
    }

    func package(_ id: String) throws(MapLoaderFailure) -> CatalogPackage {
        guard let package = tree[id] else {
            let near = catalog.packages.map(\.id).nearest(to: id)
            throw MapLoaderFailure(
                .invalidParameters, "no package \(id)", near.map { .takePackage($0) } ?? .listPackages)
        }
        return package
    }

    /// Returns all packages with content that the given packages consist of, without duplicates.
    func contents(of ids: [String]) throws(MapLoaderFailure) -> [CatalogPackage] {
        guard !ids.isEmpty else { throw MapLoaderFailure(.invalidParameters, "no package given") }
        var found: [CatalogPackage] = [], seen: Set<String> = []
        for id in ids {
            let contents = tree.contents(of: try package(id))
            guard !contents.isEmpty else {
                throw MapLoaderFailure(.invalidParameters, "package \(id) has no content")
            }
            found += contents.filter { seen.insert($0.id).inserted }
        }
        return found
    }
}
