internal import Rhumb
internal import RhumbBrowser

/// The lines typed after `:` in all runs of the program, without keys, in a file that only its owner may
/// read.
struct CommandHistoryFile: Sendable {
    private let file: StateFile<[String]>?
    /// The maximum size of the file in bytes. The oldest lines are dropped to fit.
    private static let limit = 1 << 18

    init(_ folders: Folders) {
        file = folders.state.map { StateFile($0 + "/lines", .lines(limit: Self.limit), isPrivate: true) }
    }

    /// Reads all lines.
    /// - Returns: The lines, and a notice about faults of the file, usually nil.
    func load() -> (lines: LineHistory, fault: Notice.Problem?) {
        guard let (lines, fault) = file?.load() else { return (LineHistory(), nil) }
        return (LineHistory(lines.map(SafeText.harmless)), fault)
    }

    /// Returns a typed line without its keys, which stay in memory.
    static func stripped(_ line: String) -> String { Output.hidden(URLCredentials.own.takeLine(line)) }

    /// Adds a line to those of other runs. It is not an error if the file can't be written.
    /// - Returns: All lines, and a notice with the new name of a file that could not be parsed, usually nil.
    ///   Returns nil if there is no file.
    @discardableResult
    func add(_ line: String) -> (lines: LineHistory, warning: Notice.Problem?)? {
        let line = Self.stripped(line)
        let changed = try? file?.change { lines in
            var history = LineHistory(lines.map(SafeText.harmless))
            history.add(line)
            lines = history.lines.fitting(Self.limit)
        }
        return changed.map { (LineHistory($0.value), $0.warning) }
    }
}

extension [String] {
    /// Returns the newest lines that fit into a file of this size.
    fileprivate func fitting(_ limit: Int) -> [String] {
        var rest = limit
        return reversed().prefix { line in
            rest -= line.utf8.count + 1
            return rest >= 0
        }.reversed()
    }
}
