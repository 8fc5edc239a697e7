internal import RhumbCore
internal import RhumbEngine

/// The views that are marked with letters: a letter jumps, after ' it marks this view.
struct BookmarksPanel: Panel {
    var entry: PanelEntry { .bookmarks }
    private var row = 0
    /// Whether the next letter marks this view.
    private var sets = false

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        if case .character(let letter) = key, Bookmark.isLetter(letter) { return sets ? set(letter, &browser) : jump(letter, &browser) }
        switch key {
        case .character("'"): sets.toggle()
        case .arrow(.down, _): row = min(row + 1, max(browser.bookmarks.count - 1, 0))
        case .arrow(.up, _): row = max(row - 1, 0)
        case .enter: return chosen(browser).map { jump($0.letter, &browser) } ?? []
        case .delete, .backspace: return chosen(browser).map { browser.change(.remove($0.letter)) } ?? []
        default: return nil
        }
        return []
    }

    mutating func close() -> Bool {
        defer { sets = false }
        return !sets
    }

    private func chosen(_ browser: Browser) -> Bookmark? {
        browser.bookmarks.indices.contains(row) ? browser.bookmarks[row] : nil
    }

    private func jump(_ letter: Character, _ browser: inout Browser) -> [Effect] {
        guard let bookmark = browser.bookmarks.first(where: { $0.letter == letter }) else {
            return browser.complain("No bookmark \(letter). Press '' then \(letter) to save this view.")
        }
        browser.panels.removeAll()
        return browser.go(to: bookmark)
    }

    private func set(_ letter: Character, _ browser: inout Browser) -> [Effect] {
        browser.panels.removeAll()
        let map = browser.ground.flatMap { $0.role <= .rasterBase ? $0.words : nil }
        let bookmark = Bookmark(letter, browser.whereaboutsText, browser.viewport.camera, map: map)
        return browser.change(.set(bookmark)) + browser.say("Saved as bookmark \(letter) ('\(letter) returns here)")
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        if sets { return [.init("a–z", "save this view")] }
        let mark = PanelKey("'", "save this view")
        return browser.bookmarks.isEmpty ? [mark] : [.init("a–z", "jump"), mark, .init("Del", "remove")]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let lines = browser.bookmarks.enumerated().map { at, bookmark in
            PanelText.Line(
                text: "\(bookmark.letter)  \(bookmark.name.isEmpty ? PlaceFormat.coordinate(bookmark.camera.coordinate, zoom: 9) : bookmark.name)",
                right: PlaceFormat.zoom(bookmark.camera.zoom), style: at == row ? .reverse : [])
        }
        let title = sets ? "Press a letter to save this view" : "Bookmarks"
        guard !lines.isEmpty else { return PanelText(title: title, lines: browser.wrapped("No bookmarks yet. Press ' and a letter to save this view.")) }
        return PanelText(title: title, lines: lines, showing: row, in: browser.panelFrame)
    }
}

extension Browser {
    /// Changes the bookmarks at once; the file is written in the background.
    fileprivate mutating func change(_ change: BookmarkChange) -> [Effect] {
        bookmarks.apply(change)
        return [.bookmark(change)]
    }

    /// The view of a bookmark, on its map.
    fileprivate mutating func go(to bookmark: Bookmark) -> [Effect] {
        guard let map = bookmark.map, map != ground?.words else { return fly(to: bookmark.camera) }
        landing = bookmark.camera
        return [.open(source: map, over: false)]
    }
}

extension PanelEntry {
    static let bookmarks = PanelEntry("bookmarks") { $0.show(BookmarksPanel()) }
}
