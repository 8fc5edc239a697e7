/// Completion for fish, with one line per option.
enum FishCompletion {
    static var script: String {
        var lines = ["# fish completion for rhumb"]
        for command in CommandSpec.named {
            lines.append(line("__fish_is_first_arg", "-a \(command.text)", command.summary))
        }
        for command in CommandTable.commands {
            lines += command.options.map { line(condition(command), flags(of: $0), $0.help) }
            lines += operands(of: command)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ condition: String, _ flags: String, _ help: String) -> String {
        "complete -c rhumb -n '\(condition)' \(flags) -d '\(quoted(help))'"
    }

    private static func condition(_ command: CommandSpec) -> String {
        let named = CommandSpec.named.map(\.text).joined(separator: " ")
        guard !command.text.isEmpty else { return "not __fish_seen_subcommand_from \(named)" }
        var words = command.text.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
        let members = command.members.compactMap { $0.text.split(separator: " ").last }.joined(
            separator: " ")
        if !members.isEmpty { words.append("not __fish_seen_subcommand_from \(members)") }
        return words.joined(separator: "; and ")
    }

    private static func flags(of option: OptionSpec) -> String {
        let name = option.short.map { "-l \(option.name) -s \($0)" } ?? "-l \(option.name)"
        return option.candidates.map { "\(name) \(taking($0))" } ?? name
    }

    private static func taking(_ candidates: Candidates) -> String {
        switch candidates {
        case .words(let words): "-x -a '\(words.joined(separator: " "))'"
        case .names(let names): "-x -a '(\(names.command))'"
        case .namesAndFiles(let names): "-r -F -a '(\(names.command))'"
        case .files: "-r -F"
        case .nothing: "-x"
        }
    }

    /// Returns the lines that complete a command's operand. Fish completes files by itself.
    private static func operands(of command: CommandSpec) -> [String] {
        switch command.operandCandidates {
        case .words(let words):
            ["complete -c rhumb -n '\(condition(command))' -f -a '\(words.joined(separator: " "))'"]
        case .names(let names): ["complete -c rhumb -n '\(condition(command))' -f -a '(\(names.command))'"]
        case .namesAndFiles(let names):
            ["complete -c rhumb -n '\(condition(command))' -a '(\(names.command))'"]
        case .files: []
        case .nothing: ["complete -c rhumb -n '\(condition(command))' -f"]
        }
    }

    private static func quoted(_ text: String) -> String {
        text.map { "\\'".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
