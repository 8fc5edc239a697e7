public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
public import RhumbOpening
public import RhumbStore

/// The reason why work on offline data can't be planned, started or completed: a region, an operation on
/// packages, a style pack or a prefetch.
public enum OfflineFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The store of regions and style packs can't be used.
    case store(RegionStoreFailure)
    /// A map or style can't be opened.
    case map(MapOpenFailure)
    /// A source can't be stored in a region.
    case source(RegionSourceFailure)
    /// The features of all sources are turned off.
    case feature(FeatureFailure)
    /// A document can't be fetched or stored.
    case document(DocumentFailure)
    /// The definition of a region is invalid.
    case definition(RegionDefinitionFailure)
    /// The area is invalid.
    case geometry(RegionGeometryFailure)
    /// The work was cancelled, or interrupted so that it can be resumed. Stored data is kept.
    case cancelled
    /// The disk is full.
    case diskFull
    /// Another error, as a sentence.
    case other(String)

    // MARK: Regions

    /// The provider of the named source does not allow areas to be downloaded.
    case denied(String)
    /// A source's name is no longer known, and its definition was not stored with the region.
    case gone(String, region: String)
    /// The region is a package of a catalogue, which only the package commands may change.
    case isPackage(PackageName)

    // MARK: Packages

    /// An operation on packages failed.
    case package(MapLoaderFailure)
    /// Another operation on packages is running.
    case busy(MapLoaderBusy)

    // MARK: Style packs

    /// The style or its pack doesn't exist.
    case noStyle(String)
    /// The server no longer has the style, or can't be reached. The old pack is unchanged.
    case notRenewed(String)
    /// The document at this address is not a valid style.
    case unreadableStyle(String, reason: String)

    // MARK: Prefetching

    /// The source is on this computer.
    case local(String)
    /// There is no cache.
    case noCache
    /// The provider does not allow areas to be prefetched.
    case prefetchDenied(String, String?)
    /// The provider's terms leave open whether downloads are allowed. The user may confirm that they are.
    case unsaid(String, String?)
    /// The tiles exceed the cache's quota.
    case tooLarge(tiles: Int, bytes: Int, room: Int)
    /// The radius is not within `MapPrefetcher.radii`.
    case radius
    /// Only regions and packages may store data of the source's feature.
    case regionsOnly(String, Feature)

    /// The remedy that a program can offer; nil if there is none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .isPackage: .workOnPackage
        case .denied: .listDownloadableSources
        case .gone: .makeRegionAnew
        case .noStyle: .listStylePacks
        case .unreadableStyle: .checkStyle
        case .noCache: .nameCacheFile
        case .unsaid: .sayPermitted
        case .tooLarge: .raiseCacheSize
        default: (cause as? any RecoverableError)?.remedy
        }
    }

    /// True if another attempt would fail too, until the user changes something.
    var isPermanent: Bool {
        switch self {
        case .denied, .gone, .source, .feature, .definition, .isPackage: true
        default: false
        }
    }

    init(_ error: any Error) {
        self =
            switch error {
            case let failure as OfflineFailure: failure
            case let failure as MapLoaderFailure:
                failure.reason == .operationCancelled ? .cancelled : .package(failure)
            case let failure as MapLoaderBusy: .busy(failure)
            case RegionStoreFailure.refused(.denied(let source, _, _, _)): .denied(source)
            case let failure as RegionStoreFailure: .store(failure)
            case let failure as MapOpenFailure: .map(failure)
            case let failure as WebSourceFailure: .map(.web(failure))
            case let failure as RegionSourceFailure: .source(failure)
            case let failure as FeatureFailure: .feature(failure)
            case let failure as DocumentFailure: .document(failure)
            case let failure as RegionDefinitionFailure: .definition(failure)
            default: .other("\(error)")
            }
    }

    public var description: String {
        switch self {
        case .store, .map, .source, .feature, .document, .definition, .geometry, .package, .busy:
            cause.map { "\($0)" } ?? ""
        case .cancelled: "cancelled; fetched data is kept"
        case .diskFull: "the disk is full; free some space and try again"
        case .other(let sentence): sentence
        case .denied(let name): "\(safe(name)) does not allow downloading areas"
        case .gone(let specifier, let region):
            "the source \(safe(specifier)) of region \(safe(region)) is no longer available, and was not stored with it"
        case .isPackage(let package): "\(package.regionID) is package \(package)"
        case .noStyle(let address): "no such style: \(SafeText.sanitised(address))"
        case .notRenewed(let problem): "\(problem); the style pack was not changed; try again later"
        case .unreadableStyle(let address, let reason):
            "\(SafeText.sanitised(address)): \(SafeText.sanitised(reason, limit: 300))"
        case .local(let name): "\(safe(name)) is a local map and needs no fetching"
        case .noCache: "tiles can't be fetched ahead without a cache; make its folder writable"
        case .prefetchDenied(let name, let url):
            "\(safe(name)) does not allow fetching areas, only the view and its surroundings\(link(url)); "
                + "use a source that allows it, or an archive"
        case .unsaid(let name, let url):
            "the terms of \(safe(name)) don't say whether bulk downloads are allowed\(link(url))"
        case .tooLarge(let tiles, let bytes, let room):
            "\(AmountText.count(tiles)) tiles of about \(AmountText.bytes(bytes)) exceed the cache limit of "
                + "\(AmountText.bytes(room)); choose fewer zooms, a smaller area, or a larger cache"
        case .radius: "the radius must be 1 km to 50 km"
        case .regionsOnly(let name, let feature):
            "\(safe(name)) belongs to \(feature), whose data is never fetched into the cache; download a region or package instead"
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
        case .geometry(let failure): failure
        case .package(let failure): failure
        case .busy(let failure): failure
        default: nil
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 80) }

    private func link(_ url: String?) -> String {
        url.map { " (\(SafeText.sanitised($0, limit: 200)))" } ?? ""
    }
}
