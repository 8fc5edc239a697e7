internal import RhumbCore
internal import RhumbEngine

/// The conditions of a request for a representation (RFC 9110, 13).
struct Preconditions: Sendable {
    var match: String?
    var noneMatch: String?
    var modifiedSince: String?
    var unmodifiedSince: String?

    /// The result of evaluating the conditions.
    enum Outcome: Equatable {
        case proceed
        /// The client has this version: 304.
        case unchanged
        /// The client expects another version: 412.
        case failed
    }

    /// Evaluates the conditions in the order of RFC 9110, 13.2.2.
    /// - Parameter modified: The time of the last change; nil if unknown.
    func outcome(etag: String, modified: UnixSeconds?) -> Outcome {
        if let match {
            guard EntityTags(match)?.contains(etag, isStrong: true) == true else { return .failed }
        } else if let date = date(unmodifiedSince), let modified, modified > date {
            return .failed
        }
        if let noneMatch {
            return EntityTags(noneMatch)?.contains(etag, isStrong: false) == true ? .unchanged : .proceed
        }
        if let date = date(modifiedSince), let modified, modified <= date { return .unchanged }
        return .proceed
    }

    private func date(_ field: String?) -> UnixSeconds? {
        field.flatMap { HTTPDate.parse($0.trimmed, now: .now) }
    }
}

/// A list of entity tags, or the mark for any (RFC 9110, 8.8.3).
enum EntityTags: Equatable {
    case any
    case tags([String])

    /// Parses a field; nil if it is invalid.
    init?(_ field: String) {
        guard field.trimmed != "*" else {
            self = .any
            return
        }
        var tags: [String] = [], rest = field.utf8[...]
        func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }
        skip(EntityTags.isSeparator)
        while !rest.isEmpty {
            let start = rest.startIndex
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard rest.popFirst() == UInt8(ascii: "\""),
                let end = rest.firstIndex(of: UInt8(ascii: "\""))
            else { return nil }
            tags.append(String(field[start...end]))
            rest = rest[field.utf8.index(after: end)...]
            skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
            skip(EntityTags.isSeparator)
        }
        guard !tags.isEmpty else { return nil }
        self = .tags(tags)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        [UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t")].contains(byte)
    }

    /// Returns true if the list contains a tag.
    /// - Parameter isStrong: True if weak tags equal none.
    func contains(_ etag: String, isStrong: Bool) -> Bool {
        guard case .tags(let tags) = self else { return true }
        if isStrong { return !etag.hasPrefix("W/") && tags.contains(etag) }
        return tags.contains { EntityTags.opaque($0) == EntityTags.opaque(etag) }
    }

    private static func opaque(_ etag: String) -> Substring { etag.dropFirst(etag.hasPrefix("W/") ? 2 : 0) }
}
