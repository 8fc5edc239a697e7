/// A server with requests in flight that has sent nothing for a while.
public struct ServerSilence: Sendable, Hashable {
    /// The server's host name or address. Not sanitised.
    public let host: String
    /// Whole seconds since its last byte, or since the first request after that; at least `minimum`.
    public let seconds: Int

    /// The seconds after which a silent server is reported.
    public static let minimum = 5

    /// Creates the silence of a host.
    public init(host: String, seconds: Int) { (self.host, self.seconds) = (host, seconds) }
}

/// The time for which servers with requests in flight have been silent: a value without clock or network.
/// Times are in seconds on any monotonic clock.
struct SilenceWatch {
    private struct Server {
        /// The time of the last byte, or of the first request after it.
        var since: Double
        /// The number of requests in flight.
        var requests = 0
        /// The time at which the last of them ended.
        var endedAt = 0.0
    }

    private var servers: [String: Server] = [:]
    /// The time within which a request after an unanswered one belongs to the same silence; longer than any
    /// pause between retries.
    private static let memory = 35.0
    /// The time before the end of its last request within which a server must have sent something to count as
    /// responding.
    private static let answer = 1.0

    /// Records a sent request.
    mutating func begin(_ host: String, at now: Double) {
        servers = servers.filter { $0.value.requests > 0 || now - $0.value.endedAt < SilenceWatch.memory }
        servers[host, default: Server(since: now)].requests += 1
    }

    /// Records bytes from a server.
    mutating func receive(_ host: String, at now: Double) { servers[host]?.since = now }

    /// Records the end of a request.
    mutating func end(_ host: String, at now: Double) {
        guard var server = servers.removeValue(forKey: host) else { return }
        server.requests = server.requests - 1
        server.endedAt = now
        if server.requests > 0 || now - server.since > SilenceWatch.answer { servers[host] = server }
    }

    /// Returns the longest silence to report; nil for none.
    func longest(at now: Double) -> ServerSilence? {
        guard let server = longest else { return nil }
        let seconds = Int(min(now - server.value.since, 1e9))
        return seconds < ServerSilence.minimum ? nil : ServerSilence(host: server.key, seconds: seconds)
    }

    /// Returns the seconds until `longest(at:)` changes if nothing happens; nil for never.
    func wait(at now: Double) -> Double? {
        longest.map { server in
            let silence = now - server.value.since
            return max(silence.rounded(.down) + 1, Double(ServerSilence.minimum)) - silence
        }
    }

    private var longest: (key: String, value: Server)? {
        servers.filter { $0.value.requests > 0 }.min { ($0.value.since, $0.key) < ($1.value.since, $1.key) }
    }
}
