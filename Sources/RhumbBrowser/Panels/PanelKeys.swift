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
    var typesText: Bool {
        let keys = key.split(separator: " ")
        return key == "Space" || keys.allSatisfy { $0.count == 1 && ($0.first?.isASCII ?? false) }
    }

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
