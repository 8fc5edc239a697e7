internal import RhumbCore
internal import RhumbEngine

/// What a person is told of a failure: its own sentence, and which words of the program help.
public enum FailureText {
    /// The sentence about a failure.
    public static func sentence(_ failure: any Error) -> String {
        guard let remedy = (failure as? any Remediable)?.remedy else { return "\(failure)" }
        return "\(failure); \(remedy.words)"
    }

    /// Where a tile failed, as its sentence begins, and what was wrong.
    static func parts(_ failure: TileFailure) -> (place: String, cause: String) {
        let sentence = sentence(failure)
        guard let colon = sentence.firstRange(of: ": ") else { return ("", sentence) }
        return (String(sentence[..<colon.lowerBound]), String(sentence[colon.upperBound...]))
    }
}

extension Notice.Problem {
    /// - Parameter failure: of the library, or of the program.
    public init(_ failure: any Error) { self.init(FailureText.sentence(failure)) }
}

extension Remedy {
    fileprivate var words: String {
        switch self {
        case .takeSource(let name): "did you mean \(name)?"
        case .listSources: "rhumb source list shows the names"
        case .listDownloadableSources: "rhumb source list names sources that may be"
        case .nameSource: "name one with --source"
        case .chooseSource: "say --source, or put {source} into the name of the file"
        case .takeUsualScale: "leave --scale out"
        case .nameAuthority: "or name its authority with --ca-file"
        case .inspectArchive: "rhumb inspect lists all such tiles"
        case .listFeatures: "rhumb features lists them"
        case .enableFeature: "add it to the features (--features, :features)"
        case .nameCacheFile: "or name another file with --cache-path"
        case .raiseCacheSize: "--cache-size says how large"
        case .sayPermitted: "say --permitted if the provider allows it to you"
        case .nameDataFolder: "or name one with --data-path"
        case .switchStoresOn: "leave --store off out, or say --store read"
        case .listRegions: "rhumb region list shows them"
        case .makeRegionAnew: "make it anew with rhumb region add"
        case .repairRegions: "rhumb region repair sets it aside and saves what can be read"
        case .takePackage(let id): "did you mean \(id)?"
        case .listPackages: "rhumb package tree and rhumb package search list them"
        case .workOnPackage: "rhumb package and rhumb update, or p on the map, change packages"
        case .raiseRegionQuota: "--region-quota says how much"
        case .watchRegion(let id): "rhumb region show \(id) tells how far it is"
        case .nameRouteEngine: "rhumb route --help says how to start one; --engine or :engine names one"
        case .agreeToRules(let source): "say rhumb route --agree \(source) once, or press y in the panel"
        case .nameSearchService: "rhumb search --help says how to have one asked"
        case .agreeToSearch(let source): "say rhumb search --agree \(source) once, or :online agree \(source)"
        }
    }
}
