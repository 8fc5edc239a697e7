public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// The plan of an installation of packages.
public struct PackagePlan: OfflinePlan {
    /// A package to install or to complete.
    public struct Package: Sendable, Equatable, Identifiable {
        /// The package's entry in the catalogue.
        public let package: CatalogPackage
        /// The maximum number of bytes left to fetch.
        public let bytes: Int
        /// The maximum number of bytes that the package adds to the store.
        public let storedBytes: Int
        /// The part of `bytes` that are heights, an estimate; 0 without heights.
        public let heightBytes: Int
        /// True if the package is already partially installed.
        public let isPartial: Bool

        /// The package's id in the catalogue.
        public var id: String { package.id }
    }

    /// The packages to fetch, after groups are replaced by their contents.
    public let packages: [Package]
    /// The ids of the packages that are already installed.
    public let installed: [String]
    /// The catalogue's id.
    public var catalog: String { loaded.catalog.id }
    /// The names of the selected data groups.
    public let features: Set<String>
    /// Sentences about providers whose terms don't say whether downloads are allowed. The user may confirm
    /// that they are.
    public let unsaidTerms: [String]
    /// The space that is free for the packages; nil if unknown.
    let room: RegionRoom?
    /// The free bytes of the quota or the disk; nil if unknown.
    public var freeBytes: Int? { room?.free }
    /// The free bytes as text, such as "3 GB free"; nil if unknown.
    public var freeText: String? { room.map { $0.text + (hasRoom ? "" : ", not enough") } }
    /// The source of the heights to include; nil for none.
    public let heights: String?
    /// A sentence with the fingerprint of the catalogue's key, for the first installation from it; nil if the
    /// key is known or the catalogue is not signed.
    public var keyNotice: String? { loaded.signature?.notice }
    /// True if the user confirmed that the providers allow it. Needed only if their terms leave this open.
    public var isPermitted = false
    let loaded: LoadedCatalog
    let loader: MapLoader

    /// Starts to install the packages, including those they consist of. Skips installed packages, and fetches
    /// only the missing tiles of partial ones.
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func start() async throws(OfflineFailure) -> PackageJob {
        try await loader.begin(.install) { (job) throws(MapLoaderFailure) in
            try await loader.install(self, job)
        }
    }

    /// The maximum number of bytes left to fetch.
    public var bytes: Int { packages.reduce(0) { $0 + $1.bytes } }
    /// The bytes of each selected data group, by name. Data that belongs to no group is not included.
    public var featureBytes: [String: Int] {
        packages.reduce(into: [:]) { sums, item in
            for (name, bytes) in item.package.edition?.featureBytes ?? [:] where features.contains(name) {
                sums[name, default: 0] += bytes
            }
        }
    }
    /// The part of `bytes` that are heights, an estimate.
    public var heightBytes: Int { packages.reduce(0) { $0.saturatingAdd($1.heightBytes) } }
    /// True if there is room for all packages.
    public var hasRoom: Bool { freeBytes.map { storedBytes <= $0 } ?? true }
    /// The maximum number of bytes that the packages add to the store.
    public var storedBytes: Int { packages.reduce(0) { $0 + $1.storedBytes } }
}

extension MapLoader {
    /// The id of the catalogue.
    /// - Throws: `MapLoaderFailure`
    public func catalogID() async throws(MapLoaderFailure) -> String { try await catalog().catalog.id }

    /// Returns a package and all its descendants, parents first. If `id` is nil, starts at the root.
    /// - Throws: `MapLoaderFailure`
    public func tree(_ id: String? = nil) async throws(MapLoaderFailure) -> [MapPackage] {
        let loaded = try await catalog()
        var found: [CatalogPackage] = [], waiting = [loaded.tree.root]
        if let id { waiting = [try loaded.package(id)] }
        while let next = waiting.popLast() {
            found.append(next)
            waiting += loaded.tree.children(of: next).reversed()
        }
        return try snapshots(found, loaded)
    }

