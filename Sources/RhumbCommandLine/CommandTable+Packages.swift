/// What concerns the packages of catalogues.
extension CommandTable {
    static let catalog = OptionSpec(
        .catalog, nil, .source, metavar: "CATALOG", isRepeatable: true,
        help: "the address or file of a catalogue of packages; those of what is installed are known besides")

    private static let ids = OperandSpec(
        placeholder: "ID...", help: "packages, by the ids that rhumb package tree shows", isRequired: true, isJoined: true)

    static let packageCommands: [CommandSpec] = {
        let members = [
            package(
                .tree, "List the packages of the catalogues: what they hold, and what is installed.",
                OperandSpec(placeholder: "ID", help: "only this package and what lies in it", isRequired: false)),
            package(
                .at, "Name the smallest package at a place, never more than a country.",
                OperandSpec(placeholder: "LAT,LON", help: "the place", isRequired: true)),
            package(
                .search, "Find packages by name, in any language.",
                OperandSpec(placeholder: "TEXT", help: "the name, its beginning, or a part of it", isRequired: true, isJoined: true)),
            package(.plan, "Say what installing packages would fetch; nothing is fetched.", ids),
            package(
                .install, "Install packages, or go on with those that were broken off.", ids, [detach],
                details: [
                    "What is installed is left as it is; of what is there in part the rest is fetched. A network that is "
                        + "away is waited for. Broken off with Ctrl-C or killed, the same command goes on.",
                ]),
            package(.uninstall, "Remove packages, and the tiles that no other package or region holds.", ids),
            package(.status, "List the packages that are installed, and who works on them; no server is asked."),
            package(.cancel, "Have whoever installs or updates packages stop; what has come stays."),
        ]
        return [.family(.package(nil), "Packages of catalogues: countries and the like, installed for offline use.", of: members)] + members
    }()

    static let updateCommands: [CommandSpec] = {
        let members = [
            update(.check, "Ask the catalogues what is newer than what is installed."),
            update(.size, "Say what bringing the packages up to date would fetch."),
            update(
                .apply, "Bring all installed packages up to date.", [detach],
                details: [
                    "What is installed of a package is shown until all of the new edition is there. Broken off or killed, "
                        + "the same command goes on.",
                ]),
            update(.cancel, "Have whoever updates packages stop; what has come stays."),
        ]
        return [.family(.update(nil), "Newer editions of installed packages.", of: members)] + members
    }()

    private static let detach = OptionSpec(
        .detach, isConfigurable: false, help: "go on in the background; rhumb package status tells how far")

    private static func package(
        _ verb: PackageVerb, _ summary: String, _ operand: OperandSpec? = nil, _ options: [OptionSpec] = [],
        details: [String] = []
    ) -> CommandSpec {
        command(.package(verb), summary, operand, options, details)
    }

    private static func update(
        _ verb: UpdateVerb, _ summary: String, _ options: [OptionSpec] = [], details: [String] = []
    ) -> CommandSpec {
        command(.update(verb), summary, nil, options, details)
    }

    private static func command(
        _ name: CommandName, _ summary: String, _ operand: OperandSpec?, _ options: [OptionSpec], _ details: [String]
    ) -> CommandSpec {
        CommandSpec(
            name: name, summary: summary, operand: operand,
            options: [catalog] + options + [json] + regionStore + network + [config] + common, details: details)
    }
}
