package import RhumbCore
internal import RhumbEngine
package import RhumbHTTP
package import RhumbStore

/// Reads parts of the file from the server.
extension RemoteFile {
    /// Bytes of the file, with the response they arrived in.
    package struct Part {
        package let request: HTTPRequest
        /// Only its headers count.
        package let response: HTTPResponse
        let version: String
        package let bytes: [UInt8]
    }

    /// After this many bytes a broken response is resumed without a wait.
    private static let progress: UInt64 = 16 << 10

    /// Reads one section.
    /// - Parameter version: The version that the file must still have.
    package nonisolated(nonsending) func read(
        _ section: FileSection, version: String, priority: HTTPPriority
    ) async throws(Failure) -> Part {
        var sections = ArrivingSections([(item: (), section: section)]), found: Part?
        try await read(&sections, version: version, priority: priority) { found = $1 }
        guard let found else { throw cutShort }
        return found
    }

    /// Reads sections that are close together, and passes on each as soon as its bytes have arrived. A broken
    /// response is resumed at the first missing byte, with shorter ranges.
    /// - Parameters:
    ///   - sections: After a failure, those still missing.
    ///   - version: The version that the file must still have.
    ///   - rule: How often to try without progress; nil for the rule of the priority.
    ///   - asked: Called for each request.
    package nonisolated(nonsending) func read<Item: Sendable>(
        _ sections: inout ArrivingSections<Item>, version: String, priority: HTTPPriority,
        retrying rule: RetryRule? = nil,
        asked: () -> Void = {}, take: (Item, Part) -> Void
    ) async throws(Failure) {
        let rule = rule ?? RetryRule(for: priority)
        var failures = 0
        while let section = sections.request(limit: limit.bytes) {
            asked()
            let start = sections.position
            do throws(Failure) {
                try await request(section, of: &sections, version, priority, take)
                failures = 0
                limit.grow()
            } catch {
                let received = max(sections.position, start) - start
                failures = received > 0 ? 1 : failures + 1
                guard let wait = wait(after: error, failures, rule) else { throw error }
                limit.shrink()
                if received >= RemoteFile.progress { continue }
                guard (try? await Task.sleep(for: .seconds(wait))) != nil else { throw .request(.cancelled) }
            }
        }
    }

    private func wait(after failure: Failure, _ failures: Int, _ rule: RetryRule) -> Double? {
        guard case .request(let cause) = failure, let failureClass = cause.failureClass else { return nil }
        let wait = rule.delay(after: failureClass, failures: failures, random: .random(in: 0..<1))
        if wait == nil { loader.store?.count(.failure) }
        return wait
    }

    nonisolated(nonsending) private func request<Item: Sendable>(
        _ section: FileSection, of sections: inout ArrivingSections<Item>, _ version: String,
        _ priority: HTTPPriority,
        _ take: (Item, Part) -> Void
    ) async throws(Failure) {
        let request = HTTPRequest(range(section), priority: priority)
        if let copy {
            for (item, bytes) in sections.add(copy.bytes(section)) {
                take(
                    item,
                    Part(request: request, response: copy.response.part([]), version: version, bytes: bytes))
            }
            guard sections.isRequestComplete else { throw cutShort }
            return
        }
        var isVersioned = false
        // The bytes of two responses are only joined if both state the version.
        defer { if !isVersioned { sections.dropIncomplete() } }
        do {
            for try await response in loader.client.parts(of: request) {
                isVersioned = try check(response, version)
                loader.store?.count(.bytes, response.wireBytes)
                for (item, bytes) in sections.add(response.body) {
                    take(item, Part(request: request, response: response, version: version, bytes: bytes))
                }
            }
        } catch let failure as HTTPFailure {
            // A status of 416 means that the file has become shorter.
            throw failure.status == 416 ? .changed : .request(failure)
        } catch {
            throw error as? Failure ?? .changed
        }
        if Task.isCancelled { throw .request(.cancelled) }
        guard sections.isRequestComplete else { throw cutShort }
        loader.store?.count(.download)
    }

    /// - Returns: True if the response states the version of the file.
    /// - Throws: `Failure` if it is of another version.
    private func check(_ response: HTTPResponse, _ version: String) throws(Failure) -> Bool {
        if response.isAbsent {
            throw .failed(
                TileFailure(
                    .sourceFailed,
                    "\(name): the server no longer has the "
                        + "archive"))
        }
        guard let found = RemoteFile.version(response.headers) else { return false }
        guard found == version else { throw .changed }
        return true
    }

    private var cutShort: Failure {
        .failed(TileFailure(.badContent, "\(name): the archive is truncated; its owner must replace it"))
    }
}
