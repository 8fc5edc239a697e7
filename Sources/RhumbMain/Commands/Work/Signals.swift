internal import Dispatch
internal import Glibc
internal import Synchronization

/// Signals that end work in good order.
final class Signals {
    private let sources: [any DispatchSourceSignal]
    private let state = SignalState()

    /// Which one came; nil: none.
    var caught: Int32? { state.caught }

    /// - Parameter onSignal: called on another thread.
    init(_ onSignal: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { [state] number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                state.note(number)
                onSignal()
            }
            source.resume()
            return source
        }
    }
}

/// Which signal came.
private final class SignalState: Sendable {
    private let number = Mutex<Int32?>(nil)
    var caught: Int32? { number.withLock { $0 } }
    func note(_ signal: Int32) { number.withLock { $0 = signal } }
}
