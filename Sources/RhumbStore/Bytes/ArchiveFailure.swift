internal import Glibc
internal import RhumbCore

/// Why a file or folder can't be used as a tile archive.
public struct ArchiveFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Reason: String, Sendable {
        /// It does not exist or may not be read.
        case cannotOpen
        /// It is something other than a tile archive.
        case notRecognised
        /// It is a tile archive, but damaged or cut short.
        case damaged
        /// It is a sound archive of a kind that Rhumb does not read or draw.
        case unsupported
        /// Its tiles are vector tiles: no pictures, but pictures can be drawn from them.
        case vectorTiles
        /// Another program has it locked.
        case locked
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The file, harmless to a terminal.
    public let file: String
    /// The problem, and its place in the file.
    public let problem: String
    /// The remedy.
    public let advice: String
    /// The obstacle to reading it from its server; nil for other failures.
    package var obstacle: Obstacle?

    /// An obstacle to reading parts of a file on a server.
    package enum Obstacle: Sendable {
        /// The server can't be reached now, or asks to be left alone for a while.
        case connection
        /// The server ignores ranges, and sends whole files only.
        case wholeFilesOnly
    }

    /// A failure of a file, in words, with its remedy.
    public init(_ file: String, _ reason: Reason, _ problem: String, _ advice: String) {
        self.file = SafeText.sanitised(file)
        self.reason = reason
        self.problem = problem
        self.advice = advice
    }

    public var description: String {
        (reason == .cannotOpen ? "can't open " : "") + "\(file): \(problem); \(advice)"
    }

    static func cannotOpen(_ file: String, errno code: Int32) -> ArchiveFailure {
        let reason = FileProblem(file, errno: code)
        return ArchiveFailure(file, .cannotOpen, reason.problem, reason.advice)
    }

    init(_ failure: StoreFailure) {
        let reason: Reason =
            switch failure.kind {
            case .busy: .locked
            case .corrupt, .tooMuch: .damaged
            case .notADatabase: .notRecognised
            default: .cannotOpen
            }
        self.init(
            failure.file, reason, "can't \(failure.attempt): \(failure.reason) (SQLite \(failure.code))",
            failure.advice)
    }
}
