/// Files of this machine as addresses (RFC 8089).
extension URLReference {
    /// The address of a file.
    /// - Parameter path: from the root.
    public static func file(_ path: String) -> String {
        "file://"
            + path.split(separator: "/", omittingEmptySubsequences: false).map {
                PercentCoding.encoded(String($0))
            }
            .joined(separator: "/")
    }

    /// The path of the file on this machine that it is the address of, from the root; nil for any other.
    public var localPath: String? {
        guard scheme == "file", path.hasPrefix("/"),
            ["", "localhost"].contains(authority?.lowercased() ?? "")
        else { return nil }
        let path = PercentCoding.decoded(path)
        return path.utf8.contains(0) ? nil : path
    }
}