    /// Plans an installation. Fetches only the catalogue, and the metadata of sources whose size the
    /// catalogue doesn't state.
    /// - Parameters:
    ///   - heights: The source of the heights to include; nil for none.
    ///   - measures: False to fetch only the catalogue, and to count such packages and heights as empty.
    /// - Throws: `MapLoaderFailure`
    public func plan(
        _ ids: [String], heights: String? = nil, measures: Bool = true
    ) async throws(MapLoaderFailure) -> PackagePlan {
        var weights: TileWeights?
        return try await plan(ids, heights, measures, &weights)
    }

    /// - Parameter weights: Samples of the heights, to which this adds those that are missing; nil to
    ///   estimate their sizes without loading tiles.
    private func plan(
        _ ids: [String], _ heights: String?, _ measures: Bool, _ weights: inout TileWeights?
    ) async throws(MapLoaderFailure) -> PackagePlan {
        let loaded = try await catalog(), installed = try installed(loaded),
            contents = try loaded.contents(of: ids)
        var packages: [PackagePlan.Package] = []
        for package in contents where installed[package.id]?.lacks(heights) ?? true {
            packages.append(
                try await plan(package, loaded, installed[package.id], heights, measures, &weights))
        }
        let unsaid =
            try unsaidTerms(of: packages.filter { !$0.isPartial }.map(\.package))
            + unsaidTerms(ofHeights: heights, packages.first { installed[$0.id]?.heights == nil }?.package)
        return PackagePlan(
            packages: packages,
            installed: contents.filter { installed[$0.id]?.lacks(heights) == false }.map(\.id),
            features: features, unsaidTerms: unsaid,
            room: room, heights: heights, loaded: loaded, loader: self)
    }

    /// Plans an installation. Includes heights if their provider allows downloads without asking, and they
    /// add less than a quarter. Loads a few of their tiles to estimate their size.
    /// - Parameters:
    ///   - source: The source of the heights; nil for none.
    ///   - measures: As for a plan without heights. With them, sizes are always measured.
    /// - Throws: `MapLoaderFailure`
    public func plan(
        _ ids: [String], smallHeights source: String?, measures: Bool = true
    ) async throws(MapLoaderFailure) -> PackagePlan {
        let root = try await catalog().tree.root
        var weights: TileWeights? = TileWeights()
        if let source, (try? heightSource(source, root).policy.offline) == .allowed,
            let high = try? await plan(ids, source, true, &weights),
            high.heightBytes > 0, high.heightBytes.saturatingMultiply(5) < high.bytes
        {
            return high
        }
        return try await plan(ids, measures: measures)
    }

    private func plan(
        _ package: CatalogPackage, _ loaded: LoadedCatalog, _ there: InstalledPackage?, _ heights: String?,
        _ measures: Bool, _ weights: inout TileWeights?
    ) async throws(MapLoaderFailure) -> PackagePlan.Package {
        let missing = measures && there?.heights == nil ? heights : nil
        let heightBytes = try await size(ofHeights: missing, package, loaded, &weights)?.most ?? 0
        let fetched: Int, stored: Int
        if let edition = package.edition {
            let all = edition.bytes(with: features)
            stored = max(all - (there?.record.bytes ?? 0), 0)
            // The remaining share of the archive is that of the tiles.
            let share = all > 0 ? Double(stored) / Double(all) : 1
            fetched = edition.archiveBytes.map { Int(Double($0) * share) } ?? stored
        } else {
            let size = measures ? try await size(of: package, loaded) : nil
            fetched = size?.fetched.most ?? 0
            stored = size?.stored.most ?? 0
        }
        return PackagePlan.Package(
            package: package, bytes: fetched.saturatingAdd(heightBytes),
            storedBytes: stored.saturatingAdd(heightBytes), heightBytes: heightBytes, isPartial: there != nil)
    }

