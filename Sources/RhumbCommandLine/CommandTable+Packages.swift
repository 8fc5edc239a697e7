/// The options and commands of packages.
extension CommandTable {
    static let catalog = OptionSpec(
        .catalog, .source, metavar: "CATALOG", isRepeatable: true, isConfigurable: true,
        help:
            "URL or file of a package catalogue, or countries:SOURCE for the countries of a source without one"
    )

    private static let key = OptionSpec(
        .key, .text, metavar: "KEY",
        help: "public key of minisign, its file or fingerprint, that must have signed the catalogue")

    private static let ids = OperandSpec(
        placeholder: "ID...", help: "package ids, as listed by rhumb package tree", isRequired: true,
        isJoined: true,
        names: .packages)
    /// The ids of packages that may not be installed.
    private static let newIDs = OperandSpec(
        placeholder: ids.placeholder, help: ids.help, isRequired: true, hasCandidates: false, isJoined: true)

    static let packageCommands: [CommandSpec] = {
        let members = [
            package(.list, "List installed packages and running operations, without network access."),
            package(
                .tree, "List the packages of the catalogues, with those installed.",
                OperandSpec(
                    placeholder: "ID", help: "only this package and those inside it", isRequired: false)),
            package(
                .at, "Show the smallest package that covers a place, at most a country.",
                OperandSpec(placeholder: "LAT,LON", help: "coordinates of the place", isRequired: true)),
            package(
                .search, "Find packages by name, in any language.",
                OperandSpec(
                    placeholder: "TEXT", help: "name of a package, or part of it", isRequired: true,
                    isJoined: true)),
            package(
                .plan, "Report the download size of packages, without fetching them.", newIDs, heights),
            package(
                .install, "Install packages, or resume interrupted installations.", newIDs,
                heights + [detach, permitted],
                details: [
                    "Installed packages are unchanged; partly installed ones are completed. Without a network, "
                        + "the command waits. After Ctrl-C or a crash, the same command resumes."
                ]),
            package(.uninstall, "Remove packages and the tiles no other package or region uses.", ids),
            package(.cancel, "Cancel the running installation or update; fetched tiles are kept."),
            package(.resume, "Resume interrupted installations and updates.", nil, [detach]),
            package(
                .repair, "Check every tile of installed packages; fetch missing and damaged ones again.", nil,
                [detach]),
            package(
                .normalise, "Add or remove data of installed packages to match the enabled features.", nil,
                [detach]),
            package(.clear, "Remove all packages, including unreadable ones."),
            CommandSpec(
                name: .package(.publish),
                summary: "Build a catalogue from a folder of archives, to be served by any web server.",
                operand: OperandSpec(
                    placeholder: "FOLDER",
                    help: "folder of .pmtiles, .versatiles, .mbtiles or .gpkg files, one for each package",
                    isRequired: true),
                options: [
                    OptionSpec(
                        .edition, .text, metavar: "VERSION",
                        help: "edition of changed archives (default: from today's date)"),
                    OptionSpec(
                        .id, .text, metavar: "ID",
                        help: "id of the catalogue (default: from the folder's name)"),
                    OptionSpec(.name, .text, metavar: "TEXT", help: "title of the catalogue"),
                    OptionSpec(
                        .sign, .path, metavar: "KEYFILE",
                        help: "sign the catalogue with this secret key, see rhumb package key"),
                    OptionSpec(
                        .oldKey, .path, metavar: "KEYFILE",
                        help: "secret key of the existing catalogue, if --sign names another one"),
                    OptionSpec(
                        .expires, .whole(1...3650), metavar: "DAYS",
                        help: "number of days for which the signed catalogue is valid"),
                    json,
                ] + common,
                details: [
                    "Each archive becomes a package; each subfolder becomes a package that contains those in it. NAME.geojson beside an "
                        + "archive sets its area. Other members of an existing catalog.json, such as titles, are kept. A list of tile hashes "
                        + "is written beside each archive, so that updates fetch only changed tiles. The format: "
                        + "rhumb help catalog."
                ]),
        ]
        let keyFamily = CommandSpec.family(
            .packageKey(nil), "Make and show keys that sign catalogues.", of: keyMembers)
        return [
            .family(
                .package(nil), "Install maps of countries and other areas for offline use.",
                of: members + [keyFamily])
        ] + members + [keyFamily] + keyMembers
    }()

