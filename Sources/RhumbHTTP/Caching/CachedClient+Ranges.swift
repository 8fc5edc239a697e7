package import RhumbCore
package import RhumbEngine

/// The failure to read a section of a file from its server.
package enum RangeFailure: Error {
    /// The file has another version now.
    case changed
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
        return (stored, response.verdict(for: request) == .body)
    }
}

extension HTTPHeaders {
    /// The version of a file's contents by its validators; nil if the server sends none. A weak ETag counts
    /// like a strong one.
    package var fileVersion: String? {
        guard let etag = first("ETag") else { return first("Last-Modified") }
        return etag.hasPrefix("W/") ? String(etag.dropFirst(2)) : etag
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
    ///   - isStated: True if the server states the version. A response without it then fails.
    ///   - limit: The current length of the ranges.
    ///   - rule: The retries without progress; nil for the rule of the priority.
    ///   - onRequest: Called for each request.
    ///   - range: Returns the resource of a section.
    package nonisolated(nonsending) func load<Item: Sendable>(
        _ batch: inout RangeBatch<Item>, version: String, isStated: Bool = true, limit: RangeLimit,
        priority: HTTPPriority, retrying rule: RetryRule? = nil, onRequest: () -> Void = {},
        range: (FileSection) -> WebResource, take: (Item, LoadedRange) -> Void
    ) async throws(RangeFailure) {
        let rule = rule ?? RetryRule(for: priority)
        var failures = 0
        while let section = batch.request(limit: limit.bytes) {
            onRequest()
            let start = batch.position
            do throws(RangeFailure) {
                try await request(range(section), of: &batch, version, isStated, priority, take)
                failures = 0
                limit.grow()
            } catch {
                let received = max(batch.position, start) - start
                failures = received > 0 ? 1 : failures + 1
                guard let wait = wait(after: error, failures, rule) else { throw error }
                limit.shrink()
                if received >= CachedClient.progress { continue }
                guard (try? await Task.sleep(for: .seconds(wait))) != nil else { throw .request(.cancelled) }
            }
        }
    }

    private func wait(after failure: RangeFailure, _ failures: Int, _ rule: RetryRule) -> Double? {
        guard case .request(let cause) = failure, let failureClass = cause.failureClass else { return nil }
        let wait = rule.delay(after: failureClass, failures: failures, random: .random(in: 0..<1))
        if wait == nil { cache?.count(.failure) }
        return wait
    }

    nonisolated(nonsending) private func request<Item: Sendable>(
        _ range: WebResource, of batch: inout RangeBatch<Item>, _ version: String, _ isStated: Bool,
        _ priority: HTTPPriority, _ take: (Item, LoadedRange) -> Void
    ) async throws(RangeFailure) {
        let request = HTTPRequest(range, priority: priority)
        var isVersioned = false
        // The bytes of two responses are only joined if both state the version.
        defer { if !isVersioned { batch.dropIncomplete() } }
        do {
            for try await response in transport.parts(of: request) {
                isVersioned = try check(response, version, range.address)
                guard isVersioned || !isStated else { throw RangeFailure.unstated(range.address) }
                cache?.count(.bytes, response.wireBytes)
                for (item, bytes) in batch.add(response.body) {
                    take(item, LoadedRange(bytes, response, to: request, version: version))
                }
            }
        } catch let failure as HTTPFailure {
            // A status of 416 means that the file has become shorter.
            throw failure.status == 416 ? .changed : .request(failure)
        } catch {
            throw error as? RangeFailure ?? .changed
        }
        if Task.isCancelled { throw .request(.cancelled) }
        guard batch.isRequestComplete else { throw .truncated(range.address.canonical) }
        cache?.count(.download)
    }

    /// - Returns: True if the response states the version of the file.
    /// - Throws: `RangeFailure` if it is of another version.
    private func check(
        _ response: HTTPResponse, _ version: String, _ address: HTTPAddress
    ) throws(RangeFailure) -> Bool {
        if response.isAbsent {
            throw .failed(
                TileFailure(.sourceFailed, "\(address.canonical): the server no longer has the archive"))
        }
        guard let found = response.headers.fileVersion else { return false }
        guard found == version else { throw .changed }
        return true
    }
}

extension RangeFailure {
    /// The response may be of another version than the directory that located its bytes.
    fileprivate static func unstated(_ address: HTTPAddress) -> RangeFailure {
        .request(
            HTTPFailure(
                .failed(.badContent), status: 206,
                "\(address): the response lacks the archive's ETag or date; try again later"))
    }

    /// The file ends before a section that its directory declares.
    package static func truncated(_ name: String) -> RangeFailure {
        .failed(TileFailure(.badContent, "\(name): the archive is truncated; its owner must replace it"))
    }
}
