import CSimulation
import Glibc
import RhumbCore
import RhumbTestSupport

/// The servers and the network of a simulated world, drawn from a seed. Everything here runs on one thread
/// at a time, which the simulation hands over, so it needs no locks.
final class World: @unchecked Sendable {
    /// The faults of servers and of the network. Each run has some of them.
    enum Fault: String, CaseIterable {
        case serverError, tooMany, denied, gone, portal, silence, slow, cut, lost, unknownHost, redirect
        case rotatedTag, wrongRange, wrongConfirmation, replaced
    }

    /// A limit of a host: concurrent requests, and requests a second.
    struct Limit {
        let connections: Int
        let rate: Double?
    }

    static let secret = "SECRETMARKER"
    static let secretHost = "tiles.example"
    static let limits = [
        "tiles.example": Limit(connections: 4, rate: nil), "slow.example": Limit(connections: 2, rate: 5),
        "maps.example": Limit(connections: 3, rate: nil),
    ]
    static let archive = "https://maps.example/town.pmtiles"
    static let archiveTiles = TileID.pyramid(0...4)

    private let seed: UInt64
    private var generator: SplitMix
    private let kinds: [Fault]
    private let share: Double
    let usesTags: Bool
    /// True if proxies confirm outdated copies.
    private let confirmsWrongly: Bool
    /// The seconds since 1970 at the beginning.
    let start: Int64
    /// True while there are faults.
    var isFaulty = true
    /// True while no server can be reached.
    var isDown = false
    /// The virtual times at which the versions of each address were published, in nanoseconds.
    private var published: [String: [Int64]] = [:]
    private var bodies: [String: [UInt8]] = [:]
    /// A request of the last minute. A redirect leads to the same key.
    private struct Sent {
        let time: Int64
        let number: Int32
        let host: String
        let key: String
        /// True if it succeeded; nil if it hasn't ended, or says nothing about its address.
        var isSuccess: Bool?
    }

    /// The hosts of the requests in flight, and their results if they end by themselves.
    private var inFlight: [Int32: (host: String, isSuccess: Bool?)] = [:]
    private var recent: [Sent] = []
    private var archiveVersions: [[UInt8]: (tile: TileID, version: Int)] = [:]
    /// Returns true if the user went offline.
    var isOffline: () -> Bool = { false }
    var log: (String) -> Void = { _ in }
    var violated: (String, String) -> Void = { _, _ in }
    private(set) var requestCount = 0

    init(seed: UInt64, start: Int64) {
        self.seed = seed
        self.start = start
        var generator = SplitMix(seed: seed ^ 0x5EED)
        kinds = Fault.allCases.filter { _ in Int.random(in: 0..<2, using: &generator) == 0 }
        share = kinds.isEmpty ? 0 : [0.02, 0.1, 0.3].randomElement(using: &generator) ?? 0.1
        usesTags = Int.random(in: 0..<3, using: &generator) > 0
        confirmsWrongly = Int.random(in: 0..<4, using: &generator) > 0
        self.generator = generator
    }

    /// The kinds of faults of this run.
    var description: String { "faults \(kinds.map(\.rawValue)) \(share)" }

    // MARK: Contents

    func version(of url: String) -> Int { published[url]?.count ?? 1 }

    /// Replaces a resource.
    func publish(_ url: String) { published[url, default: [0]].append(sim_now()) }

    /// The statements of a tile's address; they change with its version.
    func life(_ url: String, _ version: Int) -> Life {
        if url == World.archive { return .minute }
        let draw = FNV1a.hash("\(url) \(version) \(seed)".utf8)
        // Regions, which have no deeper tiles, would never be complete.
        if draw % 7 == 3, !url.contains("/11/") { return .hour }
        return Life.allCases[Int(draw % UInt64(Life.allCases.count))]
    }

    /// Returns the tile of a version; nil if the server has none.
    func body(_ url: String, _ version: Int) -> [UInt8]? {
        if FNV1a.hash("\(url) \(version)".utf8) % 11 == 0 { return nil }
        let name = "\(url) v\(version)"
        if let known = bodies[name] { return known }
        let mark = life(url, version) == .noStore ? " NEVERSTORED" : ""
        let padding = String(repeating: "-", count: Int(FNV1a.hash(name.utf8) % 4000))
        let body = numberedPicture(name + mark + padding)
        bodies[name] = body
        return body
    }

