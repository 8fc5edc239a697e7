/// The commands of web sources.
extension CommandTable {
    static let sourceCommands: [CommandSpec] = {
        let name = OperandSpec(
            placeholder: "NAME", help: "a name from rhumb source list", isRequired: true, names: .sources)
        let members = [
            CommandSpec(
                name: .source(.list), summary: "List the web sources with a name.", operand: nil,
                options: [json, config] + common,
                details: [
                    "Add your own under \"sources\" in the configuration file; see rhumb --print-config."
                ]),
            CommandSpec(
                name: .source(.show), summary: "Show the details of a web source.", operand: name,
                options: [json, config] + common),
            CommandSpec(
                name: .source(.check),
                summary: "Fetch a tile or document from a web source and report the result.",
                operand: OperandSpec(
                    placeholder: "NAME|URL", help: "name or URL of a source", isRequired: true,
                    names: .sources),
                options: [json] + client + store + [config] + common,
                details: ["The exit status is 1 if the response is not usable."],
                examples: [
                    ("rhumb source check osm", "is it reachable, and how long can its tiles be cached?")
                ]),
            features,
        ]
        return [.family(.source(nil), "List and check the web sources, and the features.", of: members)]
            + members
    }()
}
