internal import Glibc
internal import RhumbCore

/// The reason why an archive could not be written. No file remains.
public struct ExportFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The category of a failure.
    public enum Reason: String, Sendable {
        /// The file exists and may not be replaced.
        case exists
        /// The path isn't a regular file.
        case notRegular
        /// The folder is missing or not writable.
        case notWritable
        case diskFull
        /// A tile was added out of order.
        case order
        /// A tile was added twice.
        case repeated
        /// A tile is empty or too large for the archive.
        case body
        /// No tile was added.
        case empty
        /// Another disk error.
        case disk
    }

    /// The category of the failure.
    public let reason: Reason
    /// The destination, sanitised for terminal output.
    public let file: String
    /// A description of the problem.
    public let problem: String
    /// The suggested remedy.
    public let advice: String

    init(_ file: String, _ reason: Reason, _ problem: String, _ advice: String) {
        self.reason = reason
        self.file = SafeText.sanitised(file)
        self.problem = SafeText.sanitised(problem)
        self.advice = advice
        FailureLog.note("file", "can't write \(file): \(problem)")
    }

    public var description: String { "can't write \(file): \(problem); \(advice)" }

    init(_ file: String, errno code: Int32) {
        let (reason, advice): (Reason, String) =
            switch code {
            case ENOSPC, EDQUOT: (.diskFull, "free some disk space and try again")
            case ENOENT, ENOTDIR: (.notWritable, "create its folder first")
            case EACCES, EPERM, EROFS: (.notWritable, "choose a folder you may write to")
            default: (.disk, "check the disk")
            }
        self.init(file, reason, String(cString: strerror(code)), advice)
    }

    init(_ file: String, _ failure: StoreFailure) {
        let reason: Reason =
            switch failure.kind {
            case .diskFull: .diskFull
            case .notWritable, .cannotOpen: .notWritable
            default: .disk
            }
        self.init(file, reason, failure.reason, failure.advice)
    }

    static func repeated(_ tile: TileID, _ file: String) -> ExportFailure {
        ExportFailure(file, .repeated, "tile \(tile) was added twice", "add each tile once")
    }
}
