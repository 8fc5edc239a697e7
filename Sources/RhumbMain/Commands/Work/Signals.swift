internal import CLinux
internal import Glibc
internal import Rhumb
internal import RhumbCommandLine
internal import RhumbCore
internal import Synchronization

/// A handler of the signals that end the program, so that work can end in an orderly way. The latest handler
/// receives a signal first. A signal that no handler accepts ends the program as usual.
final class Signals: Sendable {
    private static let receiver = SignalReceiver()
    private let state = Mutex<Int32?>(nil)
    private let number: Int

    /// The signal that was received; nil if none was.
    var caught: Int32? { state.withLock { $0 } }

    /// - Parameters:
    ///   - keepsIgnored: True to leave signals that the process ignores.
    ///   - onSignal: Called on another thread with the signal. Returns false to pass the signal on.
    init(keepsIgnored: Bool = false, _ onSignal: @escaping @Sendable (Int32) -> Bool) {
        number = Signals.receiver.nextNumber()
        Signals.receiver.add(number, keepsIgnored) { [weak self] signal in
            self?.state.withLock { $0 = signal }
            return onSignal(signal)
        }
    }

    deinit { Signals.receiver.remove(number) }

    /// Removes the unfinished files of a command that writes files, and ends the program with a message,
    /// unless a later handler accepts the signal. Signals that are ignored, such as by `nohup`, stay ignored.
    /// - Returns: nil for a command that writes no files.
    static func removingFiles(of invocation: Invocation) -> Signals? {
        guard invocation.writesFiles else { return nil }
        let isImport = [.region(.import), .area(.import)].contains(invocation.command)
        return Signals(keepsIgnored: true) { signal in
            UnfinishedFiles.removeAll { hasWritten in
                let state =
                    hasWritten ? "some files were written; run the same command again" : "nothing was written"
                Output.note("rhumb: interrupted; \(isImport ? "resume with the same command" : state)")
                _exit(128 + signal)
            }
        }
    }

    /// Ignores the signals that end the program, which is about to exit.
    static func ignore() { for number in SignalReceiver.signals { signal(number, SIG_IGN) } }

    /// Ends the program with a message between the parts of a command's work.
    /// - Parameter command: The command that resumes the work.
    static func ending(resume command: String) -> Signals {
        Signals { signal in
            Output.say(interrupted(resume: command))
            _exit(128 + signal)
        }
    }

    /// Returns the message after an interruption.
    static func interrupted(resume command: String) -> String {
        "rhumb: interrupted; resume with \(command)"
    }
}

/// The handlers of the process, and the thread that calls them. A signal handler passes the signals to the
/// thread through a pipe. libdispatch's signal sources miss signals once an earlier source has ended.
private final class SignalReceiver: Sendable {
    private struct Handler {
        let number: Int
        let accept: @Sendable (Int32) -> Bool
    }

    /// The signals that end the program.
    static let signals = [SIGINT, SIGTERM, SIGHUP]

    private let handlers = Mutex<[Handler]>([])
    private let last = Atomic(0)
    private let input = Atomic<Int32>(-1)

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return }
        input.store(ends[0], ordering: .relaxed)
        guard SystemThread.detach({ self.listen() }) else { return }
        signalPipe.store(ends[1], ordering: .relaxed)
    }

    private func listen() {
        let input = input.load(ordering: .relaxed)
        var signal: UInt8 = 0
        while true {
            let count = read(input, &signal, 1)
            if count == 1 { receive(Int32(signal)) }
            if count == 0 || count < 0 && errno != EINTR { return }
        }
    }

    func nextNumber() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }

    func add(_ number: Int, _ keepsIgnored: Bool, _ accept: @escaping @Sendable (Int32) -> Bool) {
        handlers.withLock { $0.append(Handler(number: number, accept: accept)) }
        guard signalPipe.load(ordering: .relaxed) >= 0 else { return }
        for number in Self.signals where !keepsIgnored || is_signal_ignored(number) == 0 {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                let cause = errno
                _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
                errno = cause
            }
        }
    }

    func remove(_ number: Int) { handlers.withLock { $0.removeAll { $0.number == number } } }

    private func receive(_ number: Int32) {
        for handler in handlers.withLock({ $0.reversed() }) where handler.accept(number) { return }
        TerminalLine.clear()
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }
}

/// The writing end of the pipe; -1 if there is none.
private let signalPipe = Atomic<Int32>(-1)

extension Invocation {
    /// True if the command writes a file or a region from a file, and opens no map.
    fileprivate var writesFiles: Bool {
        switch command {
        case .open, .streets, .pick: false
        case .contours, .archive(.convert), .region(.import), .area(.import), .package(.publish): true
        default: Output.file(self[.output]) != nil
        }
    }
}
