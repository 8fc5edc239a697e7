/// Completions for the shells, from the option table.
public enum Completions {
    /// The script for bash, zsh or fish; nil for another shell.
    public static func script(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static var visible: [CommandSpec] { CommandTable.commands.filter { !$0.isHidden } }

    private static var commandNames: [String] { visible.map(\.name).filter { !$0.isEmpty } }

    private static func words(of kind: ValueKind) -> [String] {
        switch kind {
        case .word(let words): words
        case .symbols: ["auto", "ascii", "half", "quadrant", "sextant", "octant", "braille", "quadrant+half", "sextant+quadrant+half"]
        default: []
        }
    }

    // MARK: bash

    private static var bash: String {
        var cases = ""
        for option in Set(visible.flatMap(\.options).map(\.name)).sorted() {
            let words = visible.compactMap { $0.option(named: option)?.value }.first.map(words) ?? []
            if !words.isEmpty {
                cases += "        --\(option)) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\")); return ;;\n"
            }
        }
        var lists = ""
        for command in visible {
            let options = command.options.map { "--\($0.name)" }.joined(separator: " ")
            lists += "        \(command.name.isEmpty ? "*" : command.name)) options='\(options)' ;;\n"
        }
        let ordered = lists.split(separator: "\n").sorted { one, _ in !one.contains("*)") }
        return """
            # bash completion for rhumb
            _rhumb() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options
                case $before in
            \(cases.dropLastNewline)
                esac
                case ${COMP_WORDS[1]} in
            \(ordered.joined(separator: "\n"))
                esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$word"))
                else
                    COMPREPLY=($(compgen -f -- "$word"))
                    if ((COMP_CWORD == 1)); then
                        COMPREPLY+=($(compgen -W '\(commandNames.joined(separator: " ")) world' -- "$word"))
                    fi
                fi
            }
            complete -o filenames -F _rhumb rhumb

            """
    }

    // MARK: zsh

    private static var zsh: String {
        var cases = ""
        for command in visible {
            let specs = command.options.map { "            \(zshSpec($0))" }.joined(separator: " \\\n")
            let name = command.name.isEmpty ? "*" : command.name
            cases += "        \(name))\n            _arguments \\\n\(specs) \\\n            '*:file:_files' ;;\n"
        }
        let parts = cases.components(endingWith: " ;;\n").sorted { one, _ in !one.hasPrefix("        *)") }
        let described = visible.filter { !$0.name.isEmpty }.map { "'\($0.name):\(quoted($0.summary))'" }
        return """
            #compdef rhumb
            _rhumb() {
                if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
                    local commands=(\(described.joined(separator: " ")))
                    _describe command commands
                    _files
                    return
                fi
                case $words[2] in
            \(parts.joined().dropLastNewline)
                esac
            }
            _rhumb "$@"

            """
    }

    private static func zshSpec(_ option: OptionSpec) -> String {
        let text = "[\(quoted(option.help))]"
        let star = option.isRepeatable ? "*" : ""
        guard let kind = option.value else { return "'\(star)--\(option.name)\(text)'" }
        let words = words(of: kind)
        let action =
            switch kind {
            case .path, .source: "_files"
            default: words.isEmpty ? " " : "(\(words.joined(separator: " ")))"
            }
        return "'\(star)--\(option.name)=\(text):\(option.name):\(action)'"
    }

    private static func quoted(_ text: String) -> String {
        text.filter { $0 != "'" && $0 != "[" && $0 != "]" }.map { $0 == ":" ? "\\:" : String($0) }.joined()
    }

    // MARK: fish

    private static var fish: String {
        let names = commandNames.joined(separator: " ")
        var lines = ["# fish completion for rhumb"]
        for command in visible where !command.name.isEmpty {
            lines.append(
                "complete -c rhumb -n 'not __fish_seen_subcommand_from \(names)' -a \(command.name) -d '\(plain(command.summary))'")
        }
        for command in visible {
            let condition = command.name.isEmpty
                ? "not __fish_seen_subcommand_from \(names)" : "__fish_seen_subcommand_from \(command.name)"
            for option in command.options {
                var line = "complete -c rhumb -n '\(condition)' -l \(option.name)"
                if let short = option.short { line += " -s \(short)" }
                if let kind = option.value {
                    let words = words(of: kind)
                    line += words.isEmpty ? " -r" : " -x -a '\(words.joined(separator: " "))'"
                }
                lines.append(line + " -d '\(plain(option.help))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func plain(_ text: String) -> String { text.filter { $0 != "'" } }
}

extension String {
    fileprivate var dropLastNewline: String { hasSuffix("\n") ? String(dropLast()) : self }

    /// The parts that each end with a mark.
    fileprivate func components(endingWith mark: String) -> [String] {
        var parts: [String] = [""]
        for line in split(separator: "\n", omittingEmptySubsequences: false) {
            parts[parts.count - 1] += line + "\n"
            if line.hasSuffix(mark.dropLastNewline) { parts.append("") }
        }
        return parts.filter { !$0.isEmpty && $0 != "\n" }
    }
}
