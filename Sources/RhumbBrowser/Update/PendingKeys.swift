public import RhumbCore

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
