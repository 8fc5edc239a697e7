package import RhumbCore
internal import Synchronization

/// A version of a file on a server: its validator, and which other validators count as the same version.
///
/// Behind one address there may be several servers whose copies have different validators, and some servers
/// invent a validator for each response. Without `keep()`, every response would then count as a new version.
package final class FileVersion: Sendable {
    fileprivate struct State {
        /// The length of the file in bytes; nil if unknown.
        var size: UInt64?
        /// The last time at which it was kept although the server stated another validator; nil for never.
        var keptAt: UnixSeconds?
    }

    /// The validator, or the hash of the first bytes if the server states none.
    package let name: String
    /// The first bytes of the file, as they are stored.
    package let beginning: StoredResponse
    /// True if the server states the version in its responses.
    private let isStated: Bool
    private let state: Mutex<State>
    /// Joins the checks of responses that differ from the version.
    package let checks = SingleFlight<String, Result<CachedResponse?, HTTPFailure>>()

    /// Creates the version of a file with these first bytes.
    /// - Parameter hash: The hash of the first bytes.
    package init(_ beginning: StoredResponse, hash: @autoclosure () -> String) {
        let stated = beginning.headers.fileVersion
        self.beginning = beginning
        isStated = stated != nil
        name = stated ?? hash()
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
            if stated == name {
                state.size = state.size ?? size
                return .certain
            }
            if stated == nil, !isStated { return .assumed }
            return state.keptAt != nil && state.fits(size) ? .assumed : .other
        }
    }

    /// Returns true if the file has the same first bytes and the same length.
    package func hasSameContent(as beginning: StoredResponse) -> Bool {
        guard beginning.body == self.beginning.body else { return false }
        return state.withLock { $0.fits(beginning.headers.fileSize) }
    }

    /// The last time at which it was kept although the server stated another validator; nil for never.
    package var keptAt: UnixSeconds? { state.withLock { $0.keptAt } }

    /// Lets responses with other validators count as this version.
    /// - Returns: True the first time.
    package func keep(at now: UnixSeconds) -> Bool {
        state.withLock { state in
            defer { state.keptAt = now }
            return state.keptAt == nil
        }
    }
}

extension FileVersion.State {
    fileprivate func fits(_ size: UInt64?) -> Bool { self.size == nil || size == nil || self.size == size }
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