    /// Returns the tile of a version of the archive. Two versions in a row have the same layout.
    func archiveBody(_ tile: TileID, _ version: Int) -> [UInt8] {
        let number = String(version + 100_000), padding = String(repeating: "=", count: version / 2 % 5 * 40)
        let name = "\(tile) in archive v\(number) \(padding)"
        if let known = bodies[name] { return known }
        let body = numberedPicture(name)
        bodies[name] = body
        archiveVersions[body] = (tile, version)
        return body
    }

    /// Returns the version of the archive with this body of a tile; nil if none was sent.
    func archiveVersion(_ tile: TileID, _ body: [UInt8]) -> Int? {
        archiveVersions[body].flatMap { $0.tile == tile ? $0.version : nil }
    }

    private func archiveBytes(_ version: Int) -> [UInt8] {
        let name = "archive \(version)"
        if let known = bodies[name] { return known }
        var fixture = PMTilesFixture(World.archiveTiles.map { ($0, archiveBody($0, version)) })
        fixture.leafSize = 60
        let bytes = fixture.bytes
        bodies[name] = bytes
        return bytes
    }

    /// Returns the versions of a tile that have this body; nil is the body of a tile that doesn't exist.
    func versions(_ url: String, _ body: [UInt8]?) -> [Int] {
        (1...version(of: url)).filter { self.body(url, $0) == body }
    }

    /// Returns true if a version was the current one at some time since the given one.
    func wasCurrent(_ url: String, _ version: Int, since time: Int64) -> Bool {
        let times = published[url] ?? [0]
        return version == times.count || times[version] >= time
    }

    // MARK: Requests

