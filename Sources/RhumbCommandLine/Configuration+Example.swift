extension Configuration {
    /// A file that changes nothing and shows everything that may stand in one.
    public static var example: String {
        var lines = ["// Rhumb's configuration: the long options by name. Options given by hand win."]
        lines.append("{")
        let options = configurable
        for option in options {
            let words = option.value.map(words) ?? ""
            lines += [
                "    // \(option.help)\(words)",
                "    // \"\(option.name)\": \(option.value?.sample ?? "true"),",
            ]
        }
        lines += [
            "    // keys of services by the names that rhumb source show tells",
            "    // \"keys\": {\"tomtom\": \"YOUR-KEY\"},",
            "    // web sources of one's own",
            "    // \"sources\": [{\"id\": \"mine\", \"url\": \"https://tiles.example/{z}/{x}/{y}.png\"}],",
        ]
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private static var configurable: [OptionSpec] {
        var names: Set<String> = []
        return CommandTable.commands.flatMap(\.options).filter {
            $0.isConfigurable && names.insert($0.name).inserted
        }
    }

    private static func words(of kind: ValueKind) -> String {
        switch kind {
        case .word(let words): ": " + words.joined(separator: ", ")
        case .wordOrFile(let words): ": " + words.joined(separator: ", ") + ", or a file"
        default: ""
        }
    }
}
