/// A time without requests to a host or a source. It grows with each successive failure.
struct Pause: Equatable {
    /// The end of the pause in seconds on the queue's clock.
    private(set) var end = -Double.infinity
    /// The status of the response that caused it.
    private(set) var status: Int?
    private var inRow = 0

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
        let grown = min(cap, first * Double(1 << min(max(inRow - 1, 0), 20)))
        let length = retryAfter ?? grown
        end = max(end, now + length)
        return end - now
    }

    /// Ends the pause, because the host or source works again.
    mutating func reset() { self = Pause() }
}
