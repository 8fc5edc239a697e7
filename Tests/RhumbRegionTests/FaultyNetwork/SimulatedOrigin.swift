import RhumbCore
@testable import RhumbHTTP
import RhumbTestSupport
import Synchronization

/// A response as it leaves its server.
struct WireResponse: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8] = []
    /// The version that the response contains or confirms.
    let version: Int
    /// The time when it was generated, by the clock without skew.
    let generatedAt: Duration

    var validators: Validators { Validators(of: headers) }

    /// Returns true if a 304 is for the version with these validators.
    func confirms(_ sent: Validators) -> Bool {
        validators.etag.map { $0 == sent.etag } ?? (validators.lastModified == sent.lastModified)
    }

    mutating func set(_ name: String, _ value: String?) {
        headers.removeAll(name)
        if let value { headers.append(name, value) }
    }
}

/// The servers of a simulated web, whose resources have numbered versions.
final class SimulatedOrigin: Sendable {
    /// The validators that the servers send.
    enum Validation: CaseIterable, Sendable { case strongTag, weakTag, date, both, none }

    /// The rules of the servers, the same for all resources.
    struct Rules: Sendable {
        var validation = Validation.both
        /// True to send `Date`.
        var sendsDate = true
        /// Returns the lifetime of a version of a resource.
        var life: @Sendable (_ url: String, _ version: Int) -> Life = { _, _ in .hour }
        /// Returns a version of a resource; nil if it doesn't exist.
        var content: @Sendable (_ url: String, _ version: Int) -> [UInt8]?
    }

    /// The statements of a response about its reuse.
    enum Life: CaseIterable, Sendable {
        case hour, minute, expired, unstated, expires, noStore, noCache, mustRevalidate, immutable
        case staleWhileRevalidate, ages

        /// The lifetime in seconds.
        var seconds: Int64 {
            switch self {
            case .hour, .noStore, .noCache, .immutable: 3600
            case .minute, .mustRevalidate, .staleWhileRevalidate: 60
            case .expired: 0
            case .expires: 300
            case .unstated: 86_400
            case .ages: 100_000_000
            }
        }

        var control: String? {
            switch self {
            case .unstated, .expires: nil
            case .noStore: "no-store"
            case .noCache: "no-cache, max-age=3600"
            case .mustRevalidate: "max-age=60, must-revalidate"
            case .immutable: "max-age=3600, immutable"
            case .staleWhileRevalidate: "max-age=60, stale-while-revalidate=100000, stale-if-error=100000"
            case .hour, .minute, .expired, .ages: "max-age=\(seconds)"
            }
        }
    }

    let rules: Rules
    private let clock: ManualClock
    private let start: UnixSeconds
    private let versions = Mutex<[String: Int]>([:])
    /// The contents that were needed before.
    private let contents = Mutex<[String: [[UInt8]?]]>([:])

    init(_ rules: Rules, _ clock: ManualClock) {
        self.rules = rules
        self.clock = clock
        start = clock.date
    }

    /// Returns the number of the current version, from 1.
    func version(of url: String) -> Int { versions.withLock { $0[url] ?? 1 } }

    /// Replaces a resource by its next version.
    func publish(_ url: String) { versions.withLock { $0[url, default: 1] += 1 } }

    /// Returns the version of a complete body; nil if it isn't a body of the resource.
    func version(of body: [UInt8], at url: String) -> Int? {
        (1...version(of: url)).last { content(url, $0) == body }
    }

    /// Returns a version of a resource; nil if it doesn't exist.
    func content(_ url: String, _ version: Int) -> [UInt8]? {
        contents.withLock { contents in
            var known = contents[url] ?? []
            while known.count < version { known.append(rules.content(url, known.count + 1)) }
            contents[url] = known
            return known[version - 1]
        }
    }

    /// The servers' own date.
    private var date: UnixSeconds { start.adding(clock.now.components.seconds) }

    /// Returns the response of a working server and network.
    func respond(to request: HTTPRequest) -> WireResponse {
        let url = request.address.url, version = version(of: url)
        var response = WireResponse(
            status: 404, headers: freshness(url, version), version: version, generatedAt: clock.now)
        guard let content = content(url, version) else { return response }
        for line in validators(url, version).lines { response.headers.append(line.name, line.value) }
        if isCurrent(request.fields, response.validators) {
            response.status = 304
            return response
        }
        response.set("Content-Type", request.range == nil ? "image/png" : "application/octet-stream")
        response.status = 200
        response.body = content
        if let range = request.range { cut(range, out: &response) }
        response.set("Content-Length", "\(response.body.count)")
        return response
    }

    private func freshness(_ url: String, _ version: Int) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        let life = rules.life(url, version)
        if rules.sendsDate { headers.append("Date", HTTPDate.text(of: date)) }
        if let control = life.control { headers.append("Cache-Control", control) }
        if life == .expires { headers.append("Expires", HTTPDate.text(of: date.adding(life.seconds))) }
        return headers
    }

    /// Returns the validators of a version, which no other resource and no other version has.
    func validators(_ url: String, _ version: Int) -> HTTPHeaders {
        let tag = "\"\(String(FNV1a.hash(url.utf8), radix: 36)).\(version)\""
        let date = HTTPDate.text(of: start.adding(Int64(version) * 1000 - 1_000_000))
        return switch rules.validation {
        case .strongTag: ["ETag": tag]
        case .weakTag: ["ETag": "W/\(tag)"]
        case .date: ["Last-Modified": date]
        case .both: ["ETag": tag, "Last-Modified": date]
        case .none: [:]
        }
    }

    private func isCurrent(_ conditions: HTTPHeaders, _ current: Validators) -> Bool {
        if let tag = conditions["If-None-Match"] { return tag == current.etag }
        return conditions["If-Modified-Since"].map { $0 == current.lastModified } ?? false
    }

    private func cut(_ range: ByteRange, out response: inout WireResponse) {
        let count = UInt64(response.body.count)
        guard range.offset < count else {
            response.status = 416
            response.body = []
            return
        }
        let end = min(range.offset + range.count, count)
        response.status = 206
        response.body = Array(response.body[Int(range.offset)..<Int(end)])
        response.set("Content-Range", "bytes \(range.offset)-\(end - 1)/\(count)")
    }
}

/// Returns a PNG of 256×256 pixels with the address and the version in a chunk, so that each truncation is
/// noticed.
func identifiedPicture(_ url: String, _ version: Int) -> [UInt8] {
    let text = "\(url) v\(version) " + String(repeating: ".", count: (url.count * 7 + version * 13) % 60)
    let chunk = Array("tEXt".utf8) + Array(text.utf8)
    let head = Array(emptyPicture.dropLast(12)), length = bigEndian(UInt32(chunk.count - 4))
    return head + length + chunk + bigEndian(crc32(chunk)) + Array(emptyPicture.suffix(12))
}

private let emptyPicture = blankPicture(RGB(0x336699), side: 256)
