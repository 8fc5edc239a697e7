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
            guard let family = command.words.split(separator: " ").first.map(String.init) else {
                return false
            }
            let group = CommandGroup.families.first { $0.value.contains(family) }?.key
            return (group ?? .data) == self
        }
    }
}
