internal import RhumbCore

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
    let place: (column: Int, row: Int)
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
