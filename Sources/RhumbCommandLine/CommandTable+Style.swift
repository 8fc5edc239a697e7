/// What concerns how maps of vector tiles look.
extension CommandTable {
    static let style = OptionSpec(
        .style, nil, .wordOrFile(["auto", "sun", "day", "night"]),
        help: "light or dark colours (auto: as the terminal, sun: by the sun at the map's middle), or a MapLibre style "
            + "for vector tiles: a file, an address, a name; \"day=ONE night=OTHER\" for two")

    static let labels = [
        OptionSpec(
            .labels, nil, .word(["auto", "on", "off"]),
            help: "names over the map: where its own can't be read, always, never"),
        OptionSpec(
            .nameLanguage, nil, .word(["auto", "local", "en", "both"]), help: "names in Latin letters, as people there write them, in English, or both"),
        OptionSpec(.at, nil, .time, help: "day and night over the world at that time, and the lights of its cities"),
    ]

    private static let styleOperand = OperandSpec(
        placeholder: "STYLE", help: "a MapLibre style (JSON): a file, an address or a name", isRequired: true)

    static let styleCommands: [CommandSpec] = {
        let members = [
            CommandSpec(
                name: .style(.check), summary: "Say what of a style Rhumb does not draw, where and why.", operand: styleOperand,
                options: [json] + common,
                details: ["One line for each thing: file, line, column, layer, property. Exits with 3 when something is left out."],
                examples: [("rhumb style check bright.json", "a list that editors can jump along")]),
            CommandSpec(
                name: .style(.sets), summary: "List a style's layers by the sources they draw.", operand: styleOperand,
                options: [json] + common,
                details: [
                    "Routes and the position are drawn by the layers of six sources that TomTom's styles have. Where one of "
                        + "these sets is absent or wrong, the usual layers are taken; other sets stay as they are."
                ]),
            CommandSpec(
                name: .style(.export), summary: "Write one of the styles here to a file, as a basis for one's own.",
                operand: OperandSpec(placeholder: "NAME", help: "day, night, or a style in ~/.local/share/rhumb/style", isRequired: true),
                options: [output] + common, examples: [("rhumb style export day -o mine.json", "Rhumb's own style by day")]),
            convert,
            CommandSpec(
                name: .style(.watch), summary: "Open a map drawn in a style, and draw it anew whenever the style is saved.",
                operand: OperandSpec(placeholder: "STYLE", help: "a file", isRequired: true),
                options: [OptionSpec(.map, nil, .source, isConfigurable: false, help: "the map, of vector tiles; the style's own sources, if not given")]
                    + open.options.filter { $0.name != Option.style.name },
                secondOperand: Option.map.name, details: ["Faults are told under the map, and the style before stays."],
                examples: [("rhumb style watch mine.json city.pmtiles", "beside an editor")]),
        ]
        let packs = CommandSpec.family(
            .stylePack(nil), "Keep styles with what they are drawn with, for when there is no network.", of: packMembers)
        return [.family(.style(nil), "Look into styles, change, convert and keep them.", of: members + [packs])] + members
            + [packs] + packMembers
    }()

    private static let packMembers: [CommandSpec] = {
        func pack(
            _ verb: StylePackVerb, _ summary: String, isNamed: Bool? = true, _ options: [OptionSpec] = [], details: [String] = []
        ) -> CommandSpec {
            let operand = isNamed.map {
                OperandSpec(placeholder: "STYLE", help: "a style's address, file or name" + ($0 ? "" : "; all packs, if not given"), isRequired: $0)
            }
            return CommandSpec(
                name: .stylePack(verb), summary: summary, operand: operand,
                options: options + [json] + regionStore + network + [lockTimeout, config] + common, details: details)
        }
        let metadata = OptionSpec(.metadata, nil, .text, metavar: "JSON", isConfigurable: false, help: "anything to keep with it")
        return [
            pack(
                .add, "Fetch a style and what it names, and keep it.", [metadata, expired],
                details: [
                    "Kept are the style, the documents of its sources, its GeoJSON and its sprites; regions keep tiles. The style is "
                        + "drawn as it is kept until its pack is updated, and known by the name it gives itself, if no other has that. "
                        + "Exits with 3 when something of it can't be had."
                ]),
            pack(.list, "List the styles that are kept.", isNamed: nil),
            pack(.show, "Show what is kept of a style, and what could not be had."),
            pack(.update, "Fetch what is kept anew, as far as it changed.", isNamed: false, [metadata, expired]),
            pack(.remove, "Keep a style no longer; the shared cache has it until it needs the room."),
        ]
    }()

    private static let output = OptionSpec(
        .output, "o", .path, isConfigurable: false, help: "write to this file instead of standard output (-)")

    private static let convert = CommandSpec(
        name: .style(.convert), summary: "Make a style with key placeholders ready for an editor, and bring it back.",
        operand: OperandSpec(
            placeholder: "FOR", help: "maputnik: for such an editor; tomtom: back, with what was edited", isRequired: true,
            words: ["maputnik", "tomtom"]),
        options: [
            OptionSpec(.base, "b", .path, isConfigurable: false, help: "the style that was begun with, the same both ways"),
            OptionSpec(.edited, "e", .path, isConfigurable: false, help: "tomtom: the style from the editor"),
            OptionSpec(
                .keysFile, "k", .path, isConfigurable: false,
                help: "maputnik: an Info.plist, an AndroidManifest.xml or a configuration with keys, if not the usual ones"),
            OptionSpec(.sprites, "s", .text, metavar: "URL", isConfigurable: false, help: "maputnik: where the editor finds the sprite"),
            OptionSpec(.glyphs, "g", .text, metavar: "URL", isConfigurable: false, help: "maputnik: where the editor finds the glyphs"),
            OptionSpec(
                .visibility, "v", .word(["all", "none", "intact", "predefined"]), isConfigurable: false,
                help: "maputnik: layers the editor shows; predefined: of vector tiles (the default)"),
            OptionSpec(.workFolder, "w", .path, metavar: "FOLDER", isConfigurable: false, help: "take files from here and write here"),
            OptionSpec(.silent, "S", isConfigurable: false, help: "say only what went wrong"),
            output, config,
        ] + common,
        details: [
            "For the editor keys are filled in, tags of TomTom's own left out or set to what is usual, and the file is for "
                + "its owner alone. Back come the base's addresses, sprite, glyphs and tags with all that was edited, and no key. "
                + "Layers are known by their ids."
        ],
        examples: [
            ("rhumb style convert maputnik -b day.json -o edit.json", "then edit it"),
            ("rhumb style convert tomtom -b day.json -e edit.json -o mine.json", "with the same base"),
        ])
}
