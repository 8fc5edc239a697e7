internal import RhumbCore
internal import RhumbEngine

/// Texts about failures: their descriptions, followed by remedies in the terms of the program.
public enum FailureText {
    /// Returns the sentence about a failure, with its remedy if there is one.
    public static func sentence(_ failure: any Error) -> String {
        guard let text = (failure as? any RecoverableError)?.remedy?.text else { return "\(failure)" }
        return "\(failure); \(text)"
    }

    /// Returns the sentence for the screen of the map, with a remedy that the user has there. The sentence
    /// about a host that can't be found omits the address.
    public static func notice(_ failure: any Error) -> String {
        guard let remedy = (failure as? any RecoverableError)?.remedy else { return "\(failure)" }
        if case .goOnline = remedy { return NoticesText.isOffline }
        return remedy.unreachableHost ?? remedy.action.map { "\(failure); \($0)" } ?? "\(failure)"
    }

    /// Returns the location of a failed tile, with which the sentence about it begins, and the cause.
    static func parts(_ failure: TileFailure) -> (location: String, cause: String) {
        let sentence = notice(failure)
        guard !sentence.hasPrefix(RecoverySuggestion.noNetwork), let colon = sentence.firstRange(of: ": ")
        else {
            return ("", sentence)
        }
        return (String(sentence[..<colon.lowerBound]), String(sentence[colon.upperBound...]))
    }
}

extension Notice.Problem {
    /// - Parameter failure: A failure of the library or the program.
    public init(_ failure: any Error) { self.init(FailureText.sentence(failure)) }

    /// - Parameter failure: A failure that is shown on the map.
    public init(shown failure: any Error) { self.init(FailureText.notice(failure)) }
}

extension String {
    /// The text with only the hosts of the web addresses in it.
    var withHostsOnly: String {
        guard contains("://") else { return self }
        return split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let start = word.firstRange(of: "http")?.lowerBound, word[start...].contains("://"),
                let host = URLReference(String(word[start...])).host, !host.isEmpty
            else { return String(word) }
            let end = word.last.map { ":;,.)".contains($0) ? String($0) : "" } ?? ""
            return word[..<start] + host + end
        }
        .joined(separator: " ")
    }
}

extension RecoverySuggestion {
    /// The remedy in the program, without options and commands of the shell; nil if there is none.
    fileprivate var action: String? {
        switch self {
        case .takeSource, .takePackage: text
        case .listSources, .nameSource, .chooseSource: "press m for the list of maps"
        case .listDownloadableSources: "press m for maps that allow it"
        case .listFeatures, .enableFeature: "see :features"
        case .listRegions, .makeRegionAnew, .watchRegion: "press r for the regions"
        case .repairRegions: "leave the program, and run rhumb region check to recover the readable data"
        case .listPackages, .removePackages, .workOnPackage: "press p for the packages"
        case .raiseRegionQuota: "press r to remove a region"
        case .resumePackages: "on another connection, press p, then Enter to resume"
        case .resumePackagesLater: "later, press p, then Enter to resume"
        case .downloadMap: "press d to download this view"
        case .nameRouteEngine: "press d to download this view, or choose an engine with :engine and Tab"
        case .agreeToRules: "press Enter to read them"
        case .nameSearchService: "choose one with :online"
        case .agreeToSearch(let source): "accept them with :online \(source)"
        case .connect, .goOnline, .takeUsualScale, .nameAuthority, .inspectArchive, .nameCacheFile,
            .raiseCacheSize,
            .sayPermitted, .nameDataFolder, .switchStoresOn, .listStylePacks, .checkStyle:
            nil
        }
    }

    /// The remedy as a clause; nil if the text of the failure names it.
    fileprivate var text: String? {
        switch self {
        case .connect, .goOnline: nil
        case .takeSource(let name): "did you mean \(name)?"
        case .listSources: "see rhumb source list"
        case .listDownloadableSources: "see rhumb source list for sources that allow it"
        case .nameSource: "choose one with --source"
        case .chooseSource: "use --source, or put {source} into the file name"
        case .takeUsualScale: "omit --scale"
        case .nameAuthority: "or add its CA certificate with --ca-file"
        case .inspectArchive: "run rhumb archive info to list all such tiles"
        case .listFeatures: "see rhumb source features"
        case .enableFeature: "enable it with --features all, or on the map with :features"
        case .nameCacheFile: "or use another file with --cache-path"
        case .raiseCacheSize: "change the limit with --cache-size"
        case .sayPermitted: "add --permitted if you have the provider's permission"
        case .nameDataFolder: "or choose one with --data-path"
        case .switchStoresOn: "omit --store off, or use --store read"
        case .listRegions: "see rhumb region list"
        case .makeRegionAnew: "recreate it with rhumb region add"
        case .repairRegions: "run rhumb region check --repair to set it aside and recover the readable data"
        case .takePackage(let id): "did you mean \(id)?"
        case .listPackages: "see rhumb package tree or rhumb package search"
        case .removePackages(let ids):
            "remove them with rhumb package uninstall \(ids.joined(separator: " "))"
        case .workOnPackage: "use rhumb package or rhumb update, or press p on the map"
        case .resumePackages: "on another connection, resume with rhumb package resume"
        case .resumePackagesLater: "later, resume with rhumb package resume"
        case .raiseRegionQuota: "remove a region, or raise the quota with --region-quota"
        case .watchRegion(let id): "see its progress with rhumb region show \(id)"
        case .downloadMap(let place):
            "download it with rhumb region add gap --around \(place) --radius 10km --zooms 0-14 --source NAME"
        case .listStylePacks: "see rhumb style list"
        case .checkStyle: "run rhumb style check to list all faults"
        case .nameRouteEngine:
            "download one with rhumb region add, or name an engine with --engine or :engine"
        case .agreeToRules(let source):
            "accept them with rhumb route --agree \(source), or press R on the map"
        case .nameSearchService: "see rhumb search --help"
        case .agreeToSearch(let source):
            "accept them with rhumb search --agree \(source), or :online \(source)"
        }
    }
}
