internal import CLinux
internal import Dispatch
internal import Glibc
internal import RhumbCore
internal import Synchronization

/// A program whose output is read. It and its children end together with their reader, and with this process.
final class ChildProcess {
    /// The descriptor of the program's output.
    let output: Int32
    private let complaint: ErrorOutput
    private let process: pid_t

    /// - Parameters:
    ///   - arguments: The program, looked up in `PATH`, and its arguments.
    ///   - environment: The environment; nil for that of this process.
    /// - Throws: `OverlayProblem` if the program can't be started.
    init(_ arguments: [String], environment: [String: String]? = nil) throws(OverlayProblem) {
        var out: [Int32] = [-1, -1], err: [Int32] = [-1, -1]
        guard pipe2(&out, O_CLOEXEC) == 0, pipe2(&err, O_CLOEXEC) == 0 else {
            throw OverlayProblem(String(cString: strerror(errno)))
        }
        var start = ProgramStart(arguments, .ownGroup)
        start.output = out[1]
        start.complaints = err[1]
        start.environment = environment
        let (process, code) = start.begin()
        close(out[1])
        close(err[1])
        guard code == 0 else {
            close(out[0])
            close(err[0])
            throw OverlayProblem("can't start \(arguments[0]): \(String(cString: strerror(code)))")
        }
        output = out[0]
        complaint = ErrorOutput(err[0])
        self.process = process
    }

    /// Starts a command of the shell.
    convenience init(shell command: String) throws(OverlayProblem) {
        try self.init(["/bin/sh", "-c", ChildProcess.supervision, "sh", command])
    }

    /// Runs a command in the shell, and ends it with its children on SIGHUP, which arrives when this process
    /// ends. On SIGTERM, which the whole group receives, it waits for the command, and then ends the children
    /// that ignore the signal.
    private static let supervision = """
        trap 'trap "" HUP TERM; kill -TERM 0; sleep 1; kill -KILL 0' HUP
        ended=
        trap 'ended=1' TERM
        /bin/sh -c "$1" & command=$!
        wait $command; status=$?
        while kill -0 $command 2>/dev/null; do wait $command; status=$?; done
        if [ -n "$ended" ]; then sleep 0.1 || sleep 1; kill -KILL 0; fi
        exit $status
        """

    /// Reads all output, up to 1 MB, and ends the program.
    func text() -> String {
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < 1 << 20 {
            let count = read(output, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        _ = end()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Ends the program if it is still running, and children that it has left.
    /// - Returns: The error output if the program failed on its own; nil otherwise.
    func end() -> String? {
        close(output)
        var status: Int32 = 0, wasKilled = false
        for attempt in 0..<20 where waitpid(process, &status, WNOHANG) == 0 {
            if attempt == 4 { kill(-process, SIGTERM) }
            if attempt == 19 {
                kill(-process, SIGKILL)
                waitpid(process, &status, 0)
            }
            wasKilled = attempt >= 4
            usleep(20_000)
        }
        kill(-process, SIGKILL)
        guard !wasKilled, status != 0 else { return nil }
        let text = SafeText.sanitised(String(decoding: complaint.bytes, as: UTF8.self), limit: 160)
        return text.isEmpty ? "ended with status \(status >> 8 & 0xFF)" : text
    }
}

/// The error output of a program. It is read completely, so that the program never blocks, but only the
/// beginning is stored.
private final class ErrorOutput: Sendable {
    private let beginning = Mutex<[UInt8]>([])
    private let isWhole = DispatchSemaphore(value: 0)
    /// The maximum number of stored bytes.
    private static let limit = 2000

    /// - Parameter pipe: The error output, which is closed at its end.
    init(_ pipe: Int32) {
        DispatchQueue(label: "rhumb.complaint").async { [self] in
            var part = [UInt8](repeating: 0, count: 4096), count = read(pipe, &part, part.count)
            while count > 0 || count < 0 && errno == EINTR {
                let new = part[..<max(count, 0)]
                beginning.withLock { $0 += new.prefix(ErrorOutput.limit - $0.count) }
                count = read(pipe, &part, part.count)
            }
            close(pipe)
            isWhole.signal()
        }
    }

    /// The beginning of the output. It is complete once the program and its children have ended.
    var bytes: [UInt8] {
        _ = isWhole.wait(timeout: .now() + .milliseconds(200))
        return beginning.withLock { $0 }
    }
}

/// A TCP connection.
final class TCPSocket {
    let descriptor: Int32
    private static let timeLimit = 10.0

    /// Connects to a server.
    /// - Parameter isOver: Polled while connecting; returns true to stop.
    /// - Throws: A sentence with the host.
    init(_ host: String, _ port: Int, isOver: () -> Bool) throws(OverlayProblem) {
        var hints = addrinfo(), found: UnsafeMutablePointer<addrinfo>?
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0 else {
            let text = RecoverySuggestion.connect(host: host).unreachableHost
            throw OverlayProblem(text ?? String(cString: gai_strerror(code)))
        }
        defer { freeaddrinfo(found) }
        var next = found, reason = "no response"
        while let address = next {
            let socket = Glibc.socket(
                address.pointee.ai_family, address.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
                address.pointee.ai_protocol)
            if socket >= 0 {
                if let problem = Self.connect(socket, address.pointee, isOver) {
                    reason = problem
                    close(socket)
                } else {
                    descriptor = socket
                    return
                }
            }
            next = address.pointee.ai_next
        }
        throw OverlayProblem("\(host):\(port): \(reason)")
    }

    deinit { close(descriptor) }

    /// - Returns: The reason why the connection failed; nil if it succeeded.
    private static func connect(_ socket: Int32, _ address: addrinfo, _ isOver: () -> Bool) -> String? {
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        if Glibc.connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return String(cString: strerror(errno)) }
        let end = OverlayReading.now + timeLimit
        while OverlayReading.now < end, !isOver() {
            var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, 200) > 0 else { continue }
            var code: Int32 = 0, length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length)
            return code == 0 ? nil : String(cString: strerror(code))
        }
        return "no response"
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}

/// A value that one thread provides and another waits for.
final class OutcomeBox<Outcome: Sendable>: Sendable {
    private let outcome = Mutex<Outcome?>(nil)
    private let arrival = DispatchSemaphore(value: 0)

    func put(_ value: Outcome) {
        outcome.withLock { $0 = value }
        arrival.signal()
    }

    func wait() -> Outcome {
        while true {
            arrival.wait()
            if let value = outcome.withLock({ $0 }) { return value }
        }
    }
}
