internal import RhumbCore

/// A key of a panel and its effect, such as "Enter open".
struct PanelKey: Equatable, Sendable {
    let key: String
    let verb: String

    init(_ key: String, _ verb: String) { (self.key, self.verb) = (key, verb) }

    static let move = PanelKey("j k", "move")
    static let pages = PanelKey("1–4", "pages")
    static let remove = PanelKey("x", "remove")
    static let filter = PanelKey("/", "filter")
    static let copy = PanelKey("y", "copy")
    static let help = PanelKey("?", "help")
    static let close = PanelKey("Esc", "close")

    /// True if the keys type text while a prompt is open.
    fileprivate var typesText: Bool {
        let keys = key.split(separator: " ")
        return key == "Space" || keys.allSatisfy { $0.count == 1 && ($0.first?.isASCII ?? false) }
    }
}

/// The keys at the bottom of the open panel.
extension Browser {
    /// The keys of the open panel, followed by the keys that all panels share. While a prompt is open, Esc is
    /// the only shared key, because the others type text.
    var panelKeys: [PanelKey] {
        guard let top = panels.top else { return [] }
        var own = top.keys(self)
        if let tab = top.tab, input.prompt == nil { own.insert(tab.key, at: min(own.count, 1)) }
        if let prompt = input.prompt {
            own.removeAll(where: \.typesText)
            if let verb = prompt.enterVerb {
                own = own.filter { $0.key != "Enter" } + [PanelKey("Enter", verb)]
            }
            return own + [.close]
        }
        let shared = (top.filter == nil ? [] : [PanelKey.filter]) + [.copy]
        let help = own.first { $0.key == PanelKey.help.key } ?? .help
        return own.filter { $0 != help } + shared.filter { key in !own.contains { $0.key == key.key } } + [
            help, .close,
        ]
    }

    /// The keys in lines that fit into the panel. A panel over the map has a single line, which always
    /// includes help and Esc.
    var panelKeyLines: [[PanelKey]] {
        let keys = panelKeys.map { PanelKey(map.settings.isUnicode ? $0.key : $0.key.asciiKeys, $0.verb) }
        let room = wholePanelFrame.columns - 4
        guard hasDrawer else { return [PanelKey.line(of: keys, in: room)] }
        return keys.reduce(into: [[]]) { lines, key in
            let last = lines[lines.count - 1] + [key]
            if last.count == 1 || PanelKey.width(of: last) <= room {
                lines[lines.count - 1] = last
            } else {
                lines.append([key])
            }
        }
    }

    /// Returns the lines below a panel's text: its keys, or a question in their place.
    func keyLines(under text: PanelText) -> [[PanelKey]] {
        guard text.footer.isEmpty else { return wrapped(text.footer).map { [PanelKey("", $0.text)] } }
        return panelKeyLines
    }
}

extension PanelKey {
    /// The number of columns between two keys.
    static let gap = 2

    /// Returns the width of keys in one line, in columns.
    static func width(of keys: [PanelKey]) -> Int {
        keys.reduce(-gap) {
            $0 + gap + ($1.key.isEmpty ? 0 : $1.key.width + ($1.verb.isEmpty ? 0 : 1)) + $1.verb.width
        }
    }

    /// Returns as many keys as fit into a line: the first ones, followed by help and Esc, which are always
    /// included, without their meanings if fewer than two others fit.
    static func line(of keys: [PanelKey], in columns: Int) -> [PanelKey] {
        let always = keys.suffix(keys.dropLast().last?.key == PanelKey.help.key ? 2 : 1)
        let own = keys.dropLast(always.count)
        func fitting(before always: [PanelKey]) -> [PanelKey]? {
            (0...own.count).reversed().lazy.map { own.prefix($0) + always }
                .first { width(of: Array($0)) <= columns }.map(Array.init)
        }
        let line = fitting(before: Array(always)) ?? Array(always)
        guard line.count - always.count < min(own.count, 2) else { return line }
        return fitting(before: always.map { PanelKey($0.key, "") }) ?? line
    }
}

extension String {
    /// The key label with arrows and other signs written in ASCII.
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
