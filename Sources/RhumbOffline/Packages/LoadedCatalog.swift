internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// A parsed catalogue with its origin.
struct LoadedCatalog: Sendable {
    let catalog: PackageCatalog
    var tree: PackageTree { catalog.tree }
    /// The catalogue as stored with its packages for use without a network; nil if it can't be stored.
    let document: RegionDocument?
    /// The catalogue's address, without secrets.
    let address: String

    /// - Parameter store: Caches the packed catalogue beside its document; nil to disable caching.
    init(
        _ document: Document, _ resource: WebResource, _ store: (any ResponseStore)?
    ) throws(MapLoaderFailure) {
        var kept: String?
        if case .document(let address)? = resource.key, document.isStorable { kept = address }
        // A catalogue with secrets in its address may contain addresses with keys, which must never be
        // stored.
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
