internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

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
        guard let hashes, var archive, let part = old.parts.first else { return source }
        guard part.origin.isSameSource(as: archive.origin) else {
            source.problem = "the archive has moved since the installed edition"
            return source
        }
        let edition = part.origin.edition.version
        let kept = try store.documents(of: old.number).first { PackageSource.isList($0, of: edition) }
        guard let list = kept?.response.body.flatMap({ try? TileHashes($0) }) else {
            source.problem = "the installed edition has no list of hashes"
            return source
        }
        archive.known = TilePatch(earlier: edition, old: list, new: hashes)
        source.source = self.source.supplied(by: archive)
        return source
    }

    private static func isList(_ document: RegionDocument, of edition: String) -> Bool {
        document.response.dataVersion == edition
            && document.response.body?.starts(with: TileHashes.mark) == true
    }
}

/// Tile hashes: an update fetches only the tiles whose hashes differ.
extension MapLoader {
    /// Opens the source of a package, and loads its tile hashes if the publisher provides them for this
    /// edition.
    /// - Parameter job: The operation that will read the tiles; nil if they won't be read.
    func offered(
        _ package: CatalogPackage, _ opener: WebSourceOpener, _ job: PackageJob? = nil
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
        let document = try await list(address, opener)
        do throws(TileHashesFailure) {
            guard let document else { throw .other }
            let hashes = try TileHashes(document.body), beginning = await archive.beginning
            guard hashes.version == "\(edition.version)", hashes.fits(beginning) else {
                offered.problem = "the list of hashes belongs to another edition"
                return offered
            }
            offered.hashes = hashes
            offered.list = MapLoader.stored(document, of: archive.origin, at: address)
        } catch {
            offered.problem =
                document == nil
                ? "the list of hashes is missing" : "the list of hashes can't be used: \(error)"
        }
        return offered
    }

    /// - Returns: The document with the tile hashes; nil if the server doesn't have it.
    private func list(
        _ address: String, _ opener: WebSourceOpener
    ) async throws(MapLoaderFailure) -> Document? {
        let resource: WebResource
        do throws(WebSourceFailure) { resource = try opener.resource(document: address, isLocal: true) } catch
        { throw MapLoaderFailure(error) }
        do throws(DocumentFailure) {
            return try await opener.loader.load(resource)
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
