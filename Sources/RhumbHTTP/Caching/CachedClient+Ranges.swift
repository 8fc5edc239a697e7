package import RhumbCore
package import RhumbEngine
internal import Synchronization

/// The failure to read a section of a file from its server.
package enum RangeFailure: Error {
    /// A response differs from the version. The value is its header; nil if the file ends before the section.
    case differs(HTTPHeaders?)
    /// The file has another version now. The value is the response with its first bytes.
    case changed(CachedResponse)
    case request(HTTPFailure)
    case failed(TileFailure)
}

/// A section of one version of a file, as it arrived.
package struct LoadedRange: Sendable {
    /// The bytes of the section.
    package let bytes: [UInt8]
    private let request: HTTPRequest
    /// The response that contained the section. Its body differs from the section.
    private let response: HTTPResponse
    private let version: String

    package init(_ bytes: [UInt8], _ response: HTTPResponse, to request: HTTPRequest, version: String) {
        self.bytes = bytes
        self.response = response
        self.request = request
        self.version = version
    }

    /// Returns the response of a body that was read from the section, and whether it may be stored.
    package func response(
        _ body: [UInt8], _ storage: StoragePolicy
    ) -> (stored: StoredResponse, isStorable: Bool) {
        CacheRules.resolve(body, from: response, to: request, version: version, storage)
    }
}

extension CacheRules {
    /// Returns the response of a body that was read from a part of a file, and whether it may be stored.
    fileprivate static func resolve(
        _ body: [UInt8], from response: HTTPResponse, to request: HTTPRequest, version: String,
        _ storage: StoragePolicy
    ) -> (stored: StoredResponse, isStorable: Bool) {
        var stored = StoredResponse(response, to: request, storage)
        stored.body = body
        stored.dataVersion = version
        // The range is that of the request, not of the body.
        stored.headers.removeAll("Content-Range")
        return (stored, response.verdict(for: request) == .body)
    }
}

/// Loads sections of files.
extension CachedClient {
    /// The number of received bytes after which a broken response is resumed without a wait.
    private static let progress: UInt64 = 16 << 10

    /// Returns the stored copy of a section of that version of a file. It reads from disk.
    package func match(_ key: ResourceKey?, version: String) -> StoreMatch? {
        guard let key, let copy = cache?.response(for: key), copy.dataVersion == version else { return nil }
        return StoreMatch(copy, .cache)
    }

    /// Stores a response that was not loaded as a whole, such as a tile within a section.
    package func store(_ response: StoredResponse, for key: ResourceKey?) {
        if let key { cache?.store(response, for: key) }
    }

    /// Loads sections of a file that are close together, and passes on each as soon as its bytes have
    /// arrived. A broken response is resumed at the first missing byte, with shorter ranges.
    /// - Parameters:
    ///   - batch: After a failure, it contains the sections still missing.
    ///   - version: The version that the file must still have.
    ///   - limit: The current length of the ranges.
    ///   - rule: The retries without progress; nil for the rule of the priority.
    ///   - onRequest: Called for each request.
    ///   - range: Returns the resource of a section.
    package nonisolated(nonsending) func load<Item: Sendable>(
        _ batch: inout RangeBatch<Item>, of version: FileVersion, limit: RangeLimit, priority: HTTPPriority,
        retrying rule: RetryRule? = nil, onRequest: () -> Void = {}, range: (FileSection) -> WebResource,
        take: (Item, LoadedRange) -> Void
    ) async throws(RangeFailure) {
        let rule = rule ?? RetryRule(for: priority)
        var failures = 0, last: RangeFailure?
        while let section = batch.request(limit: limit.bytes) {
            onRequest()
            let start = batch.position
            do throws(RangeFailure) {
                try await request(range(section), of: &batch, version, priority, take)
                failures = 0
                last = nil
                limit.grow()
            } catch {
                let received = max(batch.position, start) - start
                failures = received > 0 ? 1 : failures + 1
                // The failure of the last request tells more than that of one that was not sent.
                if case .request(let cause) = error, cause.isPaused { throw last ?? error }
                last = error
                guard let wait = wait(after: error, failures, rule, priority) else { throw error }
                limit.shrink()
                if received >= CachedClient.progress { continue }
                guard (try? await Task.sleep(for: .seconds(wait))) != nil else { throw .request(.cancelled) }
            }
        }
    }

    private func wait(
        after failure: RangeFailure, _ failures: Int, _ rule: RetryRule, _ priority: HTTPPriority
    ) -> Double? {
        guard case .request(let cause) = failure, let failureClass = cause.failureClass else { return nil }
        // A region waits for the server itself.
        if failureClass == .rate, priority != .download, let pause = cause.retryAfter {
            return rule.delay(afterPause: pause.inSeconds, failures: failures)
        }
        let wait = rule.delay(after: failureClass, failures: failures, random: .random(in: 0..<1))
        if wait == nil { cache?.count(.failure) }
        return wait
    }

    nonisolated(nonsending) private func request<Item: Sendable>(
        _ range: WebResource, of batch: inout RangeBatch<Item>, _ version: FileVersion,
        _ priority: HTTPPriority, _ take: (Item, LoadedRange) -> Void
    ) async throws(RangeFailure) {
        let request = HTTPRequest(range, priority: priority)
        var match = FileVersion.Match.assumed, isFirst = true
        // The bytes of two responses are only joined if both state the version.
        defer { if match != .certain { batch.dropIncomplete() } }
        do {
            for try await response in transport.parts(of: request) {
                guard !response.isAbsent else { throw RangeFailure.request(.absent(range.address)) }
                match = isFirst ? version.receive(response.headers) : version.match(response.headers)
                isFirst = false
                guard match != .other else { throw RangeFailure.differs(response.headers) }
                cache?.count(.bytes, response.wireBytes)
                for (item, bytes) in batch.add(response.body) {
                    take(item, LoadedRange(bytes, response, to: request, version: version.name))
                }
            }
        } catch let failure as HTTPFailure {
            // A status of 416 means that the file has become shorter.
            throw failure.status == 416 ? .differs(nil) : .request(failure)
        } catch {
            throw error as? RangeFailure ?? .differs(nil)
        }
        if Task.isCancelled { throw .request(.cancelled) }
        guard batch.isRequestComplete else { throw .truncated(range.address.canonical) }
        cache?.count(.download)
    }
}

extension RangeFailure {
    /// The file ends before a section that its directory declares.
    package static func truncated(_ name: String) -> RangeFailure {
        .failed(TileFailure(.badContent, "\(name): the archive is truncated; its owner must replace it"))
    }
}

extension HTTPFailure {
    /// The failure of a file that is gone from its server.
    package static func absent(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(.permanent), status: 404,
            "\(address): the server no longer has the archive; check the URL")
    }
}

/// The length of the ranges requested of one file. It shrinks when responses break off, and grows again
/// when they are complete.
package final class RangeLimit: Sendable {
    /// The shortest and the longest range, in bytes.
    package static let bounds: ClosedRange<UInt64> = 64 << 10...4 << 20

    private let length = Mutex(RangeLimit.bounds.upperBound)

    /// Creates a limit of the longest range.
    package init() {}

    /// The current length, in bytes.
    package var bytes: UInt64 { length.withLock { $0 } }

    package func shrink() { length.withLock { $0 = max($0 / 2, RangeLimit.bounds.lowerBound) } }

    package func grow() { length.withLock { $0 = min($0 + $0 / 4, RangeLimit.bounds.upperBound) } }
}
