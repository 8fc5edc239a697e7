/// Completion for zsh, based on its `_arguments`.
enum ZshCompletion {
    static var script: String {
        """
        #compdef rhumb
        _rhumb() {
            local -a commands=(
        \(CommandSpec.named.map { "        '\($0.text):\(quoted($0.summary))'" }.joined(separator: "\n"))
            )
            if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
                _describe command commands
                _files
                return
            fi
            local command=
            if ((CURRENT > 2)) && [[ -n $commands[(r)$words[2]:*] ]]; then
                command=$words[2]
                shift words
                ((CURRENT--))
                while ((CURRENT > 2)) && [[ "\(longNames)" == *"|$command $words[2]|"* ]]; do
                    command+=" $words[2]"
                    shift words
                    ((CURRENT--))
                done
            fi
            case $command in
        \(CommandTable.commands.map(arguments).joined(separator: "\n"))
            esac
        }
        _rhumb "$@"

        """
    }

    private static var longNames: String {
        "|" + CommandTable.commands.map(\.text).filter { $0.contains(" ") }.joined(separator: "|") + "|"
    }

    private static func arguments(of command: CommandSpec) -> String {
        var specs = command.options.map(spec)
        if let operand = command.operand {
            let position = operand.count.upperBound > 1 ? "*" : "1"
            specs.append(
                "'\(position):\(operand.placeholder.lowercased()):\(action(command.operandCandidates))'")
        }
        let lines = specs.map { "            \($0)" }.joined(separator: " \\\n")
        return "        '\(command.text)') _arguments \\\n\(lines) ;;"
    }

    /// Returns an option's specification, such as `'(-f --format)'{-f+,--format=}'[help]:format:(ansi text
    /// png)'`.
    private static func spec(_ option: OptionSpec) -> String {
        let marks = option.value == nil ? ("", "") : ("+", "=")
        let long = "--\(option.name)\(marks.1)"
        let tail = "[\(quoted(option.help))]" + value(of: option)
        guard let short = option.short else { return "'\(option.isRepeatable ? "*" : "")\(long)\(tail)'" }
        return "'(-\(short) --\(option.name))'{-\(short)\(marks.0),\(long)}'\(tail)'"
    }

    private static func value(of option: OptionSpec) -> String {
        option.candidates.map { ":\(option.name):\(action($0))" } ?? ""
    }

    private static func action(_ candidates: Candidates) -> String {
        switch candidates {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .names(let names): "{\(names.zsh)}"
        case .namesAndFiles(let names): "{\(names.zsh); _files}"
        case .files: "_files"
        case .nothing: " "
        }
    }

    private static func quoted(_ text: String) -> String {
        text.map { "\\:[]".contains($0) ? "\\\($0)" : $0 == "'" ? "'\\''" : String($0) }.joined()
    }
}

extension StoredNames {
    fileprivate var zsh: String { "compadd -- ${(f)\"$(\(command))\"}" }
}
