internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// A local file that responds like a server, also with ranges, and with "not modified" while it is unchanged.
/// Only addresses from the user or from the user's files lead here.
struct LocalFile {
    let path: String
    /// The maximum size of a file that is read whole, in bytes.
    private static let limit = 256 << 20

    /// - Throws: `HTTPFailure` if the path exists but is not a readable file.
    func answer(to request: HTTPRequest, at now: UnixSeconds = .now) throws(HTTPFailure) -> HTTPResponse {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return response(404, [:], [], now) }
            throw failure(String(cString: strerror(errno)), request)
        }
        defer { close(file) }
        guard let state = State(file) else { throw failure("not a file", request) }
        if request.fields["If-None-Match"] == state.tag { return response(304, state.headers, [], now) }
        let bytes = try bytes(of: file, state, request)
        guard State(file) == state else { throw .fault(.truncated, request.address) }
        guard let range = request.range else { return response(200, state.headers, bytes, now) }
        var headers = state.headers
        headers.append(
            "Content-Range", "bytes \(range.offset)-\(range.offset + UInt64(bytes.count) - 1)/\(state.size)")
        return response(206, headers, bytes, now)
    }

    /// The identity of a file's contents.
    private struct State: Equatable {
        let size: Int
        let modified: Int

        /// Reads the state of an open file; nil if it isn't a regular file.
        init?(_ file: Int32) {
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            size = Int(status.st_size)
            modified = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
        }

        var tag: String { "\"\(size)-\(modified)\"" }
        var headers: HTTPHeaders { ["ETag": tag, "Cache-Control": "max-age=60"] }
    }

    private func bytes(of file: Int32, _ state: State, _ request: HTTPRequest) throws(HTTPFailure) -> [UInt8]
    {
        let size = UInt64(state.size), offset = request.range?.offset ?? 0
        guard offset < size || request.range == nil else {
            throw HTTPFailure(.failed(.permanent), status: 416, "\(request.address): only \(size) bytes")
        }
        let count = min(request.range?.count ?? size, size - offset)
        guard count <= LocalFile.limit else {
            throw failure("the file is larger than \(LocalFile.limit >> 20) MiB", request)
        }
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { memory, filled in
            while filled < Int(count) {
                let got = pread(
                    file, memory.baseAddress?.advanced(by: filled), Int(count) - filled,
                    off_t(offset) + filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
            isWhole = filled == Int(count)
        }
        guard isWhole else { throw failure("truncated while reading", request) }
        return bytes
    }

    private func response(
        _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8], _ now: UnixSeconds
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers, body: body, requestedAt: now, receivedAt: now, wireBytes: 0,
            redirects: [])
    }

    private func failure(_ problem: String, _ request: HTTPRequest) -> HTTPFailure {
        HTTPFailure(.failed(.permanent), "\(request.address): \(SafeText.sanitised(problem, limit: 80))")
    }
}
