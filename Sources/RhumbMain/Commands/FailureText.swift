internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// What the program says of the library's failures: their sentence, and which of its own words help.
enum FailureText {
    static func sentence(_ failure: any Error) -> String {
        switch failure {
        case let failure as MapOpenFailure: "\(failure)" + hint(failure)
        case RegionFailure.map(let failure): sentence(failure)
        default: "\(failure)"
        }
    }

    private static func hint(_ failure: MapOpenFailure) -> String {
        guard case .unknown(let words, let names) = failure else { return "" }
        return names.nearest(to: words).map { "; did you mean \($0)?" } ?? "; rhumb source list shows the names"
    }

    /// One sentence about what a style loses.
    static func leftOut(_ sentences: [String], of style: String) -> String {
        let place = SafeText.sanitised(style), first = sentences.first ?? ""
        if sentences.count == 1 { return "\(place): \(first)" }
        return "\(place): \(sentences.count) things are left out, such as \(first); rhumb style check lists them"
    }
}

extension Notice.Problem {
    /// - Parameter failure: of the library, or of the program.
    init(_ failure: any Error) { self.init(FailureText.sentence(failure)) }
}
