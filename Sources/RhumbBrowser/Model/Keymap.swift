public import RhumbCore

/// The keys of the map, with their commands and descriptions. The help panel and the hint line are made from
/// this table, and a test compares it with the manual.
public struct Keymap: Sendable {
    /// A command with its keys.
    public struct Binding: Sendable {
        /// The keys bound to the command.
        public let keys: [Key]
        /// The command.
        public let command: Command
        /// The label of the keys, such as "← h".
        public let label: String
        /// The help text, such as "pan left".
        public let help: String
        /// The section of the help.
        public let section: Section
        /// The word in the hint line; nil if it is not shown there.
        public let hint: String?
    }

    /// The sections of the help.
    public enum Section: String, CaseIterable, Sendable {
        case move = "Move", look = "Look", map = "Map", program = "Program"
    }

    /// The bindings in the order of the help.
    public let bindings: [Binding]
    private let commands: [Key: Command]

    /// Creates a table. If a key has several bindings, the first one counts.
    public init(_ bindings: [Binding]) {
        self.bindings = bindings
        var commands: [Key: Command] = [:]
        for binding in bindings {
            for key in binding.keys where commands[key] == nil { commands[key] = binding.command }
        }
        self.commands = commands
    }

    /// Returns the command of a key; nil for none.
    public func command(for key: Key) -> Command? { commands[key] }

    /// Returns the binding nearest to an unknown key: of its letter in the other case or without Ctrl, or the
    /// first one whose help has a word that begins with the letter; nil for none.
    func nearest(to key: Key) -> Binding? {
        let letter: Character
        switch key {
        case .character(let typed), .control(let typed): letter = typed
        default: return nil
        }
        let cases = [letter, letter.lowercased().first, letter.uppercased().first].compactMap(\.self)
        let keys = cases.map(Key.character), start = letter.lowercased()
        let listed = bindings.filter { !$0.label.isEmpty }
        return listed.first { $0.keys.contains(where: keys.contains) }
            ?? listed.first { binding in
                binding.help.split(separator: " ").contains { $0.lowercased().hasPrefix(start) }
            }
    }

    /// The default keys, as in other map programs.
    public static let standard = Keymap([
        pan(.left, "←", "h"), pan(.down, "↓", "j"), pan(.up, "↑", "k"), pan(.right, "→", "l"),
        fast(.left, "H"), fast(.down, "J"), fast(.up, "K"), fast(.right, "L"),
        bind("+ =", ["+", "="], .zoom(1), "zoom in", .move),
        bind("- _", ["-", "_"], .zoom(-1), "zoom out", .move),
        bind("} {", ["}"], .zoom(0.25), "zoom by a quarter level", .move),
        hidden(["{"], .zoom(-0.25)),
        bind("0", ["0"], .world, "show the whole map", .move),
        bind("g", ["g"], .goTo, "go to coordinates or a place", .move, hint: "go to"),
        bind("/", ["/"], .panel(.search), "search places and streets", .move, hint: "search"),
        bind("u", ["u"], .back, "go back to the previous view", .move),
        bind("U", ["U"], .forward, "go forward again", .move),
        bind(". ,", ["."], .walk(1), "next / previous result", .move),
        hidden([","], .walk(-1)),
        bind("f", ["f"], .follow, "follow the position", .move),
        bind("'", ["'"], .panel(.bookmarks), "bookmarks ('' saves one)", .move),
        bind("i", ["i"], .panel(.here), "details of this place", .look, hint: "here"),
        bind("M", ["M"], .panel(.measure), "measure distances and areas", .look, hint: "measure"),
        bind("y", ["y"], .panel(.share), "copy this view", .look),
        bind("b", ["b"], .borders, "tile borders and sizes", .look),
        bind("B", ["B"], .panel(.tiles), "largest or changed tiles", .look),
        bind("x", ["x"], .other, "other compared archive", .look),
        bind("X", ["X"], .swipe, "both compared archives", .look),
        bind("[ ]", ["]"], .finer, "use coarser or finer tiles", .look),
        hidden(["["], .coarser),
        bind("m", ["m"], .panel(.layers), "maps and layers", .map, hint: "maps"),
        .streets,
        bind("P", ["P"], .panel(.track), "elevation profile", .map),
        bind("d", ["d"], .panel(.download), "download this view", .map, hint: "download"),
        bind("D", ["D"], .downloadNow, "download without asking", .map),
        bind("r", ["r"], .panel(.regions), "offline maps: regions", .map, hint: "regions"),
        bind("a", ["a"], .panel(.areas), "areas: regions with overlays", .map),
        bind("p", ["p"], .panel(.packages), "packages, e.g. countries", .map, hint: "packages"),
        bind("R", ["R"], .panel(.route), "directions", .map, hint: "route"),
        bind("t", ["t"], .panel(.traffic), "traffic", .map, hint: "traffic"),
        bind("c", ["c"], .panel(.cache), "shared cache", .map, hint: "cache"),
        bind("o", ["o"], .offline, "toggle offline mode", .map, hint: "offline"),
        bind("N", ["N"], .names, "toggle labels", .map),
        bind("n", ["n"], .theme, "day or night", .map),
        bind("S", ["S"], .panel(.styles), "map styles", .map),
        bind("v", ["v"], .preset, "cycle map filters", .map),
        bind("s", ["s"], .save, "save the map as an image", .map),
        bind("? F1", ["?"], .panel(.help), "keys and commands", .program, hint: "help", also: [.function(1)]),
        bind("", [], .panel(.messages), "message history", .program),
        bind("", [], .panel(.stylePacks), "styles with their images, offline", .map),
        bind("", [], .panel(.ready), "check for offline use", .map),
        bind(":", [":"], .commandLine, "command line", .program),
        bind("Esc", [], .escape, "close / cancel", .program, also: [.escape]),
        bind("^L", [], .redraw, "redraw the screen", .program, also: [.control("l")]),
        bind("^Z", [], .suspend, "suspend", .program, also: [.control("z")]),
        bind("q ^C", ["q"], .quit, "quit", .program, hint: "quit", also: [.control("c")]),
    ])

