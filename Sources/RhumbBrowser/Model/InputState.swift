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
