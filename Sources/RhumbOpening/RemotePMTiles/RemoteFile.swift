package import RhumbCore
package import RhumbEngine
package import RhumbHTTP
package import RhumbStore

/// A file on a web server that is read in parts, through the response store.
package struct RemoteFile: Sendable {
    /// The whole file. Requests are for ranges of it.
    let resource: WebResource
    package let loader: DocumentLoader
    /// The address that identifies the tiles of all builds of the file; nil for its own.
    var sharedAddress: String?
    /// The copy to read from; nil to request ranges.
    var copy: WholeFile?
    let limit = RangeLimit()

    /// Why a part could not be read.
    package enum Failure: Error {
        /// The file has another version now.
        case changed
        case request(HTTPFailure)
        case failed(TileFailure)
    }

    /// The file's name for people and errors.
    package var name: String { resource.address.canonical }

    /// The origin of its tiles in every edition. Its size is 0: only the archive states the size.
    var origin: TileOrigin {
        TileOrigin(
            source: resource.rules?.id ?? resource.address.host, address: sharedAddress ?? name, size: 0)
    }

    /// Some of its bytes.
    func range(_ section: PMTilesHeader.Section) -> WebResource {
        var range = WebResource(
            document: resource.address, range: ByteRange(offset: section.offset, count: section.length),
            rules: resource.rules, headers: resource.headers)
        range.passesThrough = resource.passesThrough
        return range
    }

    /// The bytes that an archive is opened by.
    var beginning: WebResource { range(.init(offset: 0, length: UInt64(PMTilesIndex.startLength))) }

    /// Loads the first bytes, which hold the header and the root directory.
    /// - Parameters:
    ///   - prefersStored: If true, a stored response is used whatever its age.
    ///   - isReload: If true, a fresh stored response is revalidated.
    package func start(prefersStored: Bool, isReload: Bool) async throws(ArchiveFailure) -> Document {
        do throws(DocumentFailure) {
            if let copy {
                let bytes = copy.bytes(FileSection(offset: 0, length: UInt64(PMTilesIndex.startLength)))
                return try await loader.take(copy.response.part(bytes), HTTPRequest(beginning), beginning)
            }
            if prefersStored, let stored = loader.stored(beginning) { return stored }
            return try await loader.load(beginning, isReload: isReload)
        } catch {
            throw ArchiveFailure(error, name: name, address: resource.address)
        }
    }

    /// A part that the store has of that version of the file.
    func stored(_ key: ResourceKey?, version: String) -> StoredResponse? {
        guard let key, let kept = loader.store?.response(for: key), kept.dataVersion == version else {
            return nil
        }
        return kept
    }

    /// Stores the data of a part, if that is allowed.
    @discardableResult
    func keep(
        _ body: [UInt8], of part: Part, _ policy: StoragePolicy, for key: ResourceKey?
    ) -> StoredResponse {
        var answer = StoredResponse(part.response, to: part.request, policy)
        answer.body = body
        answer.dataVersion = part.version
        if let key, part.response.verdict(for: part.request) == .body { loader.store?.keep(answer, for: key) }
        return answer
    }

    /// Returns the key of a part that is not a tile.
    func key(of section: PMTilesHeader.Section) -> ResourceKey? { range(section).key }

    /// Returns the version of a file's contents; nil if the server sends none. A weak ETag is as good as a
    /// strong one.
    package static func version(_ headers: HTTPHeaders) -> String? {
        guard let etag = headers.first("ETag") else { return headers.first("Last-Modified") }
        return etag.hasPrefix("W/") ? String(etag.dropFirst(2)) : etag
    }
}

extension RemoteFile.Failure {
    /// The failure of a tile that needs the part.
    package func tileFailure(_ file: RemoteFile) -> TileFailure {
        switch self {
        case .failed(let failure): failure
        case .request(let failure): TileFailure(failure)
        case .changed:
            TileFailure(.unreadable, "\(file.name): the archive changed while it was read; try again")
        }
    }
}

extension ArchiveFailure {
    /// The failure to load an archive's first bytes.
    init(_ failure: DocumentFailure, name: String, address: HTTPAddress) {
        guard case .notFetched(let cause) = failure else {
            self.init(name, .cannotOpen, "no such file on the server", "check the URL")
            return
        }
        if cause.fault == .rangeIgnored || cause.status == 200 {
            self.init(
                name, .unsupported, "the server does not support range requests",
                "download the archive and open the file")
            obstacle = .wholeFilesOnly
            return
        }
        let prefix = "\(address): "
        let problem =
            cause.message.hasPrefix(prefix) ? String(cause.message.dropFirst(prefix.count)) : cause.message
        self.init(name, .cannotOpen, problem, "check the URL, or try again later")
        if cause.isLostConnection { obstacle = .connection }
    }
}
