/// The commands for areas.
extension CommandTable {
    static let areaCommands: [CommandSpec] = {
        let members = [
            area(
                .create, "Create an area.",
                OperandSpec(
                    placeholder: "NAME [REGION...]",
                    help: "name of the area, and ids of the regions and packages in it",
                    isRequired: true, count: 1...1000, names: .places),
                [
                    OptionSpec(
                        .over, .source, isRepeatable: true, help: "overlay, such as a track; may be repeated"),
                    OptionSpec(.map, .source, help: "base map (default: the map of the first region)"),
                    OptionSpec(.style, .path, help: "style"),
                    OptionSpec(
                        .grid, .word(["mgrs", "utm", "maidenhead", "degrees", "off"]),
                        help: "coordinate grid"),
                    OptionSpec(
                        .bookmarks, .text, metavar: "LETTERS", help: "letters of bookmarks, such as abc"),
                    OptionSpec(.force, help: "replace an existing area"), json,
                ],
                examples: [
                    (
                        "rhumb area create hike florence heights --over walk.gpx --grid mgrs",
                        "two regions with a track and a grid"
                    )
                ]),
            area(.list, "List the areas.", nil, [json]),
            area(.show, "Show the members of an area.", name, [json]),
            check,
            area(
                .open, "Open the map with the regions, overlays, style and grid of an area.", name,
                open.options.filter { $0.name != Option.printConfig.name }),
            area(
                .update, "Update the regions and packages of an area.", name,
                regionStore + downloading + [catalog, lockTimeout]),
            area(
                .export,
                "Write an area, or everything that is stored, to a folder or file for another machine.",
                OperandSpec(
                    placeholder: "NAME",
                    help: "name of the area (default: all regions, packages, areas, styles and bookmarks)",
                    isRequired: false, names: .areas),
                [
                    OptionSpec(.output, .path, "o", help: "new folder, or new .tar file"),
                    OptionSpec(
                        .over, .source, isRepeatable: true, help: "also write an overlay; may be repeated"),
                    json, lockTimeout,
                ],
                details: [
                    "The files are listed with SHA-256 checksums. Regions and packages whose policy does not "
                        + "allow sharing are left out and named; the exit status is then 3."
                ]),
            area(
                .import, "Verify and import what area export wrote.",
                OperandSpec(placeholder: "PATH", help: "folder or .tar file", isRequired: true),
                [json, lockTimeout],
                details: [
                    "Nothing is imported unless all checksums are right. What exists already is left out and named."
                ]),
            area(.remove, "Remove an area. Its regions and files are kept.", name, [json]),
        ]
        return [
            .family(.area(nil), "Name a set of regions, packages, overlays and settings.", of: members)
        ] + members
    }()

    private static let name = OperandSpec(
        placeholder: "NAME", help: "name of the area", isRequired: true, names: .areas)

    private static let check = area(
        .check, "Check that maps work without a network.",
        OperandSpec(
            placeholder: "AREA|REGION...",
            help: "names of areas, regions or packages (default: everything stored)", isRequired: false,
            count: 0...1000, names: .places),
        [
            OptionSpec(
                .until, .text, metavar: "DATE",
                help: "require that no tile expires before this date, or within this time: 2027-01-31, 30d"),
            style, json, lockTimeout,
        ],
        details: [
            "Every tile and document is checked by its content. Also checked are the style with its sprites, the search "
                + "index, heights, routing engines on this computer, overlays, the free disk space and the clock. "
                + "Nothing is downloaded. Each problem is printed with the command that corrects it.",
            "The exit status is 0 if the maps work without a network, and 3 if something is missing.",
        ],
        examples: [("rhumb area check hike --until 2027-01-31", "before a journey")])

    private static func area(
        _ verb: AreaVerb, _ summary: String, _ operand: OperandSpec?, _ options: [OptionSpec],
        details: [String] = [], examples: [(line: String, what: String)] = []
    ) -> CommandSpec {
        let shared = [dataPath, config] + common
        return CommandSpec(
            name: .area(verb), summary: summary, operand: operand,
            options: options + shared.filter { option in !options.contains { $0.name == option.name } },
            details: details, examples: examples
        ).acceptingStoreOptions()
    }
}
