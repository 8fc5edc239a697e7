internal import RhumbCore

/// The last line of the screen: the most useful keys or a notice, and the attribution on the right. Both
/// depend on each other's widths, so they are chosen together, once a frame.
struct HintLine {
    /// The attribution: the longest wording beside which the first hints fit. An open panel leaves no hints
    /// there.
    private let credit: String
    /// The current notice if it is shown in place of the hints; nil otherwise.
    let notice: Notice?
    /// The number of columns that the offer of streets takes; 0 without one.
    let offerWidth: Int
    /// The hints, as many as fit: first the offer of streets, then those that a newcomer needs. Empty while a
    /// panel takes the keys, or only the offer beside a notice.
    fileprivate let hints: [Hint]

    /// The keys that a newcomer needs, in their order.
    private static let leading: [Command] = [
        .streets, .panel(.search), .panel(.download), .panel(.measure), .panel(.layers), .panel(.help), .quit,
    ]
    /// The keys while two archives are compared.
    private static let comparing: [Command] = [
        .panel(.search), .walk(1), .other, .swipe, .panel(.tiles), .panel(.help), .quit,
    ]
    /// The words for those keys that have no hint otherwise.
    private static let comparingWords: [Command: String] = [
        .walk(1): "next change", .other: "other archive", .swipe: "both", .panel(.tiles): "changes",
    ]
    /// The width of a screen whose hints name the source of streets.
    private static let longHints = 100
    /// Those that are on every screen.
    private static let essential: [Command] = [.streets, .panel(.search), .panel(.help), .quit]

    /// A key with the word for its effect.
    private typealias Named = (binding: Keymap.Binding, word: String)

    /// Chooses the contents of the line. All are empty if the screen has no such line, or its line is used
    /// for something else.
    init(_ browser: Browser) {
        let map = browser.map
        guard Browser.hasHintLine(map.rows, map.settings), browser.input.prompt == nil else {
            credit = ""
            notice = nil
            offerWidth = 0
            hints = []
            return
        }
        let leading = Self.leading(browser), first = browser.panels.isEmpty ? leading : []
        let wanted = first.reduce(1) { $0 + Hint($1, at: 0).columns.count + 2 }
        let wordings = browser.attributionWordings
        credit = wordings.first { wanted + $0.width + 1 <= map.columns } ?? wordings.last ?? ""
        let room = map.columns - (credit.isEmpty ? 0 : credit.width + 3)
        let offer = browser.offersStreets ? leading.first.map { Hint($0, at: 1) } : nil
        let offerWidth = offer.map { $0.columns.upperBound + 1 } ?? 0
        let notice = map.notices.current(at: map.now).flatMap {
            offerWidth + $0.shortText.width + 3 < room ? $0 : nil
        }
        self.offerWidth = offerWidth
        self.notice = notice
        if !browser.panels.isEmpty {
            hints = []
        } else if notice != nil {
            hints = offer.map { [$0] } ?? []
        } else {
            let others = browser.input.keymap.bindings.filter {
                $0.hint != nil && !$0.keys.isEmpty && !Self.leading.contains($0.command)
            }
            hints = Self.fitting(leading + others.map { ($0, $0.hint ?? "") }, into: room + 1)
        }
    }

    private static func leading(_ browser: Browser) -> [Named] {
        (browser.tiles.comparison == nil ? leading : comparing).compactMap { command in
            if command == .streets {
                let offer = browser.offersStreets ? browser.streets.offer : nil
                return offer.map {
                    let isShort = browser.map.columns < longHints
                    return (Keymap.Binding.streets, isShort ? "streets" : StatusText.showStreets($0.name))
                }
            }
            guard browser.hasUse(for: command),
                let binding = browser.input.keymap.bindings.first(where: {
                    $0.command == command && !$0.keys.isEmpty
                })
            else { return nil }
            return (binding, binding.hint ?? comparingWords[command] ?? "")
        }
    }

    /// Returns as many hints as fit, the most important ones first.
    private static func fitting(_ named: [Named], into room: Int) -> [Hint] {
        var all = named, room = room
        func width(_ index: Int) -> Int { Hint(all[index], at: 0).columns.count + 2 }
        let first = all.indices.filter { essential.contains(all[$0].binding.command) }
        var chosen: Set<Int> = []
        // Beside the offer of streets, a narrow line has only the most important keys, without words.
        let isNarrow = first.reduce(0) { $0 + width($1) } > room
        if isNarrow {
            for index in first where all[index].binding.command != .streets { all[index].word = "" }
        }
        for index in first + (isNarrow ? [] : Array(all.indices))
        where !chosen.contains(index) && width(index) <= room {
            chosen.insert(index)
            room -= width(index)
        }
        var hints: [Hint] = [], column = 1
        for index in chosen.sorted() {
            let hint = Hint(all[index], at: column)
            hints.append(hint)
            column = hint.columns.upperBound + 2
        }
        return hints
    }

    /// Draws the hints and the attribution.
    func draw(_ face: UIPalette, row: Int, on screen: inout CellGrid) {
        screen.write(credit, row: row, column: screen.columns - credit.width - 1, style: .dim)
        for hint in hints {
            let column = hint.columns.lowerBound
            screen.write(hint.key, row: row, column: column, ink: face.accent, style: .bold)
            screen.write(hint.word, row: row, column: column + hint.key.width + 1, style: .dim)
        }
    }
}

extension Browser {
    /// The hints on the screen.
    var hints: [Hint] { HintLine(self).hints }
}

/// A key and its effect in the hint line.
struct Hint {
    let key: String
    let word: String
    let columns: Range<Int>
    /// The key that a click presses.
    let pressed: Key

    fileprivate init(_ named: (binding: Keymap.Binding, word: String), at column: Int) {
        key = String(named.binding.label.prefix { $0 != " " })
        word = named.word
        columns = column..<(column + key.width + (word.isEmpty ? 0 : 1 + word.width))
        pressed = named.binding.keys.first ?? .escape
    }
}
