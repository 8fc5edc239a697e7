/// The commands, by their names. A name of two or three words consists of a family and a member; the member
/// is nil if the last word is missing.
public enum CommandName: Hashable, Sendable {
    /// Opening the map, which has no word.
    case open
    case streets, render, search, describe, route, track, contours, serve, doctor, help, man, completions
    case pick(PickVerb?)
    case archive(ArchiveVerb?)
    case bookmark(BookmarkVerb?)
    case source(SourceVerb?)
    case cache(CacheVerb?)
    case region(RegionVerb?)
    case package(PackageVerb?)
    case packageKey(PackageKeyVerb?)
    case update(UpdateVerb?)
    case style(StyleVerb?)
    case stylePack(StylePackVerb)
    case patch(PatchVerb?)
    case area(AreaVerb?)

    /// The name as written: "render", "cache stats"; empty for opening the map.
    public var text: String {
        switch self {
        case .open: ""
        case .streets: "streets"
        case .render: "render"
        case .contours: "contours"
        case .search: "search"
        case .describe: "describe"
        case .route: "route"
        case .track: "track"
        case .serve: "serve"
        case .doctor: "doctor"
        case .help: "help"
        case .man: "help man"
        case .completions: "help completions"
        case .pick(let verb): text("pick", verb)
        case .archive(let verb): text("archive", verb)
        case .bookmark(let verb): text("bookmark", verb)
        case .source(let verb): text("source", verb)
        case .cache(let verb): text("cache", verb)
        case .region(let verb): text("region", verb)
        case .package(let verb): text("package", verb)
        case .packageKey(let verb): text("package key", verb)
        case .update(let verb): text("update", verb)
        case .style(let verb): text("style", verb)
        case .stylePack(let verb): text("style", verb)
        case .patch(let verb): text("archive patch", verb)
        case .area(let verb): text("area", verb)
        }
    }

    private func text(_ family: String, _ verb: (some RawRepresentable<String>)?) -> String {
        verb.map { "\(family) \($0.rawValue)" } ?? family
    }
}

/// The commands of `rhumb pick`.
public enum PickVerb: String, Sendable {
    case point, bbox, polygon, feature
}

/// The commands of `rhumb archive`.
public enum ArchiveVerb: String, Sendable {
    case info, tile, convert, merge, extract, diff
}

/// The commands of `rhumb bookmark`.
public enum BookmarkVerb: String, Sendable {
    case list, add, remove
}

/// The commands of `rhumb source`.
public enum SourceVerb: String, Sendable {
    case list, show, check, features
}

/// The commands of `rhumb cache`.
public enum CacheVerb: String, Sendable {
    case stats, list, why, verify, invalidate, clear, trim, prefetch
}

/// The commands of `rhumb region`.
public enum RegionVerb: String, Sendable {
    case plan, add, list, show, update, resume, pause, cancel, check, why, rename, remove, export, `import`
}

/// The commands of `rhumb package`.
public enum PackageVerb: String, Sendable {
    case tree, list, at, search, plan, install, uninstall, cancel, resume, repair, normalise, clear, publish
}

/// The commands of `rhumb package key`.
public enum PackageKeyVerb: String, Sendable {
    case new, show
}

/// The commands of `rhumb update`.
public enum UpdateVerb: String, Sendable {
    case check, apply, schedule
}

/// The commands of `rhumb style`.
public enum StyleVerb: String, Sendable {
    case check, sets, convert, export, watch
}

/// The commands of `rhumb area`.
public enum AreaVerb: String, Sendable {
    case create, list, show, check, open, update, export, `import`, remove
}

/// The commands of `rhumb archive patch`.
public enum PatchVerb: String, Sendable {
    case make, apply
}

/// The commands of `rhumb style` for styles that are stored with their resources.
public enum StylePackVerb: String, Sendable {
    case add, list, show, update, remove
}

/// A group of related commands, with a man page of its own.
public enum CommandGroup: String, CaseIterable, Sendable {
    case look, find, offline, data, share

    /// The purpose of the commands, as a clause that follows "to".
    var purpose: String {
        switch self {
        case .look: "show and draw maps"
        case .find: "find places and routes, and describe them"
        case .offline: "store maps for offline use"
        case .data: "manage sources, styles, bookmarks and archives"
        case .share: "publish maps and examine the program"
        }
    }

    private static let families: [CommandGroup: [String]] = [
        .look: ["streets", "render", "contours", "pick"],
        .find: ["search", "route", "describe", "track"],
        .offline: ["region", "package", "update", "area", "cache"],
        .share: ["serve", "doctor", "help"],
    ]

    /// The commands of the group in the order of the help. A command that no other group names is in `data`.
    var commands: [CommandSpec] {
        CommandTable.commands.filter { command in
            guard let family = command.text.split(separator: " ").first.map(String.init) else {
                return false
            }
            let group = CommandGroup.families.first { $0.value.contains(family) }?.key
            return (group ?? .data) == self
        }
    }
}
