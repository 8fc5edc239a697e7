public import RhumbCore
internal import RhumbEngine

/// The list of saved views. A letter or digit goes to one; after `'`, it saves the current view.
struct BookmarksPanel: Panel {
    var entry: PanelEntry { .bookmarks }
    private var cursor = ListCursor<Character>()
    /// True if the next letter saves this view.
    private var sets = false
    var filter: String? = "" { didSet { cursor = ListCursor() } }

    private func listed(_ browser: Browser) -> [Bookmark] {
        browser.stored.bookmarks.filter { matches($0.name, String($0.letter)) }
    }

    /// Handles a key. The letters of bookmarks take precedence over the keys that all panels share.
    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if case .character(let letter) = key, Bookmark.isLetter(letter) {
            if sets { return set(letter, browser) }
            if !Self.isShared(key) || isSaved(letter, browser) { return jump(letter, browser) }
        }
        if key.move(&cursor, in: listed(browser).map(\.letter), page: 5) { return [] }
        guard key == .character("'") else { return key == .backspace ? remove(browser) : nil }
        sets.toggle()
        return []
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        selected(browser).map { jump($0.letter, browser) }
    }

    mutating func remove(_ browser: Browser) -> [Action]? {
        guard let bookmark = selected(browser) else { return nil }
        let letter = bookmark.letter
        return [.push(.asking(BookmarksText.removal(letter), entry, accept: .bookmark(.remove(letter))))]
    }

    func copied(_ browser: Browser) -> String {
        guard let camera = selected(browser)?.camera else { return "" }
        return "\(PlaceFormat.decimal(camera.coordinate)) \(camera.zoom.decimals(1))"
    }

    mutating func close() -> Bool {
        defer { sets = false }
        return !sets
    }

    /// Returns true for the letters that do the same in every panel.
    private static func isShared(_ key: Key) -> Bool {
        ["j", "k", "q", "x", "y"].contains { key == .character($0) }
    }

    private func isSaved(_ letter: Character, _ browser: Browser) -> Bool {
        browser.stored.bookmarks.contains { $0.letter == letter }
    }

    private func selected(_ browser: Browser) -> Bookmark? {
        let listed = listed(browser)
        return listed.isEmpty ? nil : listed[cursor.row(in: listed.map(\.letter))]
    }

    private func jump(_ letter: Character, _ browser: Browser) -> [Action] {
        guard let bookmark = browser.stored.bookmarks.first(where: { $0.letter == letter }) else {
            return [.complain(BookmarksText.missing(letter))]
        }
        let isShown = bookmark.map == nil || bookmark.map == browser.ground?.specifier
        let map = isShown ? nil : bookmark.map
        return [
            .closePanels,
            map.map { .open(map: $0, landing: bookmark.camera) } ?? .fly(to: bookmark.camera),
        ]
    }

    private func set(_ letter: Character, _ browser: Browser) -> [Action] {
        let map = browser.ground.flatMap { $0.role <= .rasterBase ? $0.specifier : nil }
        let bookmark = Bookmark(letter, browser.whereaboutsText, browser.map.viewport.camera, map: map)
        return [.closePanels, .bookmark(.set(bookmark)), .say(BookmarksText.saved(letter))]
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        let letters = BookmarksText.letters, save = PanelKey("'", BookmarksText.save)
        if sets { return [.init(letters, BookmarksText.save)] }
        if browser.stored.bookmarks.isEmpty { return [save] }
        let remove = isSaved("x", browser) ? PanelKey("Del", "remove") : .remove
        return [.init("Enter", "go"), save, .init(letters, "go"), remove]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let listed = listed(browser)
        let selected = cursor.row(in: listed.map(\.letter))
        let lines = listed.enumerated().map { at, bookmark in
            let place = PlaceFormat.coordinate(bookmark.camera.coordinate, zoom: 9)
            let name = bookmark.name.isEmpty ? place : bookmark.name
            return PanelText.Line.row(
                "\(bookmark.letter)  \(name)", right: PlaceFormat.zoom(bookmark.camera.zoom),
                isSelected: at == selected)
        }
        let title = sets ? BookmarksText.saving : BookmarksText.title
        return PanelText(
            title: title,
            lines: browser.stored.bookmarks.isEmpty ? browser.wrapped(BookmarksText.empty) : lines)
    }
}

extension PanelEntry {
    static let bookmarks = PanelEntry("bookmarks") { _ in [.show(BookmarksPanel())] }
}

enum BookmarksText {
    static let title = "Bookmarks"
    static let saving = "Press a letter or digit to save this view"
    static let empty = "No bookmarks yet. Press ' and a letter or digit to save this view."
    static let letters = "a–z 0–9"
    static let save = "save this view"

    static func missing(_ letter: Character) -> String {
        "No bookmark \(letter). Press '' then \(letter) to save this view."
    }

    static func saved(_ letter: Character) -> String {
        "Saved as bookmark \(letter) ('\(letter) returns here)"
    }

    static func removal(_ letter: Character) -> String { "Remove bookmark \(letter)?" }
}

/// A view that the user saved under a letter.
public struct Bookmark: Equatable, Sendable {
    /// A letter or digit.
    public let letter: Character
    /// The name, safe for a terminal; may be empty.
    public let name: String
    /// The view.
    public let camera: Camera
    /// The specifier of the view's map; nil for any map.
    public let map: String?

    /// Creates a bookmark.
    /// - Parameter map: The specifier of the view's map; nil for any map.
    public init(_ letter: Character, _ name: String, _ camera: Camera, map: String? = nil) {
        self.letter = letter
        self.name = SafeText.sanitised(name, limit: 80)
        self.camera = camera
        self.map = map.flatMap { $0.isEmpty || $0.utf8.count > 4000 ? nil : $0 }
    }

    /// Returns true if a character can name a bookmark.
    public static func isLetter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }
}

/// A change of the bookmarks.
public enum BookmarkChange: Equatable, Sendable {
    /// Adds a bookmark, or replaces the one with its letter.
    case set(Bookmark)
    case remove(Character)
}

extension [Bookmark] {
    /// Applies a change, and sorts the bookmarks by their letters.
    public mutating func apply(_ change: BookmarkChange) {
        switch change {
        case .set(let bookmark): self = filter { $0.letter != bookmark.letter } + [bookmark]
        case .remove(let letter): removeAll { $0.letter == letter }
        }
        sort { $0.letter < $1.letter }
    }
}

/// A query that reads the bookmarks, or changes one. The response has all bookmarks.
public struct BookmarkQuery: Query {
    /// The change; nil to read only.
    public let change: BookmarkChange?

    /// - Parameter change: The change; nil to read only.
    public init(_ change: BookmarkChange? = nil) { self.change = change }

    public static var scheduling: QueryScheduling { .files }

    public typealias Response = [Bookmark]
}
