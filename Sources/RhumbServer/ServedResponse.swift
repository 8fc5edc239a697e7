internal import CMicroHTTP
internal import Glibc
internal import RhumbCore
internal import RhumbStore
internal import Synchronization

/// A response of the server. It may be sent several times.
public final class ServedResponse: Sendable {
    package let status: UInt32
    /// The number of bytes of the body.
    let count: Int
    nonisolated(unsafe) private let pointer: OpaquePointer?
    /// Computes the response while the connection waits; nil if it is ready.
    let compute: (@Sendable () async -> ServedResponse)?
    /// True once it has the fields of every response.
    private let isComplete = Mutex(false)

    /// Creates a response with a body.
    public init(_ status: Int, _ body: [UInt8], fields: KeyValuePairs<String, String> = [:]) {
        self.status = UInt32(status)
        count = body.count
        compute = nil
        pointer = body.withUnsafeBytes { rhumb_http_response($0.baseAddress, $0.count) }
        add(fields)
    }

    /// Creates a response with a part of a file, which is closed afterwards.
    init(_ status: Int, file: Int32, offset: UInt64, count: UInt64) {
        self.status = UInt32(status)
        self.count = Int(clamping: count)
        compute = nil
        pointer = rhumb_http_file_response(file, offset, count)
        if pointer == nil { close(file) }
    }

    /// Creates a response that is computed while the connection waits.
    public init(computing: @escaping @Sendable () async -> ServedResponse) {
        status = 500
        count = 0
        pointer = nil
        compute = computing
    }

    deinit { if let pointer { rhumb_http_release(pointer) } }

    /// Returns a response without a body.
    static func empty(_ status: Int, _ fields: KeyValuePairs<String, String> = [:]) -> ServedResponse {
        ServedResponse(status, [], fields: fields)
    }

    /// The response that nothing is published under a path.
    static var absent: ServedResponse { .empty(404, ["Cache-Control": "max-age=60"]) }

    /// The response that the content can't be read now, or at all.
    static var failed: ServedResponse {
        lacksResources ? .unavailable : .empty(500, ["Cache-Control": "no-store"])
    }

    /// The response that the client should try again.
    static var unavailable: ServedResponse {
        .empty(503, ["Cache-Control": "no-store", "Retry-After": "1"])
    }

    /// True if the process can't open any file now.
    private static var lacksResources: Bool {
        let file = open("/", O_RDONLY | O_CLOEXEC)
        if file >= 0 { close(file) }
        return file < 0
    }

    /// Adds a field before the response is sent for the first time.
    func addField(_ name: String, _ value: String) {
        if let pointer { rhumb_http_add_field(pointer, name, value) }
    }

    private func add(_ fields: KeyValuePairs<String, String>) {
        for (name, value) in fields { addField(name, value) }
    }

    /// Returns the response with the fields of every response. A response that is sent several times keeps
    /// those of the first time.
    func completed(with fields: [(name: String, value: String)]) -> ServedResponse {
        if let compute { return ServedResponse { await compute().completed(with: fields) } }
        isComplete.withLock { isComplete in
            guard !isComplete else { return }
            isComplete = true
            for (name, value) in fields { addField(name, value) }
        }
        return self
    }

    func queue(on connection: OpaquePointer) -> Bool {
        guard let pointer else { return false }
        return rhumb_http_queue(connection, status, pointer)
    }
}

/// The open file of an archive, which stays readable after another file has taken its name.
final class ServedFile: Sendable {
    /// The facts of the file when it was opened.
    let facts: FileFacts
    private let path: String
    private let descriptor: Int32

    /// Opens a file or folder; nil if that fails.
    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let facts = FileFacts(descriptor: descriptor) else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.descriptor = descriptor
        self.facts = facts
    }

    deinit { close(descriptor) }

    /// Returns another descriptor of the file, which the caller closes; nil if the process has too many.
    func duplicate() -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    /// The facts of another file that has the name now, or of this one after it was changed; nil while the
    /// name still leads to this file, or to none.
    var successor: FileFacts? { FileFacts(path).flatMap { $0 == facts ? nil : $0 } }
}

extension FileFacts {
    /// The ETag, which changes with the file.
    var etag: String {
        "\"\(String(size, radix: 16))-\(String(modified.value, radix: 16))-\(String(nanoseconds, radix: 16))\""
    }

    /// Returns true if both are facts of one file, which may have changed.
    func isSameFile(as other: FileFacts) -> Bool { device == other.device && node == other.node }
}
