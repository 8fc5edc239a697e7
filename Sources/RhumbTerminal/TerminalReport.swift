package import RhumbCore

/// One thing read from the terminal: something a person did, or an answer to a question.
package enum TerminalReport: Equatable {
    case key(Key)
    /// OSC 11
    case background(RGB)
    /// DECRQM of mode 2026: whether frames can be shown in one go.
    case synchronizedFrames(Bool)
    /// `CSI 6 ; height ; width t`, in pixels.
    case cellSize(width: Int, height: Int)
    /// `CSI ? 997 ; 1 n` or `; 2 n`: the terminal's colours changed between light and dark.
    case colourScheme
    /// DA1, asked last: all answers there will be are in. Terminals that let programs write on the clipboard
    /// say so (52).
    case attributes(hasClipboard: Bool)
}
