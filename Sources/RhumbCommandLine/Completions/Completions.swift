internal import RhumbCore

/// Completions for the shells, from the option table.
public enum Completions {
    /// Returns the script for bash, zsh or fish; nil for any other shell.
    public static func script(for shell: String) -> String? {
        switch shell {
        case "bash": BashCompletion.script
        case "zsh": ZshCompletion.script
        case "fish": FishCompletion.script
        default: nil
        }
    }
}

/// The words that a shell offers at a position.
enum Candidates: Hashable {
    case words([String])
    case names(StoredNames)
    case namesAndFiles(StoredNames)
    case files
    /// No candidates that a shell could know.
    case nothing
}

extension ValueKind {
    var candidates: Candidates {
        switch self {
        case .word(let words), .wordOrFile(let words): .words(words)
        case .symbols:
            .words([
                "auto", "ascii", "half", "quadrant", "sextant", "octant", "braille", "quadrant+half",
                "sextant+quadrant+half",
            ])
        case .source: .namesAndFiles(.sources)
        case .path: .files
        case .place, .width, .bounds, .size, .number, .whole, .bytes, .list, .zooms, .tile, .time, .text:
            .nothing
        }
    }
}

extension OptionSpec {
    /// The candidates for the value; nil for a switch.
    var candidates: Candidates? {
        switch name {
        case Option.streets.name: .names(.streets)
        case Option.features.name, Option.prefetch.name, Option.passThrough.name: .names(.features)
        case Option.traffic.name: .words(TrafficChoice.words)
        case Option.catalog.name: .files
        default: value?.candidates
        }
    }
}

extension CommandSpec {
    var operandCandidates: Candidates {
        guard let operand, operand.hasCandidates else { return .nothing }
        if let names = operand.names { return operand.takesFiles ? .namesAndFiles(names) : .names(names) }
        return operand.choices.isEmpty ? .files : .words(operand.choices)
    }

    /// The commands with a name of one word.
    static var named: [CommandSpec] {
        CommandTable.commands.filter { !$0.text.isEmpty && $0.family == nil }
    }
}
