package import RhumbCore
internal import Synchronization

/// A version of a file on a server: its validator, and the other validators that count as the same version.
///
/// Behind one address there may be several servers whose copies have different validators, and some servers
/// invent a validator for each response. `accept(_:)` and `keep(_:at:)` keep such responses from counting as
/// new versions.
package final class FileVersion: Sendable {
    fileprivate struct State {
        /// The length of the file in bytes; nil if unknown.
        var size: UInt64?
        /// The other validators that the server stated for the same contents.
        var accepted: Set<String?> = []
        /// The validators after which the server returned to this version each time, their number, and the
        /// last time.
        var contradicted: [String?: (count: Int, at: UnixSeconds)] = [:]
        /// The last time at which it was kept although the server invents validators; nil for never.
        var storedAt: UnixSeconds?
        /// The validator of the last responses if it is another one, and their number.
        var run: (validator: String?, count: Int) = (nil, 0)
        /// The first bytes of the version that replaced it, and the time of the check; nil if none did.
        var successor: (beginning: CachedResponse, at: UnixSeconds)?
    }

    /// The validator, or the hash of the first bytes if the server states none.
    package let name: String
    /// The validator; nil if the server states none.
    package let validator: String?
    /// The first bytes of the file, as they are stored.
    package let beginning: StoredResponse
    /// The versions that it and its predecessors replaced although the first bytes and the length are equal.
    private let predecessors: [(validator: String?, end: UnixSeconds)]
    private let state: Mutex<State>
    /// Joins the checks of responses that differ from the version.
    package let checks = SingleFlight<String, Result<CachedResponse?, HTTPFailure>>()

    /// The number of responses in a row with the same other validator that are checked nevertheless: for an
    /// unknown validator, and for an accepted one.
    private static let unknownLimit = 3, acceptedLimit = 12
    /// The number of contradictions by one validator that end the checks, and of contradictions by several
    /// after which no validator matters.
    private static let repetitionLimit = 2, contradictionLimit = 4
    /// The seconds after which a version with the same first bytes and length may be replaced by another such
    /// version.
    package static let period: Int64 = 60

    /// Creates the version of a file with these first bytes.
    /// - Parameters:
    ///   - old: The version that it replaces; nil for none.
    ///   - hash: The hash of the first bytes.
    package init(
        _ beginning: StoredResponse, replacing old: FileVersion? = nil, hash: @autoclosure () -> String
    ) {
        self.beginning = beginning
        validator = beginning.headers.fileVersion
        name = validator ?? hash()
        predecessors =
            if let old, old.hasSameContent(as: beginning) {
                old.predecessors + [(old.validator, beginning.freshness.receivedAt)]
            } else {
                []
            }
        state = Mutex(State(size: beginning.headers.fileSize))
    }

    /// The length of the file in bytes; nil if the server doesn't state it.
    package var size: UInt64? { state.withLock { $0.size } }

    /// The relation of a response to the version.
    package enum Match: Equatable {
        /// The response states the version, so that its bytes may be joined with those of other responses.
        case certain
        /// The response counts as the version.
        case assumed
        /// The response has another validator or states another length.
        case other
    }

    /// Returns the relation of a response to the version.
    package func match(_ headers: HTTPHeaders) -> Match {
        let stated = headers.fileVersion, size = headers.fileSize
        return state.withLock { state in
            if stated == validator {
                // Without validators, only the length shows that another file has replaced this one.
                guard validator != nil else { return state.fits(size) ? .assumed : .other }
                state.size = state.size ?? size
                return .certain
            }
            guard state.fits(size) else { return .other }
            let isAccepted = state.accepted.contains(stated)
            guard isAccepted || state.storedAt != nil else { return .other }
            return state.isRepeated(stated) ? .other : .assumed
        }
    }

    /// Returns the relation of a response that has just arrived to the version. When many responses in a row
    /// state the same other validator, it is `.other`, because a new version may have replaced all copies.
    package func receive(_ headers: HTTPHeaders) -> Match {
        let stated = headers.fileVersion
        state.withLock { state in
            if stated == validator {
                state.run.count = 0
            } else if state.run.count > 0, state.run.validator == stated {
                state.run.count += 1
            } else {
                state.run = (stated, 1)
            }
        }
        return match(headers)
    }

    /// Returns true if the file has the same first bytes and the same length.
    package func hasSameContent(as beginning: StoredResponse) -> Bool {
        guard beginning.body == self.beginning.body else { return false }
        return state.withLock { $0.fits(beginning.headers.fileSize) }
    }

    /// Returns true if a response states no other length.
    package func mayHaveLength(of headers: HTTPHeaders) -> Bool {
        state.withLock { $0.fits(headers.fileSize) }
    }

    /// The last time at which it was kept although the server invents validators; nil for never.
    package var storedAt: UnixSeconds? { state.withLock { $0.storedAt } }

    /// Notes the first bytes of the version that replaced this one.
    package func replace(by beginning: CachedResponse, at now: UnixSeconds) {
        state.withLock { $0.successor = (beginning, now) }
    }

    /// Returns the first bytes of the version that replaced this one, if they were loaded within the last
    /// period. Each response that was in flight would be checked otherwise: three requests for two tiles.
    package func successor(at now: UnixSeconds) -> CachedResponse? {
        guard let successor = state.withLock(\.successor),
            (0..<FileVersion.period).contains(now.seconds(since: successor.at))
        else { return nil }
        return successor.beginning
    }

    /// Returns true if a version with the same first bytes and length, whose validator the server states
    /// consistently, replaces this one. A server that returns to an earlier version within a period, or
    /// changes its validators in each period, sends the same file. The periods become longer each time.
    package func isReplaceable(by validator: String?, at now: UnixSeconds) -> Bool {
        let period = FileVersion.period << (2 * min(max(predecessors.count - 1, 0), 6))
        if let last = predecessors.last, (0..<period).contains(now.seconds(since: last.end)) { return false }
        return state.withLock { !$0.accepted.contains(validator) || $0.isRepeated(validator) }
    }

    /// Returns true if the server returned to this version repeatedly after this validator, and within the
    /// last period.
    package func isContradicted(_ validator: String?, at now: UnixSeconds) -> Bool {
        state.withLock { state in
            guard let known = state.contradicted[validator] else { return false }
            guard (0..<FileVersion.period).contains(now.seconds(since: known.at)) else {
                state.contradicted[validator] = nil
                return false
            }
            return known.count >= FileVersion.repetitionLimit
        }
    }

    /// Notes validators after which the server returned to this version.
    /// - Returns: True if no validator matters from now on.
    package func contradict(_ validators: Set<String?>, at now: UnixSeconds) -> Bool {
        state.withLock { state in
            state.run.count = 0
            state.contradicted = state.contradicted.filter {
                (0..<FileVersion.period).contains(now.seconds(since: $0.value.at))
            }
            for validator in validators {
                state.contradicted[validator] = ((state.contradicted[validator]?.count ?? 0) + 1, now)
            }
            guard state.contradicted.count >= FileVersion.contradictionLimit, state.storedAt == nil else {
                return false
            }
            state.storedAt = now
            return true
        }
    }

    /// Lets responses with some other validators count as this version, or with any if the server invents
    /// them.
    /// - Parameters:
    ///   - validators: The validators that the server stated for the same contents.
    ///   - time: The time if it invents validators; nil if not.
    /// - Returns: True the first time that any other validator counts as this version.
    package func accept(_ validators: Set<String?>, invented time: UnixSeconds?) -> Bool {
        state.withLock { state in
            let wasExact = state.accepted.isEmpty && state.storedAt == nil
            state.accepted.formUnion(validators)
            state.storedAt = time ?? state.storedAt
            state.run.count = 0
            return wasExact
        }
    }
}

