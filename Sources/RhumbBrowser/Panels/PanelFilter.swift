internal import RhumbCore
internal import RhumbEngine

/// The filter of a panel's list by words typed after `/`.
extension Panel {
    /// True if the filter is empty or part of a text, in any case and without accents.
    func matches(_ texts: String...) -> Bool {
        guard let filter, !filter.isEmpty else { return true }
        let words = FoldedName.fold(filter)
        return texts.contains { FoldedName.fold($0).contains(words) }
    }
}

extension Prompt {
    /// The filter of the open panel, applied while it is typed.
    static func panelFilter(_ words: String) -> Prompt {
        Prompt(
            label: "filter: ", example: SearchText.filterExample, line: LineEditor(words), mayBeEmpty: true,
            press: { browser, key in
                switch key {
                case .escape:
                    browser.prompt = nil
                    browser.filterPanel("")
                    return []
                case .arrow(.up, _), .arrow(.down, _): return browser.pressInPanel(key)
                default: return nil
                }
            },
            follow: { browser in
                browser.filterPanel(browser.prompt?.line.string.trimmed ?? "")
                return []
            },
            answer: { (_, _) throws(Notice.Problem) in [] })
    }
}

extension Browser {
    /// Filters the list of the open panel; empty words show all of it.
    mutating func filterPanel(_ words: String) {
        _ = offerToPanel { panel, _ in
            panel.filter = words
            return []
        }
        panels.scroll = 0
    }
}
