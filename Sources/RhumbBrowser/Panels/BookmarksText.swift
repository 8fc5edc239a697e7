/// The texts of the bookmarks.
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

    static func removal(_ letter: Character) -> String { "Remove bookmark \(letter)? y/N" }
}
