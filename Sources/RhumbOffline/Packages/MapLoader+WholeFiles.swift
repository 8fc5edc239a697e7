internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

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
            guard (source.layer.source as? RemotePMTiles)?.needsCopy == true else { return source }
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
        let resource: WebResource, definition = try place(of: package).source
        do throws(WebSourceFailure) { resource = try opener.resource(definition) } catch {
            throw MapLoaderFailure(error)
        }
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
