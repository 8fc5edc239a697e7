public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
public import RhumbOpening
public import RhumbStore

/// The reason why a region can't be planned, created or downloaded.
public enum RegionFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    case store(RegionStoreFailure)
    /// One of its sources can't be opened.
    case map(MapOpenFailure)
    /// A source can't be stored in a region.
    case source(RegionSourceFailure)
    /// All of its sources belong to features that are turned off.
    case feature(FeatureFailure)
    /// A document that its map needs can't be fetched or stored.
    case document(DocumentFailure)
    /// The definition is invalid.
    case definition(RegionDefinitionFailure)
    /// The provider of the named source does not allow areas to be downloaded.
    case denied(String)
    /// A source's name is no longer known, and its definition was not stored with the region.
    case gone(String, region: String)
    /// The region is a package of a catalogue, which only the package commands may change.
    case isPackage(PackageName)
    /// The pack of a style in the region can't be loaded.
    case stylePack(StylePackFailure)
    /// Another error, as a sentence.
    case other(String)

    /// The remedy that a program can offer.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .isPackage: .workOnPackage
        case .denied: .listDownloadableSources
        case .gone: .makeRegionAnew
        case .store, .map, .source, .feature, .document, .definition, .stylePack, .other:
            (cause as? any RecoverableError)?.remedy
        }
    }

    /// True if another attempt would fail too, until the user changes something.
    var isPermanent: Bool {
        switch self {
        case .denied, .gone, .source, .feature, .definition, .isPackage: true
        case .store, .map, .document, .stylePack, .other: false
        }
    }

    init(_ error: any Error) {
        self =
            switch error {
            case let failure as RegionFailure: failure
            case RegionStoreFailure.refused(.denied(let source, _, _, _)): .denied(source)
            case let failure as RegionStoreFailure: .store(failure)
            case let failure as MapOpenFailure: .map(failure)
            case let failure as WebSourceFailure: .map(.web(failure))
            case let failure as RegionSourceFailure: .source(failure)
            case let failure as FeatureFailure: .feature(failure)
            case let failure as DocumentFailure: .document(failure)
            case let failure as RegionDefinitionFailure: .definition(failure)
            case let failure as StylePackFailure: .stylePack(failure)
            default: .other("\(error)")
            }
    }

    public var description: String {
        switch self {
        case .store, .map, .source, .feature, .document, .definition, .stylePack: cause.map { "\($0)" } ?? ""
        case .denied(let name): "\(SafeText.sanitised(name, limit: 80)) does not allow downloading areas"
        case .gone(let words, let region):
            "the source \(SafeText.sanitised(words, limit: 80)) of region \(SafeText.sanitised(region, limit: 80)) is no "
                + "longer available, and was not stored with it"
        case .isPackage(let package): "\(package.regionID) is package \(package)"
        case .other(let sentence): sentence
        }
    }

    private var cause: (any Error)? {
        switch self {
        case .store(let failure): failure
        case .map(let failure): failure
        case .source(let failure): failure
        case .feature(let failure): failure
        case .document(let failure): failure
        case .definition(let failure): failure
        case .stylePack(let failure): failure
        case .denied, .gone, .isPackage, .other: nil
        }
    }
}
