internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// The failures of addresses within the last minute, in a small file that the user's processes share. It is
/// read when it has changed, and written for each failure, and for a success after one. A file that can't be
/// read or written is ignored.
struct SharedFailures {
    private let path: String
    private let secrets: (HTTPAddress) -> [String]
    private var failures = AddressFailures()
    private var version: Version?

    /// The identity of the file's content.
    private struct Version: Equatable {
        let node: UInt64, size: Int64, seconds: Int, nanoseconds: Int

        init?(_ path: String) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            node = UInt64(facts.st_ino)
            size = Int64(facts.st_size)
            seconds = Int(facts.st_mtim.tv_sec)
            nanoseconds = Int(facts.st_mtim.tv_nsec)
        }
    }

    /// The maximum size of the file in bytes.
    private static let sizeLimit = 1 << 20
    /// The faults that end a connection before a request reaches a server.
    private static let unsent: Set<TransportFault> = [
        .noNetwork, .metered, .nameNotFound, .connectionRefused, .proxy, .tlsFailed, .certificate,
        .badAddress,
        .noLibrary,
    ]

    /// - Parameters:
    ///   - path: The path of the file; its folder is created with the first failure.
    ///   - secrets: Returns the credentials with which a request for an address will be signed.
    init(path: String, secrets: @escaping (HTTPAddress) -> [String]) {
        self.path = path
        self.secrets = secrets
    }

    /// Returns the failure of a request that another process would repeat too early; nil if it may be sent.
    /// - Parameter limit: A shorter wait for a rate limit is not refused.
    mutating func refusal(
        of request: HTTPRequest, beyond limit: Duration, at date: UnixSeconds
    ) -> HTTPFailure? {
        guard let current = Version(path) else { return nil }
        let now = Double(date.value)
        if current != version, let bytes = read() {
            version = current
            failures = SharedFailures.parsed(bytes, now)
        }
        let failure = failures.refusal(of: key(request), now: now)
        guard failure?.failureClass == .rate, let wait = failure?.retryAfter, wait <= limit else {
            return failure
        }
        return nil
    }

    /// Counts a failure of a request that reached a server.
    mutating func add(_ failure: HTTPFailure, of request: HTTPRequest, at date: UnixSeconds) {
        guard failure.fault.map({ !SharedFailures.unsent.contains($0) }) ?? true else { return }
        let now = Double(date.value)
        let key = key(request)
        change(now) { $0.add(failure, of: key, pausedAt: now) }
    }

    /// Forgets the failures of an address that responded.
    mutating func end(of request: HTTPRequest, at date: UnixSeconds) {
        let key = key(request)
        guard failures.has(key) else { return }
        change(Double(date.value)) { $0.end(of: key) }
    }

    /// Returns a hash of a request's address, range, keys and credentials, so that a new key is used at once.
    private func key(_ request: HTTPRequest) -> String {
        let secrets = request.headers.lines.map { "\($0.name):\($0.value)" } + secrets(request.address)
        let hash = FNV1a.hash(([request.part] + secrets).joined(separator: "\n").utf8)
        return String(hash, radix: 16)
    }

    private static func parsed(_ bytes: [UInt8], _ now: Double) -> AddressFailures {
        (try? JSON.parse(bytes)).map { AddressFailures(json: $0, now: now) } ?? AddressFailures()
    }

    /// Changes the file while no other process does. If another process holds the lock, as when it is
    /// stopped, only this process counts the failure.
    private mutating func change(_ now: Double, _ body: (inout AddressFailures) -> Void) {
        makeFolder()
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        guard FileLock.take(file) == .held else { return }
        failures = SharedFailures.parsed(SharedFailures.contents(of: file) ?? [], now)
        body(&failures)
        let bytes = Array(failures.json(now: now).text.utf8)
        guard ftruncate(file, 0) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count else { return }
        version = Version(path)
    }

    private func makeFolder() {
        guard let slash = path.lastIndex(of: "/") else { return }
        var folder = ""
        for part in path[..<slash].split(separator: "/") {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
    }

    /// Returns the content of the file; nil if it can't be read.
    private func read() -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return SharedFailures.contents(of: file)
    }

    private static func contents(of file: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = pread(file, &bytes, bytes.count, 0)
        return count >= 0 ? Array(bytes.prefix(count)) : nil
    }
}
