public import RhumbCore

/// A view that a person marked with a letter.
public struct Bookmark: Equatable, Sendable {
    /// A letter or digit.
    public let letter: Character
    /// What it is called; harmless to a terminal, may be empty.
    public let name: String
    /// The view.
    public let camera: Camera

    /// A view marked with a letter.
    public init(_ letter: Character, _ name: String, _ camera: Camera) {
        (self.letter, self.name, self.camera) = (letter, SafeText.sanitised(name, limit: 80), camera)
    }

    /// Whether a character can mark a view.
    public static func isLetter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }
}

/// A change of the bookmarks.
public enum BookmarkChange: Equatable, Sendable {
    /// Takes the place of what had the letter.
    case set(Bookmark)
    case remove(Character)
}
