/// Returns the result of work within a time limit. Returns nil after the limit; the work is then cancelled,
/// but not awaited.
/// - Parameter limit: The limit; nil for no limit.
package func outcome<Value: Sendable>(
    within limit: Duration?, of work: @escaping @Sendable () async -> Value
) async -> Value? {
    let (outcomes, arrivals) = AsyncStream.makeStream(of: Value?.self)
    let task = Task { arrivals.yield(await work()) }
    let timer = limit.map { limit in
        Task {
            try? await Task.sleep(for: limit)
            arrivals.yield(nil)
        }
    }
    defer {
        task.cancel()
        timer?.cancel()
    }
    return await outcomes.first { _ in true } ?? nil
}

extension Result {
    /// Stores the result of work.
    package init(awaiting work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
