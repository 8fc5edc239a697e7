internal import Glibc
internal import RhumbCore

/// The reason why a file can't be opened. All commands report it in the same form:
/// "can't open walk.gpx: no such file; did you mean walks.gpx?"
public struct FileProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path, sanitised for terminal output.
    public let file: String
    /// The reason.
    public let problem: String
    /// The remedy.
    public let advice: String

    /// - Parameters:
    ///   - code: The error of the failed call; nil to find the reason by looking at the file.
    ///   - limit: The largest size in bytes that the caller reads; nil for any.
    public init(_ path: String, errno code: Int32? = nil, limit: Int? = nil) {
        file = SafeText.sanitised(path)
        switch code ?? FileProblem.code(of: path) {
        case ENOENT where path.contains("\u{FFFD}"):
            problem = "its name is not UTF-8"
            advice = "rename it, or make a link to it with ln -s"
        case ENOENT where URLReference(path).scheme != nil && path.contains("://"):
            problem = "its scheme is unknown"
            advice = "use an address with https://, http://, s3:// or gs://"
        case ENOENT, ENOTDIR:
            problem = "no such file"
            advice =
                FileProblem.nearest(to: path).map { "did you mean \(SafeText.sanitised($0))?" }
                ?? "check its name"
        case EACCES, EPERM: (problem, advice) = ("permission denied", "check its permissions")
        case EISDIR: (problem, advice) = ("it is a folder", "use a file in it")
        case 0: (problem, advice) = FileProblem.contents(path, limit)
        case let code: (problem, advice) = (String(cString: strerror(code)), "check the file and its disk")
        }
    }

    public var description: String { "can't open \(file): \(problem); \(advice)" }

    /// Returns the error of opening a file; 0 for none.
    private static func code(of path: String) -> Int32 {
        guard let facts = FileFacts(path), access(path, R_OK) == 0 else { return errno }
        return facts.isFolder ? EISDIR : 0
    }

    private static func contents(_ path: String, _ limit: Int?) -> (problem: String, advice: String) {
        guard let facts = FileFacts(path), facts.isFile else {
            return ("no data arrived", "use a regular file")
        }
        guard let limit, facts.size > UInt64(limit) else {
            return ("it can't be read", "check the file and its disk")
        }
        return ("it is larger than \(AmountText.bytes(limit))", "use a smaller file")
    }

    /// Returns the path of a file in the same folder with a similar name; nil if there is none.
    private static func nearest(to path: String) -> String? {
        let name = path.lastPathName
        guard !path.isEmpty, !path.hasSuffix("/") else { return nil }
        return (FolderNames.list(path.parentFolder) ?? []).nearest(to: name).map {
            path.dropLast(name.count) + $0
        }
    }
}
