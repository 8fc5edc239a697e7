internal import RhumbCore

/// The keys at the bottom of the open panel.
extension Browser {
    /// The keys of the open panel, with the one that closes it.
    var panelKeys: [PanelKey] { panels.top.map { $0.keys(self) + [.close] } ?? [] }

    /// The keys in lines that fit into the panel.
    var panelKeyLines: [String] {
        let dot = settings.isUnicode ? " · " : ", ", room = wholePanelFrame.columns - 5
        var lines: [String] = []
        for key in panelKeys {
            let words = (settings.isUnicode ? key.key : key.key.asciiKeys) + " " + key.verb
            if let last = lines.last, (last + dot + words).width <= room {
                lines[lines.count - 1] = last + dot + words
            } else {
                lines.append(words)
            }
        }
        return lines
    }
}

extension String {
    /// Key labels without arrows and other signs.
    var asciiKeys: String {
        var text = ""
        for character in self {
            switch character {
            case "←": text += "left"
            case "→": text += "right"
            case "↑": text += "up"
            case "↓": text += "down"
            case "⇧": text += "shift-"
            case "–": text += "-"
            default: text.append(character)
            }
        }
        return text
    }
}
