internal import RhumbTestSupport

/// The figures of another revision's measurements, for comparison: a section is measured by its
/// program right before or after our own.
struct EarlierFigures {
    /// Its built RhumbBench.
    let program: String

    /// By the rows' names their figures, as printed.
    func rows(of section: String) -> [String: String] {
        let lines = ChildProgram(program, [section], errors: "/dev/null").lines()
        return Dictionary(lines.compactMap(EarlierFigures.row)) { first, _ in first }
    }

    /// "  name ........ 1.23 ms   (anchor)" taken apart.
    private static func row(_ line: String) -> (String, String)? {
        guard line.hasPrefix("  "), let dots = line.ranges(of: " .").first,
            let end = line[dots.upperBound...].firstIndex(where: { $0 != "." })
        else { return nil }
        let words = line[end...].split(separator: " ").prefix { !$0.hasPrefix("(") }
        return (String(line[..<dots.lowerBound].dropFirst(2)), words.joined(separator: " "))
    }
}
