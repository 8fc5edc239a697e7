internal import Synchronization

/// Coalesces concurrent calls with the same key, so that their work is done once.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight: Sendable {
        let number: Int
        let task: Task<Value, Never>
        var waiters = 1
    }
    private struct State {
        var flights: [Key: Flight] = [:]
        var last = 0
    }
    private let state = Mutex(State())

    /// Creates an object without work in flight.
    public init() {}

    /// Returns the value of work in flight for the key; starts the work if there is none. It is cancelled
    /// when the tasks of all its callers are.
    public func value(for key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value {
        let flight = join(key, work)
        return await withTaskCancellationHandler {
            await flight.task.value
        } onCancel: {
            leave(key, flight.number)
        }
    }

    /// Returns the number of callers that wait for the key.
    package func waiterCount(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiters ?? 0 } }

    private func join(_ key: Key, _ work: @escaping @Sendable () async -> Value) -> Flight {
        state.withLock { state in
            if var flight = state.flights[key] {
                flight.waiters += 1
                state.flights[key] = flight
                return flight
            }
            state.last += 1
            let number = state.last
            let task = Task.detached {
                let value = await work()
                self.end(key, number)
                return value
            }
            let flight = Flight(number: number, task: task)
            state.flights[key] = flight
            return flight
        }
    }

    private func leave(_ key: Key, _ number: Int) {
        let abandoned = state.withLock { state -> Task<Value, Never>? in
            guard var flight = state.flights[key], flight.number == number else { return nil }
            flight.waiters -= 1
            state.flights[key] = flight.waiters > 0 ? flight : nil
            return flight.waiters > 0 ? nil : flight.task
        }
        abandoned?.cancel()
    }

    private func end(_ key: Key, _ number: Int) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
        }
    }
}
