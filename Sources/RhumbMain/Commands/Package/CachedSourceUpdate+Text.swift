internal import Rhumb
internal import RhumbBrowser

extension CachedSourceUpdate {
    /// The outcome as a word for JSON.
    var word: String {
        switch outcome {
        case .current: "current"
        case .updated: "updated"
        case .failed: "failed"
        case .unchecked: "unchecked"
        }
    }

    /// The reason why the update failed; nil if it didn't.
    var problem: String? {
        guard case .failed(let failure) = outcome else { return nil }
        return FailureText.sentence(failure)
    }

    /// Returns a summary such as "No packages are installed. rhumb update apply revalidates 3 sources in the
    /// cache".
    static func list(_ stored: [CachedSourceUpdate]) -> [String] {
        guard !stored.isEmpty else { return sentences([]) }
        return [
            "\(none). rhumb update apply revalidates \(AmountText.count(stored.count, "source")) in the cache: "
                + stored.map(\.name).joined(separator: ", ")
        ]
    }

    private static let none = "No packages are installed"

    /// Returns a summary such as "No packages are installed. Sources in the cache: 1 updated (map), 2 up to
    /// date", and a line for each failure.
    static func sentences(_ updates: [CachedSourceUpdate]) -> [String] {
        guard !updates.isEmpty else {
            return [none + ", and the cache holds no source that could be updated"]
        }
        let updated = updates.filter { $0.outcome == .updated }.map(\.name)
        let current = updates.count { $0.outcome == .current },
            failed = updates.count - updated.count - current
        let names = updated.joined(separator: ", ")
        let counts =
            (updated.isEmpty ? [] : ["\(AmountText.count(updated.count)) updated (\(names))"])
            + (current == 0 ? [] : ["\(AmountText.count(current)) up to date"])
            + (failed == 0 ? [] : ["\(AmountText.count(failed)) not checked"])
        return ["\(none). Sources in the cache: \(counts.joined(separator: ", "))"]
            + updates.compactMap(\.problem)
    }
}
