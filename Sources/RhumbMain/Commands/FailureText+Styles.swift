internal import Rhumb
internal import RhumbBrowser

extension FailureText {
    /// Returns a sentence about the unsupported parts of a style.
    static func leftOut(_ sentences: [String], of style: String) -> String {
        let name = SafeText.sanitised(style), first = sentences.first ?? ""
        if sentences.count == 1 { return "\(name): \(first)" }
        return
            "\(name): \(sentences.count) parts can't be drawn, e.g. \(first); run rhumb style check to list them"
    }
    /// Returns a note about the properties of a style that have no effect.
    static func unused(_ sentence: String, of style: String) -> String {
        "\(SafeText.sanitised(style)): \(sentence); run rhumb style check to list them"
    }
}
