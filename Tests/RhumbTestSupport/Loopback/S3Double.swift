internal import Synchronization

/// A small S3-compatible store in memory: whole objects, conditions, and uploads in parts. It doesn't check
/// signatures.
public final class S3Double: Sendable {
    public struct Object: Sendable {
        public var body: [UInt8]
        public var etag: String
        var fields: [(name: String, value: String)]
    }

    private struct State {
        var objects: [String: Object] = [:]
        var uploads:
            [String: (path: String, fields: [(name: String, value: String)], parts: [Int: [UInt8]])] = [:]
        var count = 0
        var log: [String] = []
    }

    private let state = Mutex(State())
    private let failure: @Sendable (LoopbackRequest) -> LoopbackReply?
    /// nil until the server has started.
    private let holder = Mutex<LoopbackServer?>(nil)

    /// - Parameter failure: Returns the reply to a request that fails; nil if it succeeds.
    public init(failure: @escaping @Sendable (LoopbackRequest) -> LoopbackReply? = { _ in nil }) throws {
        self.failure = failure
        let server = try LoopbackServer { [weak self] request in
            self?.reply(to: request) ?? LoopbackReply(503)
        }
        holder.withLock { $0 = server }
    }

    /// The address of the store.
    public var url: String { holder.withLock { $0?.url("") ?? "" } }
    /// The objects by their paths, such as "/bucket/key".
    public var objects: [String: Object] { state.withLock { $0.objects } }
    /// The requests that were not only reading, such as "PUT /bucket/key".
    public var changes: [String] { state.withLock { $0.log } }
    /// The number of uploads in parts that are neither complete nor aborted.
    public var openUploads: Int { state.withLock { $0.uploads.count } }

    /// Replaces an object.
    public func set(_ path: String, _ body: [UInt8]) {
        state.withLock { state in
            state.count += 1
            state.objects[path] = Object(body: body, etag: "\"set-\(state.count)\"", fields: [])
        }
    }

    private func reply(to request: LoopbackRequest) -> LoopbackReply {
        let parts = request.target.split(separator: "?", maxSplits: 1)
        let path = String(parts.first ?? ""), query = parts.count > 1 ? String(parts[1]) : ""
        if request.method != "GET" && request.method != "HEAD" {
            state.withLock { $0.log.append("\(request.method) \(request.target)") }
        }
        if let failure = failure(request) { return failure }
        let items = Dictionary(
            query.split(separator: "&").map { item -> (String, String) in
                let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
                return (pair[0], pair.count > 1 ? pair[1] : "")
            }
        ) { $1 }
        return state.withLock { state in
            switch (request.method, items["uploadId"]) {
            case ("GET", _), ("HEAD", _):
                guard let object = state.objects[path] else { return LoopbackReply(404) }
                return LoopbackReply(200, request.method == "GET" ? object.body : []).with {
                    $0.headers = object.fields + [(name: "ETag", value: object.etag)]
                }
            case ("PUT", nil):
                return put(request.body, path, request, S3Double.kept(request), &state)
            case ("POST", nil) where items["uploads"] != nil:
                state.count += 1
                state.uploads["u\(state.count)"] = (path, S3Double.kept(request), [:])
                return LoopbackReply(200, Array("<R><UploadId>u\(state.count)</UploadId></R>".utf8))
            case ("PUT", let id?):
                guard let number = items["partNumber"].flatMap({ Int($0) }), state.uploads[id] != nil else {
                    return LoopbackReply(404)
                }
                state.uploads[id]?.parts[number] = request.body
                return LoopbackReply(200, headers: ["ETag": "\"part-\(number)\""])
            case ("POST", let id?):
                guard let upload = state.uploads[id] else { return LoopbackReply(404) }
                let body = upload.parts.sorted { $0.key < $1.key }.flatMap(\.value)
                let reply = put(body, upload.path, request, upload.fields, &state)
                if reply.status == 200 { state.uploads[id] = nil }
                return reply
            case ("DELETE", let id?):
                state.uploads[id] = nil
                return LoopbackReply(204)
            default: return LoopbackReply(400)
            }
        }
    }

    private static func kept(_ request: LoopbackRequest) -> [(name: String, value: String)] {
        request.headers.filter { $0.name.lowercased().hasPrefix("x-amz-meta-") }
    }

    private func put(
        _ body: [UInt8], _ path: String, _ request: LoopbackRequest,
        _ fields: [(name: String, value: String)],
        _ state: inout State
    ) -> LoopbackReply {
        let old = state.objects[path]?.etag
        if request.header("If-None-Match") == "*", old != nil { return LoopbackReply(412) }
        if let expected = request.header("If-Match"), expected != old { return LoopbackReply(412) }
        state.count += 1
        state.objects[path] = Object(body: body, etag: "\"\(state.count)\"", fields: fields)
        return LoopbackReply(200, headers: ["ETag": "\"\(state.count)\""])
    }
}
