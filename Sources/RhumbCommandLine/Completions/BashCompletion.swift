/// Completion for bash: a function that needs nothing but bash itself.
enum BashCompletion {
    static var script: String {
        """
        # bash completion for rhumb
        _rhumb() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
            local at command= options= operands= names='\(CommandSpec.named.map(\.text).joined(separator: " "))'
            # Bash takes the sign in --name=value for a word of its own.
            if [[ $word == = ]]; then
                word=
            elif [[ $before == = ]]; then
                before=${COMP_WORDS[COMP_CWORD-2]}
            fi
            ((COMP_CWORD > 1)) && [[ " $names " == *" ${COMP_WORDS[1]} "* ]] && command=${COMP_WORDS[1]}
            for at in 2 3; do
                ((COMP_CWORD > at)) && [[ "\(longNames)" == *"|$command ${COMP_WORDS[at]}|"* ]] && command+=" ${COMP_WORDS[at]}"
            done
            COMPREPLY=()
            case $before in
        \(valueCases)
            esac
            case $command in
        \(commandCases)
            esac
            local stored=
            [[ $word != -* && $operands == *@* ]] && stored=$(rhumb help completions "${operands#*@}" 2>/dev/null)
            [[ $operands == @* ]] && operands=$stored
            if [[ $word == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
            elif [[ $operands == FILES* ]]; then
                ((COMP_CWORD == 1)) && stored+=" $names world"
                mapfile -t COMPREPLY < <(compgen -W "$stored" -- "$word")
                mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
            else
                mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$word")
            fi
        }
        complete -o filenames -F _rhumb rhumb

        """
    }

    /// The cases for option values, one for all options with the same candidates.
    private static var valueCases: String {
        var spellings: [Candidates: Set<String>] = [:]
        for option in CommandTable.commands.flatMap(\.options) {
            guard let candidates = option.candidates else { continue }
            spellings[candidates, default: []].formUnion(option.spellings)
        }
        let cases = spellings.map { "        \($1.sorted().joined(separator: "|"))) \(reply($0)); return ;;" }
        return cases.sorted().joined(separator: "\n")
    }

    private static func reply(_ candidates: Candidates) -> String {
        switch candidates {
        case .words(let words):
            "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$word\")"
        case .names(let names): "mapfile -t COMPREPLY < <(compgen -W \"$(\(names.command))\" -- \"$word\")"
        case .namesAndFiles(let names):
            "mapfile -t COMPREPLY < <(compgen -W \"$(\(names.command))\" -- \"$word\"; compgen -f -- \"$word\")"
        case .files: "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
        case .nothing: ":"
        }
    }

    private static var longNames: String {
        "|" + CommandTable.commands.map(\.text).filter { $0.contains(" ") }.joined(separator: "|") + "|"
    }

    private static var commandCases: String {
        CommandTable.commands.map { command in
            let options = command.options.map { "--\($0.name)" }.joined(separator: " ")
            let name = "'\(command.text)'"
            return "        \(name)) options='\(options)' operands='\(operands(of: command))' ;;"
        }.joined(separator: "\n")
    }

    private static func operands(of command: CommandSpec) -> String {
        switch command.operandCandidates {
        case .words(let words): words.joined(separator: " ")
        case .names(let names): "@" + names.rawValue
        case .namesAndFiles(let names): "FILES@" + names.rawValue
        case .files: "FILES"
        case .nothing: ""
        }
    }
}
