internal import CCrypto
internal import CCurl
internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// Uploads objects to an S3-compatible store. Its methods block until the store has answered.
public final class S3Uploader {
    /// The condition of an upload.
    public enum Condition: Equatable, Sendable {
        case none
        /// The object must not exist.
        case absent
        /// The object must have this ETag.
        case unchanged(etag: String)
    }

    /// The reason why an upload failed. Its text contains no secret.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The store does not accept the request.
        case refused(String)
        /// The store can't be reached, or fails; the upload can be resumed.
        case interrupted(String)
        /// The object was changed or created by another user.
        case conflict(String)
        case file(String)

        public var description: String {
            switch self {
            case .refused(let text), .interrupted(let text), .conflict(let text), .file(let text): text
            }
        }
    }

    private let options: ClientOptions
    private let handle: EasyHandle
    private var store: S3Client
    /// The size of the parts of large objects, in bytes.
    private let partSize: Int
    /// The waits between attempts after a failure of the store, in seconds.
    private let waits: [Double]

    /// - Parameters:
    ///   - partSize: The size of the parts of large objects, in bytes; at least 5 MiB for most stores.
    ///   - waits: The waits between attempts after a failure of the store, in seconds.
    /// - Throws: `Failure.refused` if there are no credentials, or libcurl can't be loaded.
    public init(
        _ options: ClientOptions, partSize: Int = 16 << 20, waits: [Double] = [0.5, 2, 5]
    ) throws(Failure) {
        guard !options.objectStores.secrets.isEmpty else {
            throw .refused("uploads need credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
        }
        guard TransferThread.curlIsReady, let handle = EasyHandle(options: options) else {
            throw .refused(TransportFault.noLibrary.explanation)
        }
        self.options = options
        self.handle = handle
        self.partSize = partSize
        self.waits = waits
        store = S3Client(options.objectStores)
    }

    // MARK: Whole objects

    /// Returns an object and its ETag; nil if it doesn't exist.
    public func object(at address: String) throws(Failure) -> (body: [UInt8], etag: String?)? {
        let response = try send("GET", address, accepting: [200, 404])
        return response.status == 404 ? nil : (response.body, response.headers.first("ETag"))
    }

    /// Uploads an object in one request.
    public func put(
        _ body: [UInt8], to address: String, type: String, _ condition: Condition = .none
    ) throws(Failure) {
        _ = try send(
            "PUT", address, body, fields: ["Content-Type": type], condition, accepting: [200, 201, 204])
    }

    /// Uploads a file. A large one is uploaded in parts: readers see the old object until all parts have
    /// arrived. Parts that an interrupted upload of the same file has sent are not sent again.
    /// - Parameter isResumable: If false, an interrupted upload is aborted.
    /// - Returns: False if the store already has the same file.
    public func upload(
        _ path: String, to address: String, type: String, _ condition: Condition = .none,
        isResumable: Bool = true
    ) throws(Failure) -> Bool {
        guard let file = UploadedFile(path) else {
            throw .file("\(SafeText.sanitised(path)): can't be read")
        }
        let hash = try file.sha256()
        let old = try send("HEAD", address, accepting: [200, 404])
        if old.status == 200 {
            if old.headers.first("x-amz-meta-sha256") == hash { return false }
            if condition == .absent { throw .conflict("\(address): the object exists already") }
        }
        let own = ["Content-Type": type, "x-amz-meta-sha256": hash]
        if file.size <= partSize {
            let body = try file.bytes(at: 0, count: file.size)
            _ = try send("PUT", address, body, fields: own, condition, accepting: [200, 201, 204])
            WorkProgress.report(file.size, of: file.size)
        } else {
            try uploadParts(of: file, hash, to: address, own, condition, isResumable)
        }
        return true
    }

    // MARK: Parts

    private func uploadParts(
        of file: UploadedFile, _ hash: String, to address: String, _ own: [String: String],
        _ condition: Condition, _ isResumable: Bool
    ) throws(Failure) {
        var record = UploadRecord(file.path, address, hash, partSize: partSize)
        if record.upload == nil {
            let begun = try send("POST", address + "?uploads", fields: own, accepting: [200])
            let text = String(decoding: begun.body, as: UTF8.self)
            guard let id = S3Problem.element("UploadId", of: text), !id.isEmpty else {
                throw .refused("\(address): the store's response has no upload id")
            }
            record.upload = id
            record.save()
        }
        let id = PercentCoding.encoded(record.upload ?? "")
        do throws(Failure) {
            let count = (file.size + partSize - 1) / partSize
            for number in 1...count where record.etags[number] == nil {
                let start = (number - 1) * partSize
                let body = try file.bytes(at: start, count: min(partSize, file.size - start))
                let sent = try send(
                    "PUT", "\(address)?partNumber=\(number)&uploadId=\(id)", body, accepting: [200])
                record.etags[number] = sent.headers.first("ETag") ?? ""
                record.save()
                WorkProgress.report(min(start + partSize, file.size), of: file.size)
            }
            try complete(record, count, "\(address)?uploadId=\(id)", condition)
        } catch {
            // An interrupted upload is resumed by the next one.
            if isResumable, case .interrupted = error { throw error }
            _ = try? send("DELETE", "\(address)?uploadId=\(id)", accepting: [200, 204, 404])
            record.remove()
            throw error
        }
        record.remove()
    }

    private func complete(
        _ record: UploadRecord, _ count: Int, _ address: String, _ condition: Condition
    ) throws(Failure) {
        let parts = (1...count).map { number in
            "<Part><PartNumber>\(number)</PartNumber><ETag>\(S3Uploader.escaped(record.etags[number] ?? ""))</ETag></Part>"
        }
        let body = "<CompleteMultipartUpload>" + parts.joined() + "</CompleteMultipartUpload>"
        let response = try send(
            "POST", address, Array(body.utf8), fields: ["Content-Type": "application/xml"], condition,
            accepting: [200])
        // An error may follow the status, because the store sends the status before it has joined the parts.
        let text = String(decoding: response.body, as: UTF8.self)
        if let code = S3Problem.element("Code", of: text) {
            let name = SafeText.sanitised(hidden(code), limit: 40)
            if ["InternalError", "ServiceUnavailable", "SlowDown"].contains(code) {
                throw .interrupted("\(address): the store could not join the parts (\(name)); try again")
            }
            throw .refused("\(address): the store could not join the parts (\(name))")
        }
    }

    private func hidden(_ text: String) -> String {
        String(
            decoding: SecretMask(options.objectStores.secrets).removed(Array(text.utf8)), as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    // MARK: Requests

    private final class Response {
        var status = 0
        var headers = HTTPHeaders()
        var body: [UInt8] = []
    }

    private func send(
        _ method: String, _ address: String, _ body: [UInt8] = [], fields: [String: String] = [:],
        _ condition: Condition = .none, accepting accepted: [Int]
    ) throws(Failure) -> Response {
        let place = HTTPAddress(address.prefixUpTo("?")).description
        var hasChangedRegion = false, failures = 0
        while true {
            let now = UnixSeconds.now
            guard
                let wire = store.request(
                    for: HTTPAddress(address), at: now, method: method, body: body, fields: fields)
            else { throw .refused("\(place): not an address of an object store, such as s3://bucket/folder") }
            guard !wire.headers.isEmpty else {
                throw .refused("\(place): uploads need the credentials of this store")
            }
            let response = Response(), code = perform(method, wire, body, fields, condition, into: response)
            if code == CURLE_OK, accepted.contains(response.status) { return response }
            if code == CURLE_OK, !hasChangedRegion,
                store.notesRegion(
                    of: HTTPAddress(address), expected: wire.region, response.status, response.headers,
                    response.body)
            {
                hasChangedRegion = true
                continue
            }
            let isTransient = code != CURLE_OK || response.status >= 500 || response.status == 429
            guard isTransient else { throw failure(response, place, now) }
            guard failures < waits.count else {
                let cause = code == CURLE_OK ? "HTTP \(response.status)" : "the store can't be reached"
                throw .interrupted("\(place): \(cause); run the command again to resume the upload")
            }
            usleep(UInt32(waits[failures] * 1_000_000))
            failures += 1
        }
    }

    private func failure(_ response: Response, _ place: String, _ now: UnixSeconds) -> Failure {
        if [409, 412].contains(response.status) {
            return .conflict("\(place): the object was changed by another upload; nothing was replaced")
        }
        let body = Array(hidden(String(decoding: response.body, as: UTF8.self)).utf8)
        let problem = S3Problem.sentence(body, now: now, isSigned: true)
        return .refused("\(place): HTTP \(response.status), \(problem ?? "rejected by the object store")")
    }

    private func perform(
        _ method: String, _ wire: S3Client.WireRequest, _ body: [UInt8], _ fields: [String: String],
        _ condition: Condition, into response: Response
    ) -> CURLcode {
        rhumb_curl_easy_reset(handle.pointer)
        handle.configure(options)
        handle.set(CURLOPT_URL, wire.url)
        handle.set(CURLOPT_PATH_AS_IS, 1)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
        handle.set(CURLOPT_LOW_SPEED_TIME, 60)
        handle.set(CURLOPT_CUSTOMREQUEST, method)
        if method == "HEAD" { handle.set(CURLOPT_NOBODY, 1) }
        var lines = fields.map { "\($0.key): \($0.value)" } + wire.headers.map { "\($0.name): \($0.value)" }
        switch condition {
        case .none: break
        case .absent: lines.append("If-None-Match: *")
        case .unchanged(let etag): lines.append("If-Match: \(etag)")
        }
        lines.append("Expect:")
        if fields["Content-Type"] == nil { lines.append("Content-Type:") }
        handle.setHeaders(lines)
        let context = Unmanaged.passUnretained(response).toOpaque()
        handle.set(CURLOPT_HEADERDATA, context)
        handle.set(CURLOPT_WRITEDATA, context)
        handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let response = Unmanaged<Response>.fromOpaque(context).takeUnretainedValue()
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            let line = String(decoding: piece.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
            if line.hasPrefix("HTTP/") {
                response.headers = HTTPHeaders()
            } else if let colon = line.firstIndex(of: ":") {
                response.headers.append(String(line[..<colon]), line[line.index(after: colon)...].trimmed)
            }
            return size * count
        }
        handle.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let response = Unmanaged<Response>.fromOpaque(context).takeUnretainedValue()
            // The largest expected body is a catalogue.
            guard response.body.count < 256 << 20 else { return 0 }
            response.body += UnsafeRawBufferPointer(start: bytes, count: size * count)
            return size * count
        }
        let code = body.withUnsafeBytes { bytes in
            if ["PUT", "POST"].contains(method) {
                handle.set(CURLOPT_POST, 1)
                handle.set(CURLOPT_POSTFIELDSIZE_LARGE, bytes.count)
                handle.set(
                    CURLOPT_POSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? S3Uploader.nothing))
            }
            return rhumb_curl_easy_perform(handle.pointer)
        }
        response.status = handle.status
        return code
    }

    /// The place of an empty body.
    nonisolated(unsafe) private static let nothing = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
}

extension String {
    fileprivate func prefixUpTo(_ character: Character) -> String { String(prefix { $0 != character }) }
}
