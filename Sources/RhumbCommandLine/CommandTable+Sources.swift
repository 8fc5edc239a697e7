/// What concerns the web sources by name.
extension CommandTable {
    static let sourceCommands: [CommandSpec] = {
        let name = OperandSpec(placeholder: "NAME", help: "a source that rhumb source list shows", isRequired: true)
        let members = [
            CommandSpec(
                name: .source(.list), summary: "List the web sources that have a name.", operand: nil,
                options: [json, config] + common,
                details: ["More come from \"sources\" in the configuration file; see rhumb --print-config."]),
            CommandSpec(
                name: .source(.show), summary: "Show all that is known of a web source.", operand: name,
                options: [json, config] + common),
            CommandSpec(
                name: .source(.check), summary: "Fetch one tile or document of a web source, and say what came.",
                operand: OperandSpec(
                    placeholder: "NAME|URL", help: "a source by name, or the address of one", isRequired: true),
                options: [json] + client + store + [config] + common,
                details: ["Exits with 1 when nothing usable came."],
                examples: [("rhumb source check osm", "is it there, and how long may its tiles be kept?")]),
            CommandSpec(
                name: .source(.demoTraffic), summary: "Serve simulated traffic on this machine, for trying it without a key.",
                operand: nil,
                options: [OptionSpec(.port, nil, .whole(1...65_535), isConfigurable: false, help: "any that is free if not given")] + common,
                details: ["Prints how to look at it, and runs until it is interrupted."]),
        ]
        return [.family(.source(nil), "List and check the web sources.", of: members)] + members
    }()
}
