internal import RhumbCore
public import RhumbEngine

extension TileFailure {
    /// Creates the tile failure for a failed request.
    public init(_ failure: HTTPFailure) {
        let wait = failure.retryAfter ?? TileFailure.retryDelay(failure.failureClass)
        self.init(TileFailure.reason(failure), failure.message, retryAfter: wait, remedy: failure.remedy)
    }

    private static func reason(_ failure: HTTPFailure) -> Reason {
        if failure.fault == .timedOut { return .timedOut }
        return switch failure.failureClass {
        case .offline: .offline
        case .refused, .rate: .refused
        case .badContent: .badContent
        case .permanent: .sourceFailed
        case .transient, nil: .unreadable
        }
    }

    /// Returns the time to remember a failure for which the server gave no time.
    private static func retryDelay(_ failureClass: FailureClass?) -> Duration {
        switch failureClass {
        case .permanent: .seconds(600)
        case .badContent, .refused: .seconds(60)
        case .offline: .seconds(5)
        // With its retries, a tile is requested no more than five times within a minute.
        case .rate, .transient, nil: .seconds(60)
        }
    }
}
