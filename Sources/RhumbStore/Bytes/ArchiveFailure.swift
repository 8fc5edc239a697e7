internal import Glibc
public import RhumbCore

/// The reason why a file or folder can't be used as a tile archive.
public struct ArchiveFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The category of a failure.
    public enum Reason: String, Sendable {
        /// The file doesn't exist or can't be read.
        case cannotOpen
        /// The file isn't a tile archive.
        case notRecognised
        /// The archive is damaged or truncated.
        case damaged
        /// The archive is valid, but Rhumb can't read or draw its format.
        case unsupported
        /// The archive contains vector tiles, which must be rendered with a style.
        case vectorTiles
        /// Another program holds a lock on the file.
        case locked
    }

    /// The category of the failure.
    public let reason: Reason
    /// The file's path, sanitised for terminal output.
    public let file: String
    /// The problem and its position in the file.
    public let problem: String
    /// The suggested remedy.
    public let advice: String
    /// The obstacle to reading it from its server; nil for other failures.
    package var obstacle: Obstacle?
    /// The remedy for a server that can't be reached; nil for other failures.
    public package(set) var remedy: RecoverySuggestion?

    /// An obstacle to reading parts of a file on a server.
    package enum Obstacle: Equatable, Sendable {
        /// The server can't be reached.
        case connection
        /// The connection was lost or timed out. The value is the pause that follows; nil for none.
        case lostConnection(pause: Duration?)
        /// The server limits the rate. The value is the time to wait; nil if unknown.
        case rateLimit(pause: Duration?)
        /// The server is reached, but fails. The value is the time to wait; nil if unknown.
        case failingServer(pause: Duration?)
        /// The server ignores range requests and sends only whole files.
        case wholeFilesOnly
    }

    /// Creates a failure with a problem and a remedy.
    public init(_ file: String, _ reason: Reason, _ problem: String, _ advice: String) {
        self.file = SafeText.sanitised(file)
        self.reason = reason
        self.problem = problem
        self.advice = advice
    }

    /// Creates the failure of a request.
    /// - Parameter message: The address, the problem after a colon, and the remedy after a semicolon.
    package init(_ file: String, requestFailure message: String) {
        var problem = message[...]
        if let start = problem.firstRange(of: ": ") { problem = problem[start.upperBound...] }
        guard let end = problem.ranges(of: "; ").last else {
            self.init(file, .cannotOpen, String(problem), "try again later")
            return
        }
        self.init(
            file, .cannotOpen, String(problem[..<end.lowerBound]), String(problem[end.upperBound...]))
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
