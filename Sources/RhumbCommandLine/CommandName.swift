/// The commands, by their names. A name of two or three words consists of a family and a member; the member
/// is nil if the last word is missing.
public enum CommandName: Hashable, Sendable {
    /// Opening the map, which has no word.
    case open
    case streets, render, inspect, search, route, reach, features, doctor, help, man, completions
    case ready
    case convert, decode, diff, extract, merge, schema, serve, stats, tile, verify
    case pick(PickVerb?)
    case bookmarks(BookmarksVerb?)
    case source(SourceVerb?)
    case cache(CacheVerb?)
    case region(RegionVerb?)
    case package(PackageVerb?)
    case update(UpdateVerb?)
    case style(StyleVerb?)
    case stylePack(StylePackVerb?)
    case track(TrackVerb?)
    case patch(PatchVerb?)
    case area(AreaVerb?)

    /// The name as written: "render", "cache stats"; empty for opening the map.
    public var text: String {
        switch self {
        case .open: ""
        case .streets: "streets"
        case .render: "render"
        case .inspect: "inspect"
        case .convert: "convert"
        case .merge: "merge"
        case .extract: "extract"
        case .diff: "diff"
        case .decode: "decode"
        case .schema: "schema"
        case .serve: "serve"
        case .stats: "stats"
        case .tile: "tile"
        case .verify: "verify"
        case .search: "search"
        case .route: "route"
        case .reach: "reach"
        case .features: "features"
        case .doctor: "doctor"
        case .ready: "ready"
        case .help: "help"
        case .man: "man"
        case .completions: "completions"
        case .pick(let verb): words("pick", verb)
        case .bookmarks(let verb): words("bookmarks", verb)
        case .source(let verb): words("source", verb)
        case .cache(let verb): words("cache", verb)
        case .region(let verb): words("region", verb)
        case .package(let verb): words("package", verb)
        case .update(let verb): words("update", verb)
        case .style(let verb): words("style", verb)
        case .stylePack(let verb): words("style pack", verb)
        case .track(let verb): words("track", verb)
        case .patch(let verb): words("patch", verb)
        case .area(let verb): words("area", verb)
        }
    }

    private func words(_ family: String, _ verb: (some RawRepresentable<String>)?) -> String {
        verb.map { "\(family) \($0.rawValue)" } ?? family
    }
}

/// The commands of `rhumb pick`.
public enum PickVerb: String, Sendable {
    case point, bbox, polygon, feature
}

/// The commands of `rhumb bookmarks`.
public enum BookmarksVerb: String, Sendable {
    case list, add, remove
}

/// The commands of `rhumb source`.
public enum SourceVerb: String, Sendable {
    case list, show, check
}

/// The commands of `rhumb cache`.
public enum CacheVerb: String, Sendable {
    case stats, list, why, verify, invalidate, clear, trim, prefetch
}

/// The commands of `rhumb region`.
public enum RegionVerb: String, Sendable {
    case plan, add, list, show, update, retry, resume, pause, cancel, check, verify, repair, why, rename,
        remove
    case export, `import`
}

/// The commands of `rhumb package`.
public enum PackageVerb: String, Sendable {
    case tree, at, search, plan, install, uninstall, status, cancel, resume, repair, normalise, clear, publish
}

/// The commands of `rhumb update`.
public enum UpdateVerb: String, Sendable {
    case check, size, apply, cancel, schedule
}

/// The commands of `rhumb style`.
public enum StyleVerb: String, Sendable {
    case check, sets, convert, export, watch
}

/// The commands of `rhumb track`.
public enum TrackVerb: String, Sendable {
    case stats
}

/// The commands of `rhumb area`.
public enum AreaVerb: String, Sendable {
    case create, show, list, open, update, export, `import`, remove
}

/// The commands of `rhumb patch`.
public enum PatchVerb: String, Sendable {
    case make, apply
}

/// The commands of `rhumb style pack`.
public enum StylePackVerb: String, Sendable {
    case add, list, show, update, remove
}
