internal import RhumbStore

/// The styles in the user's style folder, by the names of their files.
public struct InstalledStyles: Sendable {
    /// An installed style.
    public struct Entry: Hashable, Sendable {
        /// The file's name without its extension. It may contain characters that a terminal interprets.
        public let name: String
        /// The path of the file.
        public let path: String
    }

    private let folder: String?
    private static let ending = ".json"

    /// Creates the styles of a folder.
    /// - Parameter folder: The folder; nil if there is none.
    public init(folder: String?) { self.folder = folder }

    /// All installed styles, by name.
    public var all: [Entry] {
        guard let folder, let names = FolderNames.list(folder) else { return [] }
        return names.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }.sorted().map {
            Entry(name: String($0.dropLast(Self.ending.count)), path: "\(folder)/\($0)")
        }
    }

    /// Returns the file of a style by its name; nil if no style has that name.
    public func path(of name: String) -> String? {
        guard let folder, !name.contains("/"), Files.exists("\(folder)/\(name)\(Self.ending)") else {
            return nil
        }
        return "\(folder)/\(name)\(Self.ending)"
    }
}
