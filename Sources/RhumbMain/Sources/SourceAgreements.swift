internal import Rhumb

/// The sources whose rules a person has agreed to, once and for all.
struct SourceAgreements: Sendable {
    private let folder: String?
    private var path: String? { folder.map { $0 + "/agreed" } }

    init(_ folders: Folders) { folder = folders.state }

    private var all: [String] {
        let bytes = path.flatMap { Files.read($0, limit: 1 << 14) } ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether a source is among them.
    func holds(_ source: String) -> Bool { all.contains(source) }

    /// Adds a source.
    func add(_ source: String) {
        guard let folder, let path, !holds(source) else { return }
        Files.makeFolder(folder)
        try? Files.write(Array(((all + [source]).joined(separator: "\n") + "\n").utf8), to: path, isPrivate: true)
    }
}
