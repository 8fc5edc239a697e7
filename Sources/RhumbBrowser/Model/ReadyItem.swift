internal import RhumbCore

/// One result of the check whether maps work without a network.
public struct ReadyItem: Equatable, Sendable {
    /// The kind of result. The raw value is the word in JSON.
    public enum State: String, Sendable {
        /// It works without a network.
        case ready
        /// It is optional and not available without a network, or it will soon need an update.
        case note
        /// It is missing, so the maps are not ready.
        case missing
    }

    /// The id of the region, or the part of the program.
    public let subject: String
    /// The kind of result.
    public let state: State
    /// The result as text, sanitised for terminal output.
    public let text: String
    /// The command that corrects it; nil if there is none.
    public let remedy: String?

    /// Creates a result.
    /// - Parameter remedy: The command that corrects it; nil if there is none.
    public init(_ subject: String, _ state: State, _ text: String, remedy: String? = nil) {
        self.subject = subject
        self.state = state
        self.text = SafeText.sanitised(text, limit: 400)
        self.remedy = remedy
    }
}

extension [ReadyItem] {
    /// The number of missing parts.
    public var missingCount: Int { count { $0.state == .missing } }

    /// The answer in a sentence.
    public var verdict: String {
        switch missingCount {
        case 0: "Ready: works without a network"
        case 1: "Not ready: 1 problem"
        default: "Not ready: \(missingCount) problems"
        }
    }
}
