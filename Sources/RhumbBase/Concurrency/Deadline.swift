/// What work comes to within a time; nil once the time is over: the work is then cancelled, and not
/// waited for.
/// - Parameter limit: nil: it is waited for however long it takes.
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
    /// What work comes to.
    package init(awaiting work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
