internal import CSQLite
internal import Glibc
internal import RhumbCore

/// An error of SQLite.
public struct StoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The category of a database error.
    public enum Kind: String, Sendable {
        /// Another program holds a lock, and the busy timeout has passed.
        case busy
        case corrupt
        case notADatabase
        case diskFull
        case notWritable
        case cannotOpen
        case constraint
        /// The disk or its connection reported an I/O error.
        case disk
        /// A value was too long, or a row took too many steps.
        case tooMuch
        case other
    }

    /// The category of the error.
    public let kind: Kind
    /// SQLite's extended result code.
    public let code: Int
    /// The failed operation, such as "read tile 3/4/2".
    public let attempt: String
    /// The path of the database, sanitised for terminal output.
    public let file: String
    /// SQLite's message, sanitised for terminal output.
    public let reason: String

    /// SQLITE_IOERR_SHMSIZE: a full disk has no space for the log's index.
    private static let noRoomForIndex: Int32 = 10 | 19 << 8

    /// - Parameter system: The `errno` of a failure of an open database; nil if it couldn't be opened.
    init(code: Int32, system: Int32? = nil, attempt: String, file: String, reason: String) {
        self.code = Int(code)
        let kind = Kind(primaryCode: code & 0xFF)
        self.kind =
            switch (kind, system) {
            case (_, _) where code == Self.noRoomForIndex: .diskFull
            case (.cannotOpen, ENOSPC), (.cannotOpen, EDQUOT), (.disk, ENOSPC), (.disk, EDQUOT): .diskFull
            // The database is open, but SQLite can't create a file next to it.
            case (.cannotOpen, _?): .notWritable
            default: kind
            }
        self.attempt = attempt
        self.file = SafeText.sanitised(file)
        self.reason = SafeText.sanitised(reason)
        FailureLog.note("store", "can't \(attempt): \(file): \(reason)")
    }

    /// Creates the failure of a call of the system on a database file, from `errno`.
    init(system: Int32, attempt: String, file: String) {
        let code =
            switch system {
            case EIO: SQLITE_IOERR
            case ENOSPC, EDQUOT: SQLITE_FULL
            case EACCES, EPERM, EROFS: SQLITE_READONLY
            default: SQLITE_CANTOPEN
            }
        self.init(code: code, attempt: attempt, file: file, reason: String(cString: strerror(system)))
    }

    public var description: String {
        "can't \(attempt) in \(file): \(reason) (SQLite \(code)); \(advice)"
    }

    /// The suggested remedy.
    public var advice: String {
        switch kind {
        case .busy: "another process is writing to the file; wait for it, or close it"
        case .corrupt: "the file is damaged; restore it from its origin or a backup"
        case .notADatabase: "the file is not a SQLite database; check its name"
        case .diskFull: "the disk is full; free some space and try again"
        case .notWritable: "the file or its folder is read-only; check their permissions"
        case .cannotOpen where reason.hasSuffix("not a regular file"): "move it away"
        case .cannotOpen: "check that the file exists and is readable"
        case .tooMuch: "the file is built to make reading it endless; get it from another source"
        case .disk: "disk error; check the disk and its free space"
        case .constraint, .other: "check that the file has the expected tables"
        }
    }
}

extension StoreFailure.Kind {
    fileprivate init(primaryCode: Int32) {
        self =
            switch primaryCode {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY, SQLITE_PERM: .notWritable
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_IOERR: .disk
            case SQLITE_TOOBIG, SQLITE_INTERRUPT: .tooMuch
            default: .other
            }
    }
}
