/// A remedy for a failure beyond its own text. Each program expresses it in its own words: an option, a
/// command, a key.
public enum RecoverySuggestion: Hashable, Sendable {
    /// Use the known source with this name, which resembles the requested one.
    case takeSource(String)
    case listSources
    /// Switch the network on, which the user has switched off.
    case goOnline
    /// List the named sources that may be downloaded.
    case listDownloadableSources
    /// Name a source, because a region needs at least one.
    case nameSource
    /// Name one source of a map that has several.
    case chooseSource
    /// Use the usual scale, because the source has tiles of one scale only.
    case takeUsualScale
    /// Connect to a network, because this host can't be found.
    case connect(host: String)
    /// Name an authority that vouches for the server.
    case nameAuthority
    /// List all faults of the archive.
    case inspectArchive

    case listFeatures
    case enableFeature

    case nameCacheFile
    case raiseCacheSize
    /// State that the provider has permitted it.
    case sayPermitted
    case nameDataFolder
    /// Switch the stores on.
    case switchStoresOn

    case listRegions
    /// Create the region again from the beginning.
    case makeRegionAnew
    /// Recover the readable part of the region store.
    case repairRegions
    case raiseRegionQuota
    /// Resume the packages over another connection.
    case resumePackages
    /// Resume the packages once their server works again.
    case resumePackagesLater
    /// Use the catalogue's package with this id, which resembles the requested one.
    case takePackage(String)
    case listPackages
    /// Remove the packages with these ids.
    case removePackages([String])
    /// Use the commands for packages instead.
    case workOnPackage
    /// Show the progress of the region with this id in another process.
    case watchRegion(String)

    /// Download a map of the area around a place, given as latitude and longitude.
    case downloadMap(around: String)

    case listStylePacks
    /// List all faults of the style.
    case checkStyle

    /// Name or start a routing engine.
    case nameRouteEngine
    /// Agree to the rules of the source with this name.
    case agreeToRules(String)
    /// Configure a search service.
    case nameSearchService
    /// Agree to the rules of the search service with this name.
    case agreeToSearch(String)

    /// The beginning of sentences about the network that is missing.
    public static let noNetwork = "No network: "

    /// The sentence about the host that can't be found, without the address of the request; nil for other
    /// remedies.
    public var unreachableHost: String? {
        if case .connect(let host) = self { "\(Self.noNetwork)\(host) can't be reached" } else { nil }
    }
}

/// A failure for which a program can offer a remedy.
public protocol RecoverableError: Error {
    /// The remedy; nil if there is none beyond the text.
    var remedy: RecoverySuggestion? { get }
}
