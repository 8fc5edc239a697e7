internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import Synchronization

/// The number of remarks about parts that are left out, from any thread.
final class RemarkCount: Sendable {
    private let count = Atomic(0)

    func add() { count.add(1, ordering: .relaxed) }
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }
}

extension Scene {
    /// The reason why the first of the failed tiles failed; nil if none failed.
    var firstFailure: String? {
        layers.flatMap(\.gaps).firstNonNil { gap in
            if case .failed(let failure) = gap.reason { FailureText.sentence(failure) } else { nil }
        }
    }
}

extension Invocation {
    /// Returns the format given by the options, or else by the file's extension. For standard output, returns
    /// the format that suits the reader.
    func pictureFormat(_ path: String?) throws -> PictureFormat {
        if let named = self[.format].flatMap(PictureFormat.init(rawValue:)) { return named }
        if let path { return try PictureFormat(file: path) }
        return isatty(STDOUT_FILENO) == 1 || colors != nil ? .ansi : .text
    }
}
