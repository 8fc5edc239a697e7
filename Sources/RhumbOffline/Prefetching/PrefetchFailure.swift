public import RhumbCore
public import RhumbEngine

/// The reason why tiles can't be prefetched.
public enum PrefetchFailure: RecoverableError, Sendable, Equatable, CustomStringConvertible {
    /// The source is on this computer.
    case here(String)
    /// There is no cache.
    case noCache
    /// The provider does not allow downloads.
    case denied(String, String?)
    /// The provider's terms leave open whether downloads are allowed. The user may confirm that they are.
    case unsaid(String, String?)
    /// The tiles exceed the cache's quota.
    case tooLarge(tiles: Int, bytes: Int, room: Int)
    /// The radius is not within `MapPrefetcher.radii`.
    case radius
    case geometry(RegionGeometryFailure)
    /// The feature of the source is turned off.
    case feature(FeatureFailure)
    /// Only regions and packages may store data of the source's feature.
    case regionsOnly(String, Feature)

    public var description: String {
        switch self {
        case .here(let name): "\(safe(name)) is a local map and needs no fetching"
        case .noCache: "tiles can't be fetched ahead without a cache; make its folder writable"
        case .denied(let name, let url):
            "\(safe(name)) does not allow fetching areas, only the view and its surroundings\(link(url)); "
                + "use a source that allows it, or an archive"
        case .unsaid(let name, let url):
            "the terms of \(safe(name)) don't say whether bulk downloads are allowed\(link(url))"
        case .tooLarge(let tiles, let bytes, let room):
            "\(AmountText.count(tiles)) tiles of about \(AmountText.bytes(bytes)) exceed the cache limit of "
                + "\(AmountText.bytes(room)); choose fewer zooms, a smaller area, or a larger cache"
        case .radius: "the radius must be 1 km to 50 km"
        case .geometry(let failure): "\(failure)"
        case .feature(let failure): "\(failure)"
        case .regionsOnly(let name, let feature):
            "\(safe(name)) belongs to \(feature), whose data is never fetched into the cache; download a region or package instead"
        }
    }

    /// The remedy that a program can offer; nil if there is none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .noCache: .nameCacheFile
        case .unsaid: .sayPermitted
        case .tooLarge: .raiseCacheSize
        case .feature(let failure): failure.remedy
        case .here, .denied, .radius, .geometry, .regionsOnly: nil
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 80) }

    private func link(_ url: String?) -> String {
        url.map { " (\(SafeText.sanitised($0, limit: 200)))" } ?? ""
    }
}
