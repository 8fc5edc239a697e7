internal import CMicroHTTP
internal import Glibc

/// A response of the server. It may be sent several times.
public final class ServedResponse: Sendable {
    let status: UInt32
    /// The number of bytes of the body.
    let count: Int
    nonisolated(unsafe) private let pointer: OpaquePointer?
    /// Computes the response while the connection waits; nil if it is ready.
    let compute: (@Sendable () async -> ServedResponse)?

    /// Creates a response with a body.
    public init(_ status: Int, _ body: [UInt8], fields: KeyValuePairs<String, String> = [:]) {
        self.status = UInt32(status)
        count = body.count
        compute = nil
        pointer = body.withUnsafeBytes { rhumb_http_response($0.baseAddress, $0.count) }
        add(fields)
    }

    /// Creates a response with a part of a file, which is closed afterwards.
    init(_ status: Int, file: Int32, offset: UInt64, count: UInt64, fields: KeyValuePairs<String, String>) {
        self.status = UInt32(status)
        self.count = Int(clamping: count)
        compute = nil
        pointer = rhumb_http_file_response(file, offset, count)
        if pointer == nil { close(file) }
        add(fields)
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

    /// Adds a field before the response is sent for the first time.
    func addField(_ name: String, _ value: String) {
        if let pointer { rhumb_http_add_field(pointer, name, value) }
    }

    private func add(_ fields: KeyValuePairs<String, String>) {
        guard let pointer else { return }
        // Pages of any address may read the responses.
        rhumb_http_add_field(pointer, "Access-Control-Allow-Origin", "*")
        rhumb_http_add_field(pointer, "Access-Control-Expose-Headers", "ETag, Content-Range")
        rhumb_http_add_field(pointer, "X-Content-Type-Options", "nosniff")
        for (name, value) in fields { rhumb_http_add_field(pointer, name, value) }
    }

    func queue(on connection: OpaquePointer) -> Bool {
        guard let pointer else { return false }
        return rhumb_http_queue(connection, status, pointer)
    }
}