    private static let keyMembers = [
        CommandSpec(
            name: .packageKey(.new), summary: "Create a key that signs catalogues, in minisign's format.",
            operand: OperandSpec(
                placeholder: "KEYFILE", help: "new file of the secret key", isRequired: true),
            options: [json] + common,
            details: [
                "The public key is written to KEYFILE.pub. The passphrase is read from the terminal, or from the first "
                    + "line of standard input; without one, the key is not encrypted."
            ],
            examples: [
                ("rhumb package key new maps.key", "maps.key and maps.key.pub"),
                ("rhumb package publish archives --sign maps.key", "a signed catalogue"),
            ]),
        CommandSpec(
            name: .packageKey(.show), summary: "Print a public key and its fingerprint.",
            operand: OperandSpec(
                placeholder: "KEYFILE", help: "file of a secret or public key", isRequired: true),
            options: [json] + common),
    ]

    static let updateCommands: [CommandSpec] = {
        let members = [
            update(
                .check, "List the packages with a newer edition, and the regions with stale tiles.",
                [
                    OptionSpec(
                        .sizes,
                        help:
                            "read the sizes from the archives: how much would be fetched, and how much is stored "
                            + "already")
                ]),
            update(
                .apply, "Update the packages and regions that are out of date.",
                [
                    detach,
                    OptionSpec(
                        .allSame, help: "only if the catalogue offers the same edition of all packages"),
                    OptionSpec(
                        .allAtEnd,
                        help: "replace all old editions together at the end; needs more disk space"),
                ] + conditions,
                details: [
                    "The old edition of a package stays in use until the new one is complete. After Ctrl-C or a crash, "
                        + "the same command resumes. Paused regions are skipped; rhumb region update also "
                        + "revalidates fresh tiles."
                ]),
            CommandSpec(
                name: .update(.schedule),
                summary: "Print a systemd timer and a cron line for regular updates.",
                operand: nil, options: conditions.filter { $0.name == Option.maxBytes.name } + common,
                details: ["Nothing is installed. The output says where each part belongs."],
                examples: [("rhumb update schedule --max-bytes 2GB", "nightly, up to 2 GB")]),
        ]
        return [.family(.update(nil), "Update installed packages and regions.", of: members)] + members
    }()

    /// The conditions of an update.
    private static let conditions = [
        OptionSpec(
            .ifUnmetered, help: "only if the connection is not metered, by --metered or NetworkManager"),
        OptionSpec(.ifIdle, help: "only if less than half of the processors are busy"),
        OptionSpec(
            .maxBytes, .bytes(0...1_000_000_000_000_000),
            help: "only if at most this many bytes are fetched, such as 2GB"),
    ]

    private static let detach = OptionSpec(
        .detach, help: "run in the background; rhumb package list shows the progress")

    /// Verbs on installed packages that send no request to a server.
    private static let localVerbs: Set<PackageVerb> = [.list, .uninstall, .cancel, .normalise, .clear]

    private static func package(
        _ verb: PackageVerb, _ summary: String, _ operand: OperandSpec? = nil, _ options: [OptionSpec] = [],
        details: [String] = []
    ) -> CommandSpec {
        command(.package(verb), summary, operand, options, details, isLocal: localVerbs.contains(verb))
    }

    private static func update(
        _ verb: UpdateVerb, _ summary: String, _ options: [OptionSpec] = [], details: [String] = []
    ) -> CommandSpec {
        command(.update(verb), summary, nil, options, details, isLocal: false)
    }

    private static func command(
        _ name: CommandName, _ summary: String, _ operand: OperandSpec?, _ options: [OptionSpec],
        _ details: [String],
        isLocal: Bool
    ) -> CommandSpec {
        CommandSpec(
            name: name, summary: summary, operand: operand,
            options: [catalog, key] + options + [json] + storing(isLocal: isLocal) + common, details: details
        ).acceptingStoreOptions()
    }
}
