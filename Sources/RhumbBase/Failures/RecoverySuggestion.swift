/// A remedy for a failure beyond its own text. Each program has its own words for it: an option, a command, a
/// key.
public enum RecoverySuggestion: Hashable, Sendable {
    /// A source of this name is known, and much like the one asked for.
    case takeSource(String)
    case listSources
    /// Some of the sources that have a name may be downloaded.
    case listDownloadableSources
    /// A region is made of at least one source.
    case nameSource
    /// Of a map of several sources, one is to be named.
    case chooseSource
    /// The source has tiles of one scale only.
    case takeUsualScale
    /// An authority that vouches for the server may be named.
    case nameAuthority
    /// Everything that is wrong with an archive can be listed.
    case inspectArchive

    case listFeatures
    case enableFeature

    case nameCacheFile
    case raiseCacheSize
    /// The person may say that the provider has allowed it.
    case sayPermitted
    case nameDataFolder
    /// The stores are switched off.
    case switchStoresOn

    case listRegions
    /// A region is to be made again from the beginning.
    case makeRegionAnew
    /// Recover the readable part of the region store.
    case repairRegions
    case raiseRegionQuota
    /// The catalogue has a package of this id, much like the one asked for.
    case takePackage(String)
    case listPackages
    /// Packages have acts of their own.
    case workOnPackage
    /// Show the progress of the region with this id in another process.
    case watchRegion(String)

    case listStylePacks
    /// All faults of a style can be listed.
    case checkStyle

    /// A routing engine may be named, or started.
    case nameRouteEngine
    /// The person may agree to the rules of the source of this name.
    case agreeToRules(String)
    /// A search service may be configured.
    case nameSearchService
    /// The person may agree to the rules of the search service of this name.
    case agreeToSearch(String)
}

/// A failure against which a program can offer something.
public protocol RecoverableError: Error {
    /// The remedy; nil for none beyond the text.
    var remedy: RecoverySuggestion? { get }
}
