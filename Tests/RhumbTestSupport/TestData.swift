internal import Glibc

/// Real files that are too large or not free enough for the repository, in the folder RHUMB_TEST_DATA. Tests
/// that need them are skipped without it.
public enum TestData {
    /// The folder; nil if RHUMB_TEST_DATA is unset or empty.
    public static var folder: String? {
        guard let value = getenv("RHUMB_TEST_DATA") else { return nil }
        let path = String(cString: value)
        return path.isEmpty ? nil : path
    }

    public static var isPresent: Bool { folder != nil }

    /// Returns the names of the files in a subfolder.
    public static func names(in subfolder: String) -> [String] {
        folder.map { TestFiles.names(at: $0 + "/" + subfolder) } ?? []
    }

    /// Returns the bytes of a file, given its path in the folder; nil if it can't be read.
    public static func bytes(of path: String) -> [UInt8]? {
        folder.flatMap { TestFiles.bytes(at: $0 + "/" + path) }
    }
}
