internal import RhumbCore
internal import RhumbEngine

/// The filter of a panel's list by words typed after `/`.
extension Panel {
    /// Returns true if the filter is empty or part of one of the texts, ignoring case and accents.
    func matches(_ texts: String...) -> Bool {
        guard let filter, !filter.isEmpty else { return true }
        let words = FoldedName.fold(filter)
        return texts.contains { FoldedName.fold($0).contains(words) }
    }
}

extension Prompt {
    /// Returns the prompt for the filter of the open panel, which is applied while the user types.
    static func panelFilter(_ words: String) -> Prompt {
        var prompt = Prompt(
            label: "filter: ", example: SearchText.filterExample, line: LineEditor(words), mayBeEmpty: true,
            owner: .filter)
        prompt.enterVerb = "done"
        return prompt
    }
}

extension Browser {
    /// Filters the list of the open panel. Empty words show the whole list.
    mutating func filterPanel(_ words: String) {
        _ = offerToPanel { panel, _ in
            panel.filter = words
            return []
        }
        panels.scroll = 0
    }

    mutating func pressInFilter(_ key: Key) -> [Effect]? {
        switch key {
        case .escape:
            input.prompt = nil
            filterPanel("")
            return []
        case .arrow(.up, _), .arrow(.down, _): return pressInPanel(key)
        default: return nil
        }
    }
}
