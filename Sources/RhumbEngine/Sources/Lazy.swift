internal import Dispatch
internal import Synchronization

/// A value that is created when it is first needed, from any thread. Other threads wait without holding a
/// lock.
package final class Lazy<Value: Sendable>: Sendable {
    private enum State {
        case unmade, making
        case made(Value)
    }

    private let make: @Sendable () -> Value
    private let state = Mutex(State.unmade)
    private let making = DispatchGroup()

    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value; the caller waits while it is created.
    package var value: Value {
        let found = state.withLock { state in
            let found = state
            if case .unmade = state {
                making.enter()
                state = .making
            }
            return found
        }
        if case .made(let value) = found { return value }
        if case .making = found {
            making.wait()
            return self.value
        }
        let value = make()
        state.withLock { $0 = .made(value) }
        making.leave()
        return value
    }

    /// The value if it has been created; nil otherwise.
    package var valueIfMade: Value? {
        state.withLock { state in if case .made(let value) = state { value } else { nil } }
    }
}
