/// Local files as addresses (RFC 8089).
extension URLReference {
    /// Returns the address of a file.
    /// - Parameter path: The absolute path.
    public static func file(_ path: String) -> String {
        "file://"
            + path.split(separator: "/", omittingEmptySubsequences: false).map {
                PercentCoding.encoded(String($0))
            }
            .joined(separator: "/")
    }

    /// The absolute path of the local file at this address; nil for any other address.
    public var localPath: String? {
        guard scheme == "file", path.hasPrefix("/"),
            ["", "localhost"].contains(authority?.lowercased() ?? "")
        else { return nil }
        let path = PercentCoding.decoded(path)
        return path.utf8.contains(0) ? nil : path
    }
}
