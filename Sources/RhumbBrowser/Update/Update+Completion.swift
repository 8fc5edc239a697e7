internal import RhumbCore
internal import RhumbEngine

/// Completion of the line after `:`, and its history.
extension Browser {
    mutating func pressInCommandLine(_ key: Key) -> [Effect]? {
        if case .list(let listed, let row) = input.prompt?.aid { return press(key, in: listed, row) }
        switch key {
        case .tab, .backTab: return openList(.words)
        case .control("r"): return openList(.lines)
        case .arrow(.up, _), .control("p"): return recall(by: -1)
        case .arrow(.down, _), .control("n"): return recall(by: 1)
        default: return nil
        }
    }

    /// Requests completions that need the file system or the network.
    mutating func askForWords() -> [Effect] {
        guard case .list(.words, _) = input.prompt?.aid, let question = completionQuestion else { return [] }
        return input.outsideWords.ask(question, at: map.now) ? [.ask(question)] : []
    }

    // MARK: The list

    private mutating func openList(_ listed: TypingAid.Listed) -> [Effect] {
        input.prompt?.aid = .list(listed, row: 0)
        input.prompt?.complaint = nil
        input.outsideWords.expire()
        let effects = askForWords()
        if listed == .words, effects.isEmpty, completions?.items.count == 1 { take(0) }
        return effects
    }

    private mutating func press(_ key: Key, in listed: TypingAid.Listed, _ row: Int) -> [Effect]? {
        let count = completions?.items.count ?? 0
        func walk(_ step: Int) -> [Effect] {
            input.prompt?.aid = .list(listed, row: count == 0 ? 0 : (row + step + count) % count)
            return []
        }
        switch key {
        case .tab, .arrow(.down, _), .control("n"): return walk(1)
        case .control("r") where listed == .lines: return walk(1)
        case .backTab, .arrow(.up, _), .control("p"): return walk(-1)
        case .escape:
            input.prompt?.aid = .none
            return []
        case .enter where count == 0: return nil
        case .enter, .arrow(.right, _):
            let before = input.prompt?.line
            take(row)
            return key == .enter && input.prompt?.line == before ? nil : askForWords()
        default: return nil
        }
    }

    /// Inserts a completion. After a folder, the list shows its contents.
    private mutating func take(_ row: Int) {
        guard let list = completions, list.items.indices.contains(row) else {
            input.prompt?.aid = .none
            return
        }
        let word = list.items[row].text
        input.prompt?.line.replace(list.range, with: word)
        input.prompt?.aid = word.hasSuffix("/") ? .list(.words, row: 0) : .none
    }

    // MARK: Earlier lines

    private mutating func recall(by step: Int) -> [Effect] {
        guard let line = input.prompt?.line else { return [] }
        let lines = input.typedLines.lines
        var row = lines.count
        var draft = line.string
        if case .past(let shown, let previous) = input.prompt?.aid { (row, draft) = (shown, previous) }
        let next = min(max(row + step, 0), lines.count)
        guard next != row else { return [] }
        input.prompt?.line = LineEditor(next == lines.count ? draft : lines[next])
        input.prompt?.aid = next == lines.count ? .none : .past(row: next, draft: draft)
        input.prompt?.complaint = nil
        return []
    }
}

/// The completions of an argument.
struct CompletionList {
    let items: [Completion]
    /// The characters of the line that a completion replaces.
    let range: Range<Int>
}

extension Browser {
    /// The list above the line; nil for none.
    var completions: CompletionList? {
        guard let prompt = input.prompt, case .list(let listed, _) = prompt.aid else { return nil }
        if listed == .lines {
            let text = prompt.line.string.lowercased()
            let found = input.typedLines.lines.reversed().filter {
                text.isEmpty || $0.lowercased().contains(text)
            }
            return CompletionList(items: found.map { Completion($0) }, range: 0..<prompt.line.text.count)
        }
        return argument.map(values) ?? commands
    }

    /// The commands that begin with the typed text.
    private var commands: CompletionList {
        let names = TypedCommand.all.map {
            Completion($0.arguments.isEmpty ? $0.name : "\($0.name) ", $0.help)
        }
        return CompletionList(items: names.beginning(with: typed), range: 0..<typed.count)
    }

    private func values(_ argument: (words: ArgumentWords, typed: String)) -> CompletionList {
        let start = argument.words.start(in: argument.typed[...])
        let word = String(argument.typed[start...])
        let candidates = argument.words.words + (input.outsideWords.current ?? [])
        return CompletionList(
            items: candidates.beginning(with: word), range: typed.count - word.count..<typed.count)
    }

    /// The text before the cursor.
    private var typed: String { input.prompt.map { String($0.line.text[..<$0.line.cursor]) } ?? "" }

    /// The possible arguments of the typed command, and the typed part; nil while the user types the command.
    private var argument: (words: ArgumentWords, typed: String)? {
        guard let space = typed.firstIndex(of: " ") else { return nil }
        let words = (try? TypedCommand.named(String(typed[..<space])))?.words ?? ArgumentWords()
        return (words, String(typed[space...].drop { $0 == " " }))
    }

    private var completionQuestion: CompletionQuestion? {
        guard let argument, let kind = argument.words.outside else { return nil }
        return CompletionQuestion(
            kind, typed: String(argument.typed[argument.words.start(in: argument.typed[...])...]))
    }
}

extension [Completion] {
    /// Returns the completions that begin with a word, regardless of case.
    fileprivate func beginning(with word: String) -> [Completion] {
        let wanted = word.lowercased()
        return filter { $0.text.lowercased().hasPrefix(wanted) }
    }
}

extension Browser {
    /// Adds a line to the history of `:`, in memory and in the file.
    /// - Parameter line: The line, without credentials.
    public mutating func remember(line: String) -> [Effect] {
        input.typedLines.add(line)
        return [.ask(TypedLinesQuery(adding: line))]
    }
}
