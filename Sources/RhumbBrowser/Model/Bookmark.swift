public import RhumbCore

/// A view that the user saved under a letter.
public struct Bookmark: Equatable, Sendable {
    /// A letter or digit.
    public let letter: Character
    /// The name, safe for a terminal; may be empty.
    public let name: String
    /// The view.
    public let camera: Camera
    /// The words that open the view's map; nil for any map.
    public let map: String?

    /// Creates a bookmark.
    /// - Parameter map: The words that open the view's map; nil for any map.
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
