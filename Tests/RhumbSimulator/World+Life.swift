extension World {
    /// The statements of a server about the reuse of its responses.
    enum Life: CaseIterable {
        case hour, minute, unstated, noStore, noCache, mustRevalidate, staleWhileRevalidate

        /// The seconds for which a response is fresh at most.
        var seconds: Int64 {
            switch self {
            case .hour: 3600
            case .minute, .mustRevalidate, .staleWhileRevalidate: 60
            case .unstated: 86_400
            case .noStore, .noCache: 0
            }
        }

        var control: String? {
            switch self {
            case .hour: "max-age=3600"
            case .minute: "max-age=60"
            case .unstated: nil
            case .noStore: "no-store"
            case .noCache: "no-cache"
            case .mustRevalidate: "max-age=60, must-revalidate"
            case .staleWhileRevalidate: "max-age=60, stale-while-revalidate=600, stale-if-error=600"
            }
        }
    }
}
