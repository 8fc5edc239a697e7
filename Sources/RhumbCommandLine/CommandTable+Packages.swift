/// What concerns the packages of catalogues.
extension CommandTable {
    static let catalog = OptionSpec(
        .catalog, nil, .source, metavar: "CATALOG", isRepeatable: true,
        help: "the address or file of a catalogue of packages, or countries:SOURCE for those of a source that has none; "
            + "those of what is installed are known besides")

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
                .install, "Install packages, or go on with those that were broken off.", ids, [detach, permitted],
                details: [
                    "What is installed is left as it is; of what is there in part the rest is fetched. A network that is "
                        + "away is waited for. Broken off with Ctrl-C or killed, the same command goes on.",
                ]),
            package(.uninstall, "Remove packages, and the tiles that no other package or region holds.", ids),
            package(.status, "List the packages that are installed, and who works on them; no server is asked."),
            package(.cancel, "Have whoever installs or updates packages stop; what has come stays."),
            package(.resume, "Go on with installations and updates that were broken off.", nil, [detach]),
            package(.repair, "Look at every tile of installed packages, and fetch those anew that are missing or damaged.", nil, [detach]),
            package(.normalise, "Bring the data groups of installed packages in line with the features that are enabled.", nil, [detach]),
            package(.clear, "Remove all packages of the catalogues, those that can't be read included."),
            CommandSpec(
                name: .package(.publish), summary: "Make a catalogue of the archives in a folder, for any web server to give away.",
                operand: OperandSpec(placeholder: "FOLDER", help: "with .pmtiles, .mbtiles and .gpkg, one for each package", isRequired: true),
                options: [
                    OptionSpec(.edition, nil, .text, metavar: "VERSION", isConfigurable: false, help: "the edition of archives that have changed; after the day if not given"),
                    OptionSpec(.id, nil, .text, metavar: "ID", isConfigurable: false, help: "the id of the catalogue; after the folder if not given"),
                    OptionSpec(.name, nil, .text, metavar: "TEXT", isConfigurable: false, help: "the catalogue's title"),
                    json,
                ] + common,
                details: [
                    "rhumb help catalog tells the format. An archive is a package, a folder within the folder one that is made of those in it. NAME.geojson beside "
                        + "an archive tells its ground. What catalog.json says besides, such as titles, is kept. Beside each archive "
                        + "a list of its tiles' hashes is written, by which updates fetch only what changed.",
                ]),
        ]
        return [.family(.package(nil), "Packages of catalogues: countries and the like, installed for offline use.", of: members)] + members
    }()

    static let updateCommands: [CommandSpec] = {
        let members = [
            update(.check, "Ask the catalogues what is newer than what is installed."),
            update(.size, "Say what bringing the packages up to date would fetch, and what of it is here already."),
            update(
                .apply, "Bring all installed packages up to date.", [
                    detach,
                    OptionSpec(.allSame, isConfigurable: false, help: "only if the catalogue offers the same edition of all of them"),
                    OptionSpec(
                        .allAtEnd, isConfigurable: false,
                        help: "new editions take the place of old ones together, when all have come; takes more of the disk"),
                ],
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
            options: [catalog] + options + [json] + regionStore + network + [lockTimeout, config] + common, details: details)
    }
}
