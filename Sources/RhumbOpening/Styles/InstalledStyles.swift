internal import RhumbStore

/// The styles that a person put into a folder, known by the names of their files.
public struct InstalledStyles: Sendable {
    /// An installed style.
    public struct Entry: Hashable, Sendable {
        /// The file's name without its ending; not harmless to a terminal.
        public let name: String
        /// The file.
        public let place: String
    }

    private let folder: String?
    private static let ending = ".json"

    /// - Parameter folder: nil: there is none.
    public init(folder: String?) { self.folder = folder }

    /// All of them, by name.
    public var all: [Entry] {
        guard let folder, let names = FolderNames.list(folder) else { return [] }
        return names.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }.sorted().map {
            Entry(name: String($0.dropLast(Self.ending.count)), place: "\(folder)/\($0)")
        }
    }

    /// The file of a style by its name; nil if there is none of that name.
    public func place(of name: String) -> String? {
        guard let folder, !name.contains("/"), Files.exists("\(folder)/\(name)\(Self.ending)") else {
            return nil
        }
        return "\(folder)/\(name)\(Self.ending)"
    }
}