    /// Returns the estimated size of a package's heights; nil for none.
    private func size(
        ofHeights specifier: String?, _ package: CatalogPackage, _ loaded: LoadedCatalog,
        _ weights: inout TileWeights?
    ) async throws(MapLoaderFailure) -> ByteEstimate? {
        guard let specifier else { return nil }
        let source = try await source(of: package, opener)
        guard let heights = try await heights(specifier, of: package, source, loaded, opener) else {
            return nil
        }
        let definition = try definition(package, source, loaded, edition: nil, heights: heights)
        let cost = try MapLoader.storing { () throws(RegionStoreFailure) in
            try regions.plan(definition, [heights])
        }
        guard var sampled = weights else { return cost.size }
        let area = definition.geometry
        _ = await sampled.sample(of: definition, [heights], cost, in: area.bounds, zooms: 1)
        weights = sampled
        return sampled.applied(to: cost, of: area).size
    }

    /// Returns the sizes of a package without editions in bytes, fetched and stored: from its archive's
    /// directories, or estimated.
    private func size(
        of package: CatalogPackage, _ loaded: LoadedCatalog
    ) async throws(MapLoaderFailure) -> (fetched: ByteEstimate, stored: ByteEstimate) {
        let source: RegionSource
        do throws(MapLoaderFailure) { source = try await self.source(of: package, opener) } catch {
            guard error.obstacle == .wholeFilesOnly else { throw error }
            // The compression of its tiles is unknown.
            let size = Double(try await announcedSize(of: package) ?? 0), stored = size * TileBody.packedRatio
            return (
                ByteEstimate(bytes: Int(clamping: size), margin: 0),
                ByteEstimate(bytes: Int(clamping: stored), margin: 0)
            )
        }
        return try await size(of: package, source, loaded)
    }

    /// Returns the sizes of the tiles that an opened source has for a package in bytes, fetched and stored.
    func size(
        of package: CatalogPackage, _ source: RegionSource, _ loaded: LoadedCatalog
    ) async throws(MapLoaderFailure) -> (fetched: ByteEstimate, stored: ByteEstimate) {
        if case .archive? = package.content, let archive = source.supply as? RemoteArchiveSupply {
            let bytes = await archive.tileBytes
            return (
                ByteEstimate(bytes: bytes, margin: 0), ByteEstimate(bytes: archive.stored(bytes), margin: 0)
            )
        }
        let definition = try definition(package, source, loaded, edition: nil)
        let plan = try MapLoader.storing { () throws(RegionStoreFailure) in
            try regions.plan(definition, [source])
        }
        return (plan.size, plan.storedSize)
    }

    /// Returns the updates according to the stored catalogue, without a request; nil if none is stored.
    public func knownUpdates() -> UpdatePlan? {
        guard let loaded = stored() else { return nil }
        return try? updates(loaded)
    }

    /// Selects exactly these data groups for later installations, besides the base map.
    public func select(exactly wanted: Set<Feature>) {
        for feature in Feature.all {
            if wanted.contains(feature) { select(feature) } else { deselect(feature) }
        }
    }
}

extension ByteEstimate {
    /// The upper limit of the size, at most that of an edition.
    fileprivate var most: Int { min(bytes.saturatingAdd(margin), PackageEdition.largest) }
}

/// The source of a package's offered edition, with its tile hashes.
struct PackageSource: Sendable {
    var source: RegionSource
    /// The document with the tile hashes, to be stored with the package.
    var list: RegionDocument?
    var hashes: TileHashes?
    /// The reason why the hashes can't be used; empty if they can. Safe to print.
    var problem = ""

    var archive: RemoteArchiveSupply? { source.supply as? RemoteArchiveSupply }

