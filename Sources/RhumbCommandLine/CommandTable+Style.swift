/// What concerns how maps of vector tiles look.
extension CommandTable {
    static let style = OptionSpec(
        .style, nil, .wordOrFile(["auto", "day", "night"]),
        help: "day or night colours, or a MapLibre style (file or address) for vector tiles")

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
