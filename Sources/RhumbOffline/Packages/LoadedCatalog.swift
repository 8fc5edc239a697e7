internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// A catalogue as it was read last.
struct LoadedCatalog: Sendable {
    let catalog: PackageCatalog
    var tree: PackageTree { catalog.tree }
    /// As packages carry it, so that the tree is there without a network.
    let document: RegionDocument?
    /// The address, without secrets.
    let address: String

    /// - Parameter store: where the catalogue is kept beside its document.
    init(
        _ document: Document, _ resource: WebResource, _ store: (any ResponseStore)?
    ) throws(MapLoaderFailure) {
        var kept: String?
        if case .document(let address)? = resource.key, document.isStorable { kept = address }
        // Addresses in it may hold the keys of its own, which are never stored.
        let packed = kept.flatMap {
            resource.address.secrets.isEmpty ? PackedCatalog(of: $0, in: store) : nil
        }
        do throws(PackageCatalogFailure) {
            catalog = try (packed ?? PackedCatalog(of: "", in: nil)).catalog(
                document.body, at: resource.address.url)
        } catch {
            throw MapLoaderFailure(.connectionFailed, "\(resource.address): \(error)")
        }
        address = resource.address.canonical
        self.document = kept.map { RegionDocument(address: $0, document.stored) }
    }

    /// - Parameter address: A file, or the source that the catalogue is derived from.
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

    /// The packages with content that some packages consist of, each once.
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