    /// Returns the source limited to the tiles that differ from the installed edition. Sets `problem` if that
    /// isn't possible.
    func since(_ old: RegionRecord, _ store: RegionStore) throws(RegionStoreFailure) -> PackageSource {
        var source = self
        guard let hashes, var archive else { return source }
        guard let part = old.parts.first(where: { $0.origin.isSameSource(as: archive.origin) }) else {
            source.problem = "the archive has moved since the installed edition"
            return source
        }
        let edition = part.origin.edition.version
        let stored = try store.documents(of: old.number).first { PackageSource.isList($0, of: edition) }
        guard let list = stored?.response.body.flatMap({ try? TileHashes($0) }) else {
            source.problem = "the installed edition has no list of hashes"
            return source
        }
        archive.patch = TilePatch(earlier: edition, old: list, new: hashes)
        source.source.supply = archive
        return source
    }

    private static func isList(_ document: RegionDocument, of edition: String) -> Bool {
        document.response.dataVersion == edition
            && [TileHashes.mark, TileHashes.secureMark].contains {
                document.response.body?.starts(with: $0) == true
            }
    }
}

/// Tile hashes: an update fetches only the tiles whose hashes differ.
extension MapLoader {
    /// Opens the source of a package, and loads its tile hashes if the publisher provides them for this
    /// edition.
    /// - Parameter job: The operation that will read the tiles; nil if they won't be read.
    /// - Throws: `MapLoaderFailure.untrusted` if the archive or list differs from the signed catalogue.
    func offered(
        _ package: CatalogPackage, _ loaded: LoadedCatalog, _ opener: WebSourceOpener,
        _ job: PackageJob? = nil
    ) async throws(MapLoaderFailure) -> PackageSource {
        let offered = try await unchecked(package, opener, job)
        return loaded.signature == nil ? offered : try await checked(offered, package)
    }

    private func unchecked(
        _ package: CatalogPackage, _ opener: WebSourceOpener, _ job: PackageJob?
    ) async throws(MapLoaderFailure) -> PackageSource {
        let source =
            if let job { try await source(of: package, opener, job) } else {
                try await source(of: package, opener)
            }
        var offered = PackageSource(source: source)
        guard let edition = package.edition, let address = edition.hashes else {
            offered.problem = "the publisher provides no list of hashes"
            return offered
        }
        guard let archive = offered.archive else { return offered }
        let document = try await list(address, edition.sha256, opener)
        do throws(TileHashesFailure) {
            guard let document else { throw .other }
            let hashes = try TileHashes(document.body)
            guard hashes.version == "\(edition.version)", await archive.fits(hashes, size: nil) else {
                offered.problem = "the list of hashes belongs to another edition"
                return offered
            }
            offered.hashes = hashes
            offered.list = MapLoader.stored(document, of: archive.origin, at: address)
        } catch {
            offered.problem =
                document == nil
                ? "the list of hashes is missing or another one"
                : "the list of hashes can't be used: \(error)"
        }
        return offered
    }

    /// - Parameter sum: The SHA-256 of the list; nil for any.
    /// - Returns: The document with the tile hashes; nil if the server doesn't have it.
    private func list(
        _ address: String, _ sum: String?, _ opener: WebSourceOpener
    ) async throws(MapLoaderFailure) -> Document? {
        let resource: WebResource
        do throws(WebSourceFailure) { resource = try opener.resource(document: address, isLocal: true) } catch
        { throw MapLoaderFailure(error) }
        do throws(DocumentFailure) {
            let document = try await opener.loader.load(resource)
            if sum == nil || SHA256Sum.of(document.body) == sum { return document }
            let newest = try await opener.loader.load(resource, isReload: true)
            return SHA256Sum.of(newest.body) == sum ? newest : nil
        } catch {
            if case .absent = error { return nil }
            throw MapLoaderFailure(error)
        }
    }

    /// Returns the hash list to store with the package, marked with the archive's edition.
    private static func stored(
        _ document: Document, of origin: TileOrigin, at address: String
    ) -> RegionDocument? {
        guard document.isStorable else { return nil }
        var stored = document.stored
        stored.dataVersion = origin.edition.version
        return RegionDocument(address: document.address, stored)
    }
}
