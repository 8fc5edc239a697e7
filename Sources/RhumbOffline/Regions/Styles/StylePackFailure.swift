public import RhumbCore
public import RhumbHTTP
public import RhumbOpening
public import RhumbStore

/// The reason why a style pack can't be loaded, read or removed; modelled after Mapbox's StylePackError.
public enum StylePackFailure: RecoverableError, Sendable, Equatable, CustomStringConvertible {
    /// The load was cancelled.
    case canceled
    /// The style or its pack doesn't exist.
    case doesNotExist(String)
    case diskFull
    /// The server no longer has the style, or can't be reached. The old pack is unchanged.
    case notRenewed(String)
    /// The document at this address is not a valid style.
    case unreadable(String, reason: String)
    /// The style's address is invalid or needs a missing key.
    case source(WebSourceFailure)
    /// The style can't be fetched, or may not be stored.
    case document(DocumentFailure)
    /// The store of regions and packs can't be used.
    case store(RegionStoreFailure)
    /// Another error, as a sentence.
    case other(String)

    public var description: String {
        switch self {
        case .canceled: "interrupted; nothing was changed"
        case .doesNotExist(let address): "no such style: \(SafeText.sanitised(address))"
        case .diskFull: "the disk is full; free some space and try again"
        case .notRenewed(let problem): "\(problem); the style pack was not changed; try again later"
        case .unreadable(let address, let reason):
            "\(SafeText.sanitised(address)): \(SafeText.sanitised(reason, limit: 300))"
        case .source(let failure): "\(failure)"
        case .document(let failure): "\(failure)"
        case .store(let failure): "\(failure)"
        case .other(let problem): problem
        }
    }

    /// The remedy that a program can offer.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .doesNotExist: .listStylePacks
        case .unreadable: .checkStyle
        case .source(let failure): failure.remedy
        case .document(let failure): failure.remedy
        case .store(let failure): failure.remedy
        case .canceled, .diskFull, .notRenewed, .other: nil
        }
    }

    init(_ failure: RegionStoreFailure) {
        if case .store(let store) = failure, store.kind == .diskFull {
            self = .diskFull
        } else {
            self = .store(failure)
        }
    }
}