extension FileVersion.State {
    fileprivate func fits(_ size: UInt64?) -> Bool { self.size == nil || size == nil || self.size == size }

    /// True if enough responses in a row state the validator: `unknownLimit`, or `acceptedLimit` if it is
    /// accepted. It may then be that of a new version.
    fileprivate func isRepeated(_ validator: String?) -> Bool {
        let isAccepted = accepted.contains(validator)
        let limit = isAccepted ? FileVersion.acceptedLimit : FileVersion.unknownLimit
        return run.validator == validator && run.count >= limit
    }
}

/// The validators of a file in the order in which its server stated them.
package struct StatedValidators {
    private var all: [String?]
    private let current: String?

    /// The number of equal statements in a row that prove a version, and the maximum number of statements.
    private static let proof = 3, limit = 6

    /// - Parameters:
    ///   - first: The validators that were stated so far.
    ///   - current: The validator of the current version; nil if it has none.
    package init(_ first: [String?], current: String?) {
        all = first
        self.current = current
    }

    package mutating func append(_ validator: String?) { all.append(validator) }

    /// The validators that differ from the current one.
    package var others: Set<String?> { Set(all).subtracting([current]) }

    /// The conclusion from the statements.
    package enum Verdict { case current, replaced, contradictory, invented }

    /// The conclusion; nil to ask the server again.
    package var verdict: Verdict? {
        let last = all.suffix(Self.proof)
        if last.count == Self.proof, Set(last).count == 1 {
            return all.last == current ? .current : .replaced
        }
        let counts = Dictionary(grouping: all) { $0 }.mapValues(\.count)
        if all.count > Self.proof, counts.count == all.count { return .invented }
        if counts.values.count(where: { $0 > 1 }) > 1 { return .contradictory }
        return all.count < Self.limit ? nil : .contradictory
    }
}

extension HTTPHeaders {
    /// The version of a file's contents by its validators; nil if the server sends none. A weak ETag counts
    /// like a strong one.
    package var fileVersion: String? {
        guard let etag = first("ETag") else { return first("Last-Modified") }
        return etag.hasPrefix("W/") ? String(etag.dropFirst(2)) : etag
    }

    /// The length of the file that a range is of; nil if the server doesn't state it.
    fileprivate var fileSize: UInt64? {
        first("Content-Range").flatMap { ByteRange.parse(contentRange: $0)?.whole }
    }
}
