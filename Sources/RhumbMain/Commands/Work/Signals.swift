internal import Dispatch
internal import Glibc
internal import Synchronization

/// Catches the signals that end the program, so that work can end in an orderly way.
final class Signals {
    private let sources: [any DispatchSourceSignal]
    private let state = SignalState()

    /// The signal that was received; nil if none was.
    var caught: Int32? { state.caught }

    /// - Parameter onSignal: Called on another thread.
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

/// The signal that was received.
private final class SignalState: Sendable {
    private let number = Mutex<Int32?>(nil)
    var caught: Int32? { number.withLock { $0 } }
    func note(_ signal: Int32) { number.withLock { $0 = signal } }
}
