internal import Glibc

/// Texts that are compared line by line with files. `RHUMB_RENEW_GOLDENS=1` rewrites the files.
public enum Golden {
    /// Returns the differences from the file as lines with `-` (expected) and `+` (found), or an empty array
    /// if the texts are equal.
    /// - Parameter name: The name of the file below Tests/Goldens.
    public static func difference(_ found: [String], from name: String) -> [String] {
        let path = "Tests/Goldens/\(name)"
        if getenv("RHUMB_RENEW_GOLDENS") != nil { write(found, to: TestFiles.path(path)) }
        guard let bytes = TestFiles.bytes(path) else {
            return ["there is no \(path): RHUMB_RENEW_GOLDENS=1 makes it"]
        }
        var expected = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        if expected.last == "" { expected.removeLast() }
        return changes(expected, found)
    }

    private static func changes(_ expected: [String], _ found: [String]) -> [String] {
        let difference = found.difference(from: expected)
        return difference.map { change in
            switch change {
            case .remove(let line, let text, _): "\(line + 1) - \(text)"
            case .insert(let line, let text, _): "\(line + 1) + \(text)"
            }
        }
    }

    private static func write(_ lines: [String], to path: String) {
        guard let file = fopen(path, "wb") else { return }
        defer { fclose(file) }
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        fwrite(text, 1, text.count, file)
    }
}
