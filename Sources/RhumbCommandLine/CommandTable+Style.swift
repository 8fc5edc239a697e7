internal import RhumbCore

/// The options and commands of styles.
extension CommandTable {
    static let style = OptionSpec(
        .style, .wordOrFile(["auto", "sun", "day", "night"]), isConfigurable: true,
        help:
            "light or dark colours (auto: like the terminal, sun: by daylight at the map's centre), or a MapLibre "
            + "style "
            + "for vector tiles: a file, URL or name; \"day=ONE night=OTHER\" for two")

    static let labels = [
        OptionSpec(
            .labels, .word(["auto", "on", "off"]), isConfigurable: true,
            help: "Rhumb's own labels: auto (where the map's are unreadable), on or off"),
        OptionSpec(
            .nameLanguage, .word(NameLanguage.words), metavar: "auto|local|both|CODE", isConfigurable: true,
            help:
                "language of names, such as en or de (default: that of LANG); auto: Latin letters, local: local "
                + "names, both: local and English"),
        OptionSpec(
            .grid, .word(["mgrs", "utm", "maidenhead", "degrees", "off"]), isConfigurable: true,
            help: "coordinate grid over the map: mgrs, utm, maidenhead, degrees or off"),
        OptionSpec(
            .at, .time, isConfigurable: true, help: "show day and night, and city lights, at this time"),
        OptionSpec(
            .hills, isConfigurable: true, help: "terrain shading and contours, from --terrain or Mapterhorn"),
        OptionSpec(
            .contours, .text, metavar: "auto|off|METRES", isConfigurable: true,
            help:
                "contour lines: with a distance that follows the zoom (auto), none (off), or this distance in "
                + "metres, or in feet with --units imperial"),
    ]

    private static let styleOperand = OperandSpec(
        placeholder: "STYLE", help: "a MapLibre style (JSON): a file, URL or name", isRequired: true)

    static let styleCommands: [CommandSpec] = {
        let members = [
            CommandSpec(
                name: .style(.check), summary: "List the parts of a style that Rhumb can't draw, and why.",
                operand: styleOperand,
                options: [json] + common,
                details: [
                    "One line per problem: file, line, column, layer, property. The exit status is 3 if there are any."
                ],
                examples: [("rhumb style check bright.json", "problems in a format that editors understand")]),
            CommandSpec(
                name: .style(.sets), summary: "List the layers of a style by source.", operand: styleOperand,
                options: [json] + common,
                details: [
                    "TomTom's styles have six sources whose layers draw routes and the position. If one of "
                        + "these sets is missing or invalid, Rhumb uses its own layers instead; the other sets are "
                        + "unaffected."
                ]),
            CommandSpec(
                name: .style(.export),
                summary: "Write an installed style to a file, as a basis for your own.",
                operand: OperandSpec(
                    placeholder: "NAME", help: "day, night, or a style from ~/.local/share/rhumb/style",
                    isRequired: true),
                options: [output] + common,
                examples: [("rhumb style export day -o mine.json", "Rhumb's own day style")]),
            convert,
            CommandSpec(
                name: .style(.watch),
                summary: "Open a map in a style, and redraw it whenever the style is saved.",
                operand: OperandSpec(placeholder: "STYLE", help: "style file", isRequired: true),
                options: [
                    OptionSpec(.map, .source, help: "vector map to draw (default: the style's own sources)")
                ]
                    + open.options.filter { $0.name != Option.style.name },
                secondOperand: Option.map.name,
                details: [
                    "Errors are shown below the map, and the last valid style "
                        + "stays."
                ],
                examples: [("rhumb style watch mine.json city.pmtiles", "edit mine.json and see the changes")]
            ),
        ]
        let all = packMembers + members
        return [.family(.style(nil), "Check, convert and install map styles.", of: all)] + all
    }()

    private static let packMembers: [CommandSpec] = {
        func pack(
            _ verb: StylePackVerb, _ summary: String, isNamed: Bool? = true, _ options: [OptionSpec] = [],
            details: [String] = []
        ) -> CommandSpec {
            let operand = isNamed.map {
                OperandSpec(
                    placeholder: "STYLE",
                    help: "URL, file or name of a style" + ($0 ? "" : " (default: all packs)"), isRequired: $0
                )
            }
            return CommandSpec(
                name: .stylePack(verb), summary: summary, operand: operand,
                options: options + [json] + storing(isLocal: ![.add, .update].contains(verb)) + common,
                details: details
            ).acceptingStoreOptions()
        }
        let metadata = OptionSpec(.metadata, .text, metavar: "JSON", help: "custom metadata to store with it")
        return [
            pack(
                .add, "Install a style and the resources it refers to.", [metadata, expired],
                details: [
                    "Stores the style, its source documents, its GeoJSON and its sprites; tiles are stored by regions. Rhumb draws "
                        + "the stored style until its pack is updated. You can refer to it by its own name, unless another style has that. "
                        + "The exit status is 3 if a resource is missing."
                ]),
            pack(.list, "List the installed styles.", isNamed: nil),
            pack(.show, "Show which resources of a style are stored and which are missing."),
            pack(
                .update,
                "Update installed styles; only changed resources are "
                    + "fetched.", isNamed: false, [metadata, expired]),
            pack(.remove, "Remove a saved style. It may remain in the cache for a while."),
        ]
    }()

    private static let output = OptionSpec(
        .output, .path, "o", help: "output file (default: -, standard output)")

    private static let convert = CommandSpec(
        name: .style(.convert), summary: "Convert a style with key placeholders for an editor, and back.",
        operand: OperandSpec(
            placeholder: "FOR",
            help: "maputnik: prepare for the editor; tomtom: convert the edited style back", isRequired: true,
            choices: ["maputnik", "tomtom"]),
        options: [
            OptionSpec(.base, .path, "b", help: "original style; use the same one in both directions"),
            OptionSpec(.edited, .path, "e", help: "tomtom: style saved by the editor"),
            OptionSpec(
                .keysFile, .path, "k",
                help: "maputnik: Info.plist, AndroidManifest.xml or configuration file with the keys"),
            OptionSpec(.sprites, .text, "s", metavar: "URL", help: "maputnik: sprite URL for the editor"),
            OptionSpec(.glyphs, .text, "g", metavar: "URL", help: "maputnik: glyph URL for the editor"),
            OptionSpec(
                .visibility, .word(["all", "none", "intact", "predefined"]), "v",
                help: "maputnik: layers visible in the editor; predefined (default): those of vector tiles"),
            OptionSpec(.workFolder, .path, "w", metavar: "FOLDER", help: "folder to read from and write to"),
            OptionSpec(.silent, "S", help: "print only errors"),
            output, config,
        ] + common,
        details: [
            "maputnik fills in the keys, drops or replaces TomTom's own tags, and writes a file that only "
                + "you can read. tomtom restores the original URLs, sprite, glyphs and tags, keeps your edits, and removes the keys. "
                + "Layers are matched by id."
        ],
        examples: [
            ("rhumb style convert maputnik -b day.json -o edit.json", "then edit edit.json"),
            ("rhumb style convert tomtom -b day.json -e edit.json -o mine.json", "use the same base style"),
        ])
}
