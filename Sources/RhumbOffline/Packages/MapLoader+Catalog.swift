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
        if !isReload, let kept = stored() { return kept }
        let resource = try resource(), document: Document
        do throws(DocumentFailure) {
            document = try await opener.loader.load(resource, isReload: isReload)
        } catch {
            throw MapLoaderFailure(error)
        }
        if isReload, case .outdated(let cause?) = document.standing {
            throw MapLoaderFailure(.connectionFailed, cause.message)
        }
        return try LoadedCatalog(document, resource, opener.loader.store)
    }

    /// Returns the catalogue without a request; nil if it is not stored.
    func stored() -> LoadedCatalog? {
        if let local = try? local() { return local }
        guard let resource = try? resource(), let kept = opener.loader.stored(resource) else { return nil }
        return try? LoadedCatalog(kept, resource, opener.loader.store)
    }

    private func resource() throws(MapLoaderFailure) -> WebResource {
        do throws(WebSourceFailure) { return try opener.resource(document: address) } catch {
            throw MapLoaderFailure(error)
        }
    }

    /// Returns a generated catalogue or one from a file; nil if the address is on the web.
    private func local() throws(MapLoaderFailure) -> LoadedCatalog? {
        if address.hasPrefix(PackageCatalog.countriesPrefix) {
            let source = String(address.dropFirst(PackageCatalog.countriesPrefix.count))
            do throws(PackageCatalogFailure) {
                return LoadedCatalog(try .countries(of: source), nil, at: address)
            } catch {
                throw MapLoaderFailure(.initializationFailed, "\(error)")
            }
        }
        guard !SourceDefinition.isAddress(address) else { return nil }
        let path = Files.named(URLReference(address).localPath ?? address)
        guard let bytes = CachedFile.read(path, opener.loader.store) else {
            throw MapLoaderFailure(.initializationFailed, "\(FileProblem(path))")
        }
        do throws(PackageCatalogFailure) {
            let packed = PackedCatalog(of: CachedFile.address(path), in: opener.loader.store)
            let catalog = try packed.catalog(bytes, at: URLReference.file(path))
            return LoadedCatalog(catalog, CachedFile.document(path), at: path)
        } catch {
            throw MapLoaderFailure(.initializationFailed, "\(address): \(error)")
        }
    }
}