    private static func bind(
        _ label: String, _ characters: [Character], _ command: Command, _ help: String,
        _ section: Section, hint: String? = nil, also: [Key] = []
    ) -> Binding {
        Binding(
            keys: characters.map(Key.character) + also, command: command, label: label, help: help,
            section: section, hint: hint)
    }

    fileprivate static let streets = bind(
        "Enter", [], .streets, "streets on the world map", .map, also: [.enter])

    private static func hidden(_ characters: [Character], _ command: Command) -> Binding {
        bind("", characters, command, "", .move)
    }

    private static func pan(
        _ direction: Command.Direction, _ arrow: String, _ letter: Character
    ) -> Binding {
        bind(
            "\(arrow) \(letter)", [letter], .pan(direction, .eighth), "pan \(direction.rawValue)", .move,
            also: [.arrow(direction.arrow, shift: false)])
    }

    private static func fast(_ direction: Command.Direction, _ letter: Character) -> Binding {
        bind(
            "⇧\(direction.sign) \(letter)", [letter], .pan(direction, .half),
            "pan \(direction.rawValue) by half the view", .move, also: [.arrow(direction.arrow, shift: true)])
    }
}

extension Keymap.Binding {
    /// The key that offers streets.
    static let streets = Keymap.streets
}

extension Command.Direction {
    var arrow: Key.Arrow {
        switch self {
        case .left: .left
        case .right: .right
        case .up: .up
        case .down: .down
        }
    }

    var sign: String {
        switch self {
        case .left: "←"
        case .right: "→"
        case .up: "↑"
        case .down: "↓"
        }
    }
}

/// An action of the program. Keys and words of the command line are bound to actions.
public enum Command: Hashable, Sendable {
    case pan(Direction, Stride)
    /// Zooms by steps about the middle; 1 is one zoom.
    case zoom(Double)
    case world
    case back, forward
    case finer, coarser
    case goTo
    /// Opens a panel, or closes it if it is open.
    case panel(PanelEntry)
    /// Starts or ends following the position.
    case follow
    /// Goes to the next (1) or previous (-1) tile of the list if a property of tiles is shown, or else search
    /// result. Without results, goes to a feature of the topmost live layer.
    case walk(Int)
    case offline
    case downloadNow
    case names
    /// Offers streets over the built-in world map.
    case streets
    /// Shows the next property of tiles: borders, sizes and others.
    case borders
    /// Shows the other archive of a comparison.
    case other
    /// Shows both archives of a comparison with an edge between them.
    case swipe
    case theme
    case preset
    case save
    case commandLine
    case escape
    case redraw
    case suspend
    case quit

    /// True if the command moves the map.
    var movesMap: Bool {
        switch self {
        case .pan, .zoom, .world, .back, .forward: true
        default: false
        }
    }

    /// The direction of a pan.
    public enum Direction: String, Sendable { case left, right, up, down }
    /// The distance of a pan: an eighth or a half of the view, or one cell.
    public enum Stride: Hashable, Sendable { case eighth, half, cell }
}
