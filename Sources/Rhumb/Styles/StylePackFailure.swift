public import RhumbCore
internal import RhumbStore

/// Why a style pack can't be had; after Mapbox's StylePackError.
public enum StylePackFailure: Remediable, Sendable, Equatable, CustomStringConvertible {
    /// The person or program broke it off.
    case canceled
    /// There is no such style, or no pack of it.
    case doesNotExist(String)
    case diskFull
    /// Its server has or gives no newer one: the pack stays as it was.
    case notRenewed(String)
    /// What else is wrong.
    case other(String)

    public var description: String {
        switch self {
        case .canceled: "interrupted; nothing was changed"
        case .doesNotExist(let address): "no such style: \(SafeText.sanitised(address))"
        case .diskFull: "the disk is full; free some space and try again"
        case .notRenewed(let problem): "\(problem); the style pack was not changed"
        case .other(let problem): problem
        }
    }

    /// None besides what the sentence says.
    public var remedy: Remedy? { nil }

    init(_ failure: RegionStoreFailure) {
        if case .store(let store) = failure, store.kind == .diskFull { self = .diskFull } else { self = .other("\(failure)") }
    }
}
