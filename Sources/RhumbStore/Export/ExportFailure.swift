internal import Glibc
internal import RhumbCore

/// Why an archive could not be written. Nothing is left of it then.
public struct ExportFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Why nothing could be written.
    public enum Reason: String, Sendable {
        /// There is a file of that name, and it was not to be replaced.
        case exists
        /// Something else than a file has that name.
        case notRegular
        /// The folder is missing, or may not be written to.
        case notWritable
        case diskFull
        /// A tile came before one it had to come after.
        case order
        /// A tile came twice.
        case repeated
        /// A tile has no bytes, or more than an archive can hold.
        case body
        /// There was no tile.
        case empty
        /// Another error of the disk.
        case disk
    }

    /// The obstacle.
    public let reason: Reason
    /// The file that was to be, harmless to a terminal.
    public let file: String
    /// The problem.
    public let problem: String
    /// The remedy.
    public let advice: String

    init(_ file: String, _ reason: Reason, _ problem: String, _ advice: String) {
        self.reason = reason
        self.file = SafeText.sanitised(file)
        self.problem = SafeText.sanitised(problem)
        self.advice = advice
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
