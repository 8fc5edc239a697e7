/// Paths of files, and addresses without a query.
extension String {
    /// The last name; the whole text if it has none, such as "/".
    package var lastPathName: String { split(separator: "/").last.map(String.init) ?? self }

    /// The path of the folder that contains the file, without a slash at its end.
    package var parentFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The text without a slash at its end.
    package var withoutFinalSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
