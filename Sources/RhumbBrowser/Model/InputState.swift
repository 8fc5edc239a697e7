public import RhumbCore

/// The keys, the bottom line and the mouse.
package struct InputState: Sendable {
    /// The keys and their commands.
    package internal(set) var keymap: Keymap
    /// The prompt in the bottom line; nil if there is none.
    package internal(set) var prompt: Prompt?
    /// The lines typed after `:`.
    package internal(set) var typedLines = LineHistory()
    /// The request whose failure opens a prompt or panel; nil after the next key.
    var retryable: RetryableRequest?
    /// The completions that only the rest of the program knows.
    var outsideWords = Loadable<CompletionQuestion, [Completion]>()
    /// The number typed to repeat the next key; nil for none.
    var repeatCount: Int?
    var drag: MouseDrag?
    var lastClick: MouseClick?
    /// True if a command waits for the user's choice on the map.
    package internal(set) var isPicking = false

    init(keymap: Keymap) { self.keymap = keymap }
}

/// A request whose failure opens a prompt or panel with the reason, unless another key is pressed before.
enum RetryableRequest: Sendable {
    /// The prompt that opens a map.
    case open(Prompt)
    case download(RegionDraft)
}

/// A click on the map. A second one soon after makes a double click.
struct MouseClick: Sendable {
    let time: Duration
    let cell: (column: Int, row: Int)
    /// The marks before the click.
    let marks: [WorldPoint]
}

/// A drag with the mouse button held down: its start and its last position.
struct MouseDrag: Sendable {
    let start: (column: Int, row: Int)
    var last: (column: Int, row: Int)
    var hasMoved = false

    init(start: (column: Int, row: Int)) { (self.start, last) = (start, start) }
}

/// Keys that are pressed faster than they are handled.
extension Browser {
    /// Returns the number of keys at the beginning that are handled as one: the same key that moves the map.
    public func repeats(of keys: ArraySlice<Key>) -> Int {
        guard let first = keys.first, input.prompt == nil, panels.isEmpty, movesMap(first) else { return 1 }
        return keys.prefix { $0 == first }.count
    }

    /// Returns the number of keys at the beginning that a later `q`, Esc or ^C makes pointless. Keys that may
    /// be the beginning of a text are never skipped, because the `q` may be a part of it.
    public func overtaken(in keys: ArraySlice<Key>) -> Int {
        if let last = keys.lastIndex(of: .control("c")) { return last - keys.startIndex }
        guard let first = keys.first, input.prompt == nil else { return 0 }
        let skipped = keys.prefix { movesMap($0) || $0 == first && isSwitch($0) }.count
        let next = keys.dropFirst(skipped).first
        return next == .escape || next == .character("q") ? skipped : 0
    }

    private func movesMap(_ key: Key) -> Bool { input.keymap.command(for: key)?.movesMap == true }

    /// True if a key that is held down doesn't begin a text.
    private func isSwitch(_ key: Key) -> Bool {
        switch input.keymap.command(for: key) {
        case nil, .goTo, .commandLine, .escape, .quit: false
        case .panel(let entry): entry == .track
        default: true
        }
    }
}
