internal import CNcurses
internal import Glibc
internal import Synchronization

/// The terminfo database, read through ncurses. Each access replaces ncurses' current terminal, so it must
/// not happen while a screen is open.
enum Terminfo {
    /// Loads an entry and runs a closure; nil if the database has no usable entry.
    static func withEntry<Result>(_ name: String, _ read: () -> Result) -> Result? {
        reading.withLock { _ in
            var status: Int32 = 0
            guard setupterm(name, 1, &status) == 0 else { return nil }
            defer { _ = del_curterm(set_curterm(nil)) }
            return read()
        }
    }

    /// Serializes access, because ncurses has one current terminal per process.
    private static let reading = Mutex(())

    /// Returns a string capability without padding; nil if the entry lacks it.
    static func string(_ name: String) -> [UInt8]? {
        raw(name).map { withoutPadding(bytes($0)) }
    }

    /// Returns a string capability with its parameters filled in.
    static func string(_ name: String, _ first: Int, _ second: Int = 0) -> [UInt8]? {
        raw(name).flatMap { filled($0, first, second) }
    }

    /// Returns a capability's template with its parameters filled in, without padding.
    static func filled(_ template: UnsafePointer<CChar>, _ first: Int, _ second: Int) -> [UInt8]? {
        rhumb_tparm(template, first, second).map { withoutPadding(bytes($0)) }
    }

    static func number(_ name: String) -> Int { Int(tigetnum(name)) }

    static func flag(_ name: String) -> Bool { tigetflag(name) > 0 }

    private static func raw(_ name: String) -> UnsafePointer<CChar>? {
        guard let found = tigetstr(name), Int(bitPattern: found) != -1 else { return nil }
        return UnsafePointer(found)
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// Removes padding such as `$<5>`, which slow hardware terminals needed.
    private static func withoutPadding(_ text: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = text[...]
        while let first = rest.first {
            if first == UInt8(ascii: "$"), rest.dropFirst().first == UInt8(ascii: "<"),
                let end = rest.firstIndex(of: UInt8(ascii: ">"))
            {
                rest = rest[(end + 1)...]
            } else {
                kept.append(first)
                rest = rest.dropFirst()
            }
        }
        return kept
    }

    /// True if the entry has direct colours. `RGB` may be a flag, a number or a string; `Tc` is tmux's flag.
    static var hasDirectColor: Bool {
        flag("RGB") || number("RGB") > 0 || string("RGB") != nil || flag("Tc")
    }

    /// Returns the entry to use: `TERM` if the database has it, else the nearest xterm entry, because a
    /// terminal without an entry is usually newer than the database and similar to xterm.
    static func usableName(for term: String) throws(TerminalFailure) -> String {
        if term.isEmpty { throw .nameMissing }
        let modern = ["256color", "direct", "kitty", "foot", "ghostty", "alacritty", "wezterm"]
        let isModern = modern.contains { term.contains($0) }
        for name in [term] + (isModern ? ["xterm-256color"] : []) + ["xterm"] {
            guard let canMove = withEntry(name, { string("cup") != nil }) else { continue }
            if !canMove { throw .tooSimple(term) }
            return name
        }
        throw .noDatabase(term)
    }
}