    /// Replies to a request.
    func reply(_ url: String, _ headers: String, _ number: Int32, _ reply: inout sim_reply) {
        requestCount += 1
        let parts = URLReference(url), host = parts.host ?? ""
        let plain = url.split(separator: "?").first.map(String.init) ?? url
        let fields = Dictionary(
            headers.split(separator: "\n").map { line in
                let halves = line.split(separator: ":", maxSplits: 1)
                return (halves[0].lowercased(), String(halves.last ?? "").trimmed)
            }, uniquingKeysWith: { first, _ in first })
        check(host, plain, url + headers, fields["range"], number)
        var fault = drawFault(plain)
        if fault == .replaced, !isDown { publish(World.original(plain)) }
        reply.delay = Int64.random(in: 20...400, using: &generator) * 1_000_000
        reply.pause = 50_000_000
        reply.pieces = Int32.random(in: 1...3, using: &generator)
        var response = response(to: plain, fields)
        // Frequent, because only a conditional request for a replaced tile can get it.
        if fault == nil, isFaulty, confirmsWrongly, isOutdated(fields, response),
            Bool.random(using: &generator)
        {
            fault = .wrongConfirmation
        }
        apply(fault, plain, fields, &response, &reply)
        log(
            "\(number) \(plain) \(fields["range"] ?? "") \(fields["if-none-match"] ?? "") \(isDown ? "down" : fault?.rawValue ?? "")"
                + " -> \(response.status)")
        inFlight[number]?.isSuccess = isSuccess(
            response.status, reply.error, isDown ? nil : fault, isRange: fields["range"] != nil)
        guard reply.error == 0 || response.isPartial else { return }
        reply.status = Int32(response.status)
        reply.headers = strdup(response.headers.map { "\($0): \($1)" }.joined(separator: "\n"))
        reply.length = response.body.count
        guard let copy = malloc(response.body.count + 1) else { return }
        response.body.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { memcpy(copy, base, bytes.count) }
        }
        reply.body = copy.assumingMemoryBound(to: UInt8.self)
    }

    /// Notes the end of a request.
    /// - Parameter isDone: False if it was cancelled.
    func end(_ number: Int32, isDone: Bool) {
        let result = inFlight.removeValue(forKey: number)?.isSuccess
        // Failures of requests that Rhumb itself ended say nothing.
        guard isDone, !isOffline(), let index = recent.lastIndex(where: { $0.number == number }) else {
            return
        }
        recent[index].isSuccess = result
    }

    /// Returns the result of a request; nil if it says nothing about its address.
    private func isSuccess(_ status: Int, _ error: Int32, _ fault: Fault?, isRange: Bool) -> Bool? {
        if error != 0 { return false }
        switch fault {
        case .silence: return false
        // As if the server ignored ranges.
        case .portal: return isRange ? nil : false
        case .wrongRange where status == 206: return false
        case .redirect, .tooMany, .denied: return nil
        default: return status < 500
        }
    }

    /// Returns the address without the host of the redirects.
    private static func original(_ url: String) -> String {
        url.replacing("https://other.example/", with: "https://")
    }

    /// The promises about policies and keys.
    private func check(_ host: String, _ url: String, _ text: String, _ range: String?, _ number: Int32) {
        if text.contains(World.secret), host != World.secretHost {
            violated("A redirect can't send a key to another server.", "\(url) was requested with a key")
        }
        if isOffline() { violated("While Rhumb is offline, no request is sent.", url) }
        let now = sim_now()
        inFlight[number] = (host, nil)
        recent.removeAll { $0.time < now - 60_000_000_000 }
        let key = World.original(url) + (range ?? ""), same = recent.filter { $0.key == key }
        let failures = same.reversed().prefix { $0.isSuccess != true }.count { $0.isSuccess == false }
        if failures >= World.repeatLimit * processes {
            violated(
                "An address that fails is requested at most five times within a minute.",
                "\(url) failed \(failures) times in a row")
        }
        recent.append(Sent(time: now, number: number, host: host, key: key))
        guard let limit = World.limits[host] else { return }
        let running = inFlight.values.count { $0.host == host }
        if running > limit.connections * processes {
            violated(
                "Requests to a host are limited to what its provider allows.",
                "\(running) requests to \(host) at once")
        }
        let seconds = 10.0, sent = recent.count { $0.host == host && $0.time > now - Int64(seconds * 1e9) }
        if let rate = limit.rate, Double(sent) > (rate * seconds + rate) * Double(processes) + 1 {
            violated(
                "Requests to a host are limited to what its provider allows.",
                "\(sent) requests to \(host) in 10 s")
        }
        let repeated = same.count { $0.host == host } + 1
        let asked = operations.count { $0.host == host && $0.time > now - 70_000_000_000 }
        if repeated > World.repetitions * (1 + asked) * processes {
            violated("A server is not asked again and again.", "\(repeated) requests of \(url) in a minute")
        }
    }

    /// The number of requests that an address may get within a minute while it fails.
    static let repeatLimit = 5
    /// The number of requests that an address may get within a minute for each thing that the user does.
    static let repetitions = 8
    /// The times of the user's actions that need a host.
    var operations: [(time: Int64, host: String)] = []
    /// Notes that the user does something that needs a source.
    func use(_ source: String) {
        operations.removeAll { $0.time < sim_now() - 70_000_000_000 }
        operations.append((sim_now(), source == "town" ? "maps.example" : "\(source).example"))
    }

    /// The number of processes that may be running or were within the last minute.
    var processes = 1

    private func drawFault(_ url: String) -> Fault? {
        guard isFaulty, Double.random(in: 0..<1, using: &generator) < share else { return nil }
        return kinds.randomElement(using: &generator)
    }

    private struct Response {
        var status = 404
        var headers: [(String, String)] = []
        var body: [UInt8] = []
        var isPartial = false
    }

    private func response(to url: String, _ fields: [String: String]) -> Response {
        // The host of the redirects has everything of the others.
        let url = World.original(url)
        let version = version(of: url), life = life(url, version), isArchive = url == World.archive
        var response = Response()
        let date = start + sim_now() / 1_000_000_000
        response.headers = [("Date", HTTPDate.text(of: UnixSeconds(date)))]
        if let control = life.control { response.headers.append(("Cache-Control", control)) }
        if url.hasPrefix("https://slow.example") { response.headers.append(("Vary", "Accept-Encoding")) }
        guard let body = isArchive ? archiveBytes(version) : body(url, version) else { return response }
        let tag = "\"\(String(FNV1a.hash(url.utf8), radix: 36)).\(version)\""
        let changed = HTTPDate.text(of: UnixSeconds(start - 900_000 + Int64(version) * 100))
        if usesTags || isArchive { response.headers.append(("ETag", tag)) }
        response.headers.append(("Last-Modified", changed))
        let isCurrent =
            fields["if-none-match"].map { $0 == tag } ?? fields["if-modified-since"].map { $0 == changed }
        if isCurrent == true {
            response.status = 304
            return response
        }
        response.headers.append(("Content-Type", isArchive ? "application/octet-stream" : "image/png"))
        response.status = 200
        response.body = body
        if let range = fields["range"] { cut(range, &response) }
        response.headers.append(("Content-Length", "\(response.body.count)"))
        return response
    }

    /// Returns true if the validators of a request are those of another version.
    private func isOutdated(_ fields: [String: String], _ response: Response) -> Bool {
        (fields["if-none-match"] ?? fields["if-modified-since"]) != nil
            && (response.status == 200 || response.status == 206)
    }

    private func cut(_ range: String, _ response: inout Response) {
        let ends = range.drop { $0 != "=" }.dropFirst().split(separator: "-").compactMap { Int($0) }
        let size = response.body.count
        guard ends.count == 2, ends[0] < size else {
            response.status = 416
            response.body = []
            return
        }
        let last = min(ends[1], size - 1)
        response.status = 206
        response.body = Array(response.body[ends[0]...last])
        response.headers.append(("Content-Range", "bytes \(ends[0])-\(last)/\(size)"))
    }

    // The numbers of curl's errors.
    private static let unknownHost: Int32 = 6, partial: Int32 = 18, lost: Int32 = 56, refused: Int32 = 7

    private func apply(
        _ fault: Fault?, _ url: String, _ fields: [String: String], _ response: inout Response,
        _ reply: inout sim_reply
    ) {
        func fail(_ status: Int, _ headers: [(String, String)] = []) {
            response = Response(status: status, headers: headers, body: Array("error".utf8))
        }
        if isDown {
            reply.error = World.refused
            return
        }
        switch fault {
        case nil, .replaced: break
        case .wrongConfirmation:
            // Confirms the current version to those who have an earlier one.
            guard isOutdated(fields, response) else { break }
            response.status = 304
            response.body = []
            response.headers.removeAll { $0.0.hasPrefix("Content-") }
        case .serverError: fail([500, 502, 503].randomElement(using: &generator) ?? 500)
        case .tooMany:
            let wait = [0, 1, 5, 120, 9000].randomElement(using: &generator) ?? 1
            fail(429, wait == 0 ? [] : [("Retry-After", "\(wait)")])
        case .denied: fail(403)
        case .gone: fail([404, 410].randomElement(using: &generator) ?? 404)
        case .portal: fail(200, [("Content-Type", "text/html"), ("Cache-Control", "max-age=3600")])
        case .silence: reply.delay = 100_000_000_000
        case .slow: reply.delay = Int64.random(in: 4...14, using: &generator) * 1_000_000_000
        case .cut:
            guard response.body.count > 1 else { break }
            response.body = Array(
                response.body.prefix(Int.random(in: 0..<response.body.count, using: &generator)))
            response.isPartial = true
            reply.error = Bool.random(using: &generator) ? World.partial : World.lost
        case .lost: reply.error = World.lost
        case .unknownHost: reply.error = World.unknownHost
        case .redirect:
            let path = World.original(url).dropFirst(8)
            let key = url.hasPrefix("https://\(World.secretHost)") ? "?key=\(World.secret)" : ""
            fail(
                [301, 302, 307].randomElement(using: &generator) ?? 302,
                [("Location", "https://other.example/\(path)\(key)"), ("Cache-Control", "no-store")])
        case .rotatedTag:
            response.headers = response.headers.filter { $0.0 != "ETag" } + [("ETag", "\"r\(sim_random())\"")]
        case .wrongRange:
            guard response.status == 206 else { break }
            response.headers =
                response.headers.filter { $0.0 != "Content-Range" }
                + [("Content-Range", "bytes 1-\(response.body.count)/99999999")]
        }
    }
}
