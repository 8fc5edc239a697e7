internal import RhumbCore

/// The prompt in the bottom line.
extension Browser {
    mutating func ask(_ prompt: Prompt) -> [Effect] {
        self.input.prompt = prompt
        return []
    }

    mutating func typeIntoPrompt(_ key: Key) -> [Effect] {
        if let effects = pressInOwner(of: input.prompt, key) { return effects }
        guard var open = input.prompt else { return [] }
        if key == .escape || (key == .backspace && open.line.text.isEmpty) {
            input.prompt = nil
            return []
        }
        if key == .enter { return answer(open) }
        let before = open.line
        guard open.line.type(key) else { return [] }
        if open.line.text != before.text { open.complaint = nil }
        if case .list(let listed, _) = open.aid { open.aid = .list(listed, row: 0) } else { open.aid = .none }
        input.prompt = open
        return open.line.text == before.text ? [] : lineChanged(open)
    }

    /// Passes a key to the owner of a prompt.
    /// - Returns: Nil if the line should handle the key.
    private mutating func pressInOwner(of prompt: Prompt?, _ key: Key) -> [Effect]? {
        switch prompt?.owner {
        case .commandLine: pressInCommandLine(key)
        case .filter: pressInFilter(key)
        case .panel: offerToPromptPanel { $0.pressInPrompt(key, $1) }
        case .line, nil: nil
        }
    }

    private mutating func lineChanged(_ prompt: Prompt) -> [Effect] {
        let line = prompt.line.string.trimmed
        switch prompt.owner {
        case .commandLine: return askForWords()
        case .filter: filterPanel(line)
        case .panel: return offerToPromptPanel { $0.promptChanged(line, $1) } ?? []
        case .line: break
        }
        return []
    }

    private mutating func answer(_ open: Prompt) -> [Effect] {
        let text = open.line.string.trimmed
        input.prompt = nil
        guard !text.isEmpty || open.mayBeEmpty else { return [] }
        do throws(Notice.Problem) {
            let effects = try answer(text, to: open)
            // A line that may contain an API key must not be shown again.
            let mayHoldKey = text.contains("?") || text.contains("@") || text.contains("{")
            if effects.contains(where: \.opensMap), !mayHoldKey { input.retryable = .open(open) }
            return effects
        } catch {
            input.prompt = open
            input.prompt?.complaint = error
            return []
        }
    }

    private mutating func answer(_ text: String, to prompt: Prompt) throws(Notice.Problem) -> [Effect] {
        switch prompt.owner {
        case .commandLine: try perform(actions(of: text))
        case .filter: []
        case .panel:
            try offerToPromptPanel { panel, browser throws(Notice.Problem) in
                try panel.answer(text, browser)
            } ?? []
        case .line(let answer): try perform(answer(self, text))
        }
    }

    /// Shows why a map could not be opened: in the prompt that requested it, or as a notice if another key
    /// was pressed meanwhile.
    mutating func keepLine(with problem: Notice.Problem) -> [Effect] {
        guard case .open(var line) = input.retryable.take() else { return complain(problem.description) }
        line.complaint = problem
        line.aid = .none
        input.prompt = line
        return complain(problem.description, isShown: false)
    }

    /// Returns the actions that move to coordinates, or search for any other text.
    func going(to text: String) throws(Notice.Problem) -> [Action] {
        do throws(ParsedLocation.Misread) {
            return flight(
                to: try ParsedLocation(
                    Browser.place(ofCommand: text) ?? text, near: map.viewport.camera.coordinate))
        } catch {
            guard error.isOutOfRange else { return SearchPanel.opening(text, self) }
            throw Notice.Problem(error)
        }
    }

    /// Returns the actions that fly to typed coordinates, and say if the map ends before them.
    func flight(to location: ParsedLocation) -> [Action] {
        let edge = location.coordinate.mapEdge.map { [Action.say("The map ends at \($0)")] } ?? []
        return [.fly(to: camera(over: location))] + edge
    }
}

extension Coordinate {
    /// The parallel at which the map ends before the place; nil for places on the map.
    var mapEdge: String? {
        guard abs(latitude) > Mercator.latitudeLimit else { return nil }
        return "85° \(latitude > 0 ? "north" : "south")"
    }
}

extension Effect {
    fileprivate var opensMap: Bool { if case .open = self { true } else { false } }
}

extension Prompt {
    static let goTo = Prompt(
        label: "go to: ", example: SearchText.goToExample
    ) {
        (browser, text) throws(Notice.Problem) in try browser.going(to: text)
    }
}

extension String {
    /// The text without spaces at its ends.
    var trimmed: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        let end = scalars.lastIndex { !$0.properties.isWhitespace }
        return end.map { String(scalars[...$0]) } ?? ""
    }
}
