internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// A file on a web server that is read in parts, through the store of answers.
struct RemoteFile: Sendable {
    /// Asks for the file; each read adds its range.
    let request: HTTPRequest
    let loader: DocumentLoader

    /// Why a part could not be had.
    enum Failure: Error {
        /// The file is not the one any more whose parts were read before.
        case changed
        case failed(TileFailure)
    }

    var name: String { request.address.canonical }

    /// The first bytes, which tell where everything is.
    /// - Parameters:
    ///   - prefersStored: whether to make do with what is kept, whatever its age.
    ///   - isReload: whether to ask even about what is fresh.
    func start(prefersStored: Bool, isReload: Bool) async throws(ArchiveFailure) -> Document {
        var request = request
        request.range = ByteRange(offset: 0, count: UInt64(PMTilesIndex.startLength))
        if prefersStored, let stored = loader.stored(request) { return stored }
        do throws(DocumentFailure) {
            return try await loader.load(request, isReload: isReload)
        } catch {
            throw ArchiveFailure(error, name: name, address: request.address)
        }
    }

    /// A part that the store has of that version of the file.
    func stored(_ key: ResourceKey, version: String) -> StoredResponse? {
        guard let kept = loader.store?.response(for: key), kept.body != nil, kept.dataVersion == version
        else { return nil }
        return kept
    }

    /// A part as a server sent it.
    struct Part {
        let request: HTTPRequest
        let response: HTTPResponse
        let version: String

        var bytes: [UInt8] { response.body }
    }

    /// Keeps what was made of a part, if that is allowed.
    func keep(_ body: [UInt8], of part: Part, _ policy: StoragePolicy, for key: ResourceKey) {
        guard part.response.mayBeKept(for: part.request) else { return }
        var kept = StoredResponse(
            body: body, freshness: part.response.freshness(policy), headers: part.response.headers)
        kept.dataVersion = part.version
        loader.store?.keep(kept, for: key)
    }

    /// What a part that is no tile is kept under.
    func key(of section: PMTilesHeader.Section) -> ResourceKey { asking(section, .prefetch).documentKey }

    func asking(_ section: PMTilesHeader.Section, _ priority: HTTPPriority) -> HTTPRequest {
        var request = request
        request.range = ByteRange(offset: section.offset, count: section.length)
        request.priority = priority
        return request
    }

    /// Reads a part from the server.
    /// - Parameter version: what the file must still be.
    func read(
        _ section: PMTilesHeader.Section, version: String, priority: HTTPPriority
    ) async throws(Failure) -> Part {
        let response: HTTPResponse, request = asking(section, priority)
        do throws(HTTPFailure) {
            response = try await loader.client.load(request)
        } catch {
            loader.store?.count(.failure)
            // A file that has become shorter.
            if error.status == 416 { throw .changed }
            throw .failed(TileFailure(error))
        }
        return try part(response, to: request, section, version: version)
    }

    /// What a server sent for a part, once it is sure to be that.
    func part(
        _ response: HTTPResponse, to request: HTTPRequest, _ section: PMTilesHeader.Section, version: String
    ) throws(Failure) -> Part {
        if response.isAbsent { throw .failed(TileFailure(.sourceFailed, "\(name): the archive is gone")) }
        if let found = RemoteFile.version(response.headers), found != version { throw .changed }
        guard UInt64(response.body.count) == section.length else {
            throw .failed(TileFailure(.badContent, "\(name): the archive was cut short; its owner must replace it"))
        }
        loader.store?.count(.download)
        loader.store?.count(.bytes, response.wireBytes)
        return Part(request: request, response: response, version: version)
    }

    /// What tells one state of a file from another; nil if the server doesn't say. A weak ETag
    /// tells as much as a strong one.
    static func version(_ headers: HTTPHeaders) -> String? {
        guard let etag = headers.first("ETag") else { return headers.first("Last-Modified") }
        return etag.hasPrefix("W/") ? String(etag.dropFirst(2)) : etag
    }
}

extension ArchiveFailure {
    /// Why an archive's beginning could not be had.
    init(_ failure: DocumentFailure, name: String, address: HTTPAddress) {
        guard case .notFetched(let cause) = failure else {
            self.init(name, .cannotOpen, "the server has no such file", "check the address")
            return
        }
        if cause.fault == .rangeIgnored || cause.status == 200 {
            self.init(
                name, .unsupported, "the server sends whole files only, not the parts that are needed",
                "download the archive and open the file")
            return
        }
        let prefix = "\(address): "
        let problem = cause.message.hasPrefix(prefix) ? String(cause.message.dropFirst(prefix.count)) : cause.message
        self.init(name, .cannotOpen, problem, "check the address, or try again later")
    }
}
