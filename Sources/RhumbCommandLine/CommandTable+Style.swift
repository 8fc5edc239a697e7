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
            .nameLanguage, nil, .word(["local", "en"]), help: "names as people there write them, or in English"),
    ]

    static let styleCommands: [CommandSpec] = {
        let members = [
            CommandSpec(
                name: .style(.check), summary: "Say what of a style Rhumb does not draw, and why.",
                operand: OperandSpec(placeholder: "FILE|URL", help: "a MapLibre style (JSON)", isRequired: true),
                options: [json] + common, details: ["Exits with 3 when something is left out."],
                examples: [("rhumb style check bright.json", "one line for each thing left out")])
        ]
        return [.family(.style(nil), "Look into styles.", of: members)] + members
    }()
}
