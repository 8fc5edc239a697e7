internal import RhumbCore

/// The keys at the bottom of the open panel.
extension Browser {
    /// The keys of the open panel, with the one that closes it.
    var panelKeys: [PanelKey] { panels.top.map { $0.keys(self) + [.close] } ?? [] }

    /// The keys in lines that fit into the panel.
    var panelKeyLines: [[PanelKey]] {
        let room = wholePanelFrame.columns - 4
        var lines: [[PanelKey]] = []
        for key in panelKeys.map({ PanelKey(settings.isUnicode ? $0.key : $0.key.asciiKeys, $0.verb) }) {
            if let last = lines.last, PanelKey.width(of: last + [key]) <= room {
                lines[lines.count - 1].append(key)
            } else {
                lines.append([key])
            }
        }
        return lines
    }

    /// What stands below a panel's text: its keys, or what the text has in their place.
    func keyLines(under text: PanelText) -> [[PanelKey]] {
        text.footer.isEmpty ? panelKeyLines : [[PanelKey("", text.footer)]]
    }
}

extension PanelKey {
    /// Columns between two keys.
    static let gap = 2

    /// Columns that keys take in one line.
    static func width(of keys: [PanelKey]) -> Int {
        keys.reduce(-gap) { $0 + gap + ($1.key.isEmpty ? 0 : $1.key.width + 1) + $1.verb.width }
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
