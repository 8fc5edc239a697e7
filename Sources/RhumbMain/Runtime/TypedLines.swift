internal import Rhumb
internal import RhumbBrowser

/// The lines typed after `:` in this run and others, without keys, in a file that is its owner's alone.
@MainActor
final class TypedLines {
    private let folder: String?
    private var path: String? { folder.map { $0 + "/lines" } }
    /// What there is without a file.
    private var own = LineHistory()
    private static let longest = 1 << 18

    init(_ folders: Folders) { folder = folders.state }

    /// All lines, also those that other runs have kept meanwhile.
    var all: LineHistory {
        guard let bytes = path.flatMap({ Files.read($0, limit: TypedLines.longest) }) else { return own }
        return LineHistory(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { SafeText.harmless(String($0)) })
    }

    /// Keeps a line.
    /// - Returns: all lines.
    func add(_ line: String) -> LineHistory {
        own = all
        own.add(Output.hidden(TypedKeys.own.takeLine(line)))
        if let folder, let path {
            Files.makeFolder(folder)
            try? Files.write(Array(own.lines.joined(separator: "\n").utf8), to: path, isPrivate: true)
        }
        return own
    }
}
