/// Successive failures of a host.
struct Outage: Equatable {
    /// The number of successive failures after which the host gets no requests for a while.
    static let limit = 8

    private(set) var failures = 0
    /// The status of the last response; nil if there was none.
    private(set) var status: Int?
    /// The last failure in words.
    private(set) var cause = ""

    var isDown: Bool { failures >= Outage.limit }

    mutating func add(_ status: Int?, _ cause: String) {
        failures += 1
        self.status = status
        self.cause = cause
    }
}

/// A time without requests to a host or a source. It grows with each successive failure.
struct Pause: Equatable {
    /// The end of the pause in seconds on the queue's clock.
    private(set) var end = -Double.infinity
    /// The status of the response that caused it.
    private(set) var status: Int?
    private var inRow = 0

    init() {}

    /// Creates a pause that another process began.
    /// - Parameter inRow: The number of pauses in a row, including this one.
    init(end: Double, inRow: Int) {
        self.end = end
        self.inRow = inRow
    }

    func remaining(at now: Double) -> Double { max(0, end - now) }

    /// Starts a pause.
    /// - Parameters:
    ///   - retryAfter: The seconds requested by the server.
    ///   - status: The status of the response that is the reason.
    /// - Returns: The length in seconds.
    mutating func begin(
        at now: Double, first: Double, cap: Double, retryAfter: Double? = nil, status: Int? = nil
    ) -> Double {
        self.status = status
        // Responses to requests that were in flight already don't extend it.
        if remaining(at: now) == 0 { inRow += 1 }
        func grown(_ times: Int) -> Double { min(cap, first * Double(1 << min(max(times, 0), 20))) }
        // The server's own time is trusted once: a server that names a second each time is not asked each
        // second.
        let length = retryAfter.map { inRow > 1 ? max($0, grown(inRow - 2)) : $0 } ?? grown(inRow - 1)
        end = max(end, now + length)
        return end - now
    }

    /// Lengthens the pause.
    mutating func extend(to end: Double) { self.end = max(self.end, end) }
}
