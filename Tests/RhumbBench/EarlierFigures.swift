internal import RhumbTestSupport

/// The figures of another revision, for comparison. Its program measures each section directly before or
/// after the current one.
struct EarlierFigures {
    /// The RhumbBench executable of the other revision.
    let program: String

    /// Returns the figures of a section as printed, by the names of the rows.
    func rows(of section: String) -> [String: String] {
        let lines = ChildProgram(program, [section], errors: "/dev/null").lines()
        return Dictionary(lines.compactMap(EarlierFigures.row)) { first, _ in first }
    }

    /// Parses a row such as "  name ........ 1.23 ms   (anchor)".
    private static func row(_ line: String) -> (String, String)? {
        guard line.hasPrefix("  "), let dots = line.ranges(of: " .").first,
            let end = line[dots.upperBound...].firstIndex(where: { $0 != "." })
        else { return nil }
        let words = line[end...].split(separator: " ").prefix { !$0.hasPrefix("(") }
        return (String(line[..<dots.lowerBound].dropFirst(2)), words.joined(separator: " "))
    }
}
