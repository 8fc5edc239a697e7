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
        do throws(MapLoaderFailure) { return try verified(loaded, document.body, files, pin) } catch {
            // Otherwise the refused catalogue would replace the one that is stored with installed packages.
            for suffix in CatalogSignature.suffixes { opener.loader.forget(try self.resource(suffix)) }
            throw error
        }
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

    /// The address as installed packages contain it.
    var storedAddress: String {
        if address.hasPrefix(PackageCatalog.countriesPrefix) { return address }
        guard SourceDefinition.isAddress(address) else { return localPath }
        return (try? resource())?.address.canonical ?? address
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

/// Signed catalogues.
extension MapLoader {
    /// Returns a sentence with the fingerprint of the catalogue's key if users should compare it with the
    /// publisher's: at the first installation, and when another key replaced it. nil if there is nothing new.
    /// Each key is reported once.
    public func takeKeyNotice() -> String? {
        let notice = loaded?.signature?.notice
        loaded?.signature?.news = nil
        return notice
    }

    /// Returns the catalogue with its signature.
    /// - Throws: `MapLoaderFailure.untrusted`
    func verified(
        _ loaded: LoadedCatalog, _ body: [UInt8], _ files: CatalogSignature.Files, _ pin: CatalogSignature.Pin
    ) throws(MapLoaderFailure) -> LoadedCatalog {
        var loaded = loaded
        loaded.signature = try CatalogSignature.verified(
            loaded.catalog, body, files, pin, at: opener.loader.date())
        if loaded.signature != nil { loaded.signatureDocuments = files.documents }
        return loaded
    }

    /// Returns the key with which a catalogue must be signed, as far as it is known.
    func pin(of catalog: PackageCatalog) throws(MapLoaderFailure) -> CatalogSignature.Pin {
        var pin = CatalogSignature.Pin(demanded: key)
        let records = try MapLoader.storing { () throws(RegionStoreFailure) in try regions.store.regions() }
        for record in records where record.package?.catalog == catalog.id { pin.add(record) }
        return pin
    }

    /// Loads the files beside a catalogue on a server. Nothing is requested for a catalogue that needs none.
    func signatureFiles(
        of catalog: PackageCatalog, _ pin: CatalogSignature.Pin, isReload: Bool
    ) async throws(MapLoaderFailure) -> CatalogSignature.Files {
        var files = CatalogSignature.Files()
        guard catalog.isSigned || !pin.isEmpty else { return files }
        files.signature = try await file(CatalogSignature.suffix, &files, isReload)
        let signature = files.signature.flatMap { try? MinisignSignature($0) }
        if let key = pin.key, signature?.isMade(by: key) != false { return files }
        files.key = try await file(CatalogSignature.keySuffix, &files, isReload)
        if pin.key != nil {
            files.succession = try await file(CatalogSignature.successionSuffix, &files, isReload)
        }
        return files
    }

    private func file(
        _ suffix: String, _ files: inout CatalogSignature.Files, _ isReload: Bool
    ) async throws(MapLoaderFailure) -> [UInt8]? {
        let resource = try resource(suffix)
        do throws(DocumentFailure) {
            let document = try await opener.loader.load(resource, isReload: isReload)
            // A withdrawn signature is missing, and not the one of an earlier catalogue.
            if case .outdated(let failure?) = document.standing, failure.isGone { return nil }
            if document.isStorable {
                files.documents.append(RegionDocument(address: document.address, document.stored))
            }
            return document.body
        } catch {
            if case .absent = error { return nil }
            throw MapLoaderFailure(error)
        }
    }

    /// Returns the files beside a catalogue without a request.
    func storedSignatureFiles() -> CatalogSignature.Files {
        var files = CatalogSignature.Files()
        files.signature = storedFile(CatalogSignature.suffix, &files)
        files.key = storedFile(CatalogSignature.keySuffix, &files)
        files.succession = storedFile(CatalogSignature.successionSuffix, &files)
        return files
    }

    private func storedFile(_ suffix: String, _ files: inout CatalogSignature.Files) -> [UInt8]? {
        guard SourceDefinition.isAddress(address) else {
            let path = localPath + suffix
            files.documents += [CachedFile.document(path)].compactMap(\.self)
            return CachedFile.read(path, opener.loader.store)
        }
        guard let document = (try? resource(suffix)).flatMap({ opener.loader.stored($0) }) else { return nil }
        files.documents.append(RegionDocument(address: document.address, document.stored))
        return document.body
    }

    /// Returns the source of a package that stores only tiles with the signed hashes.
    func checked(
        _ offered: PackageSource, _ package: CatalogPackage
    ) async throws(MapLoaderFailure) -> PackageSource {
        guard var archive = offered.archive, let hashes = offered.hashes, hashes.isSecure,
            await archive.fits(hashes, size: package.edition?.archiveBytes)
        else {
            let reason = offered.problem.isEmpty ? "it has another length or content" : offered.problem
            throw CatalogSignature.untrusted(
                "\(package.id): its archive is not the one in the signed catalogue (\(reason)); try again later"
            )
        }
        var offered = offered
        archive.signed = hashes
        offered.source.supply = archive
        return offered
    }

    /// Stores the time of the signature with all installed packages, so that no older catalogue is accepted.
    func noteSignature(of loaded: LoadedCatalog) throws(MapLoaderFailure) {
        guard let signature = loaded.signature else { return }
        let installed = try installed(loaded)
        for package in loaded.catalog.packages where installed[package.id]?.record.definition != nil {
            try note(package, in: loaded) { members in
                // The member "key" stays that of the stored edition, whose catalogue it has signed.
                members["pin"] = .string(signature.key.text)
                members["signed"] = .integer(Int(clamping: signature.time.value))
            }
        }
    }
}
