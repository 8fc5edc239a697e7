import Glibc

/// Measures how long an input takes, and the process's peak memory use.
struct Watch {
    /// The maximum time in seconds and memory in bytes for an input.
    static let secondsLimit = 5
    static let memoryLimit = 300 << 20

    private let clock = ContinuousClock()
    private let seconds: Int
    private var start = ContinuousClock.now

    init(seconds: Int = Watch.secondsLimit) {
        self.seconds = seconds
        // Far beyond the limit: the process then ends.
        var limit = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }

    mutating func begin() {
        alarm(UInt32(seconds * 6))
        start = clock.now
    }

    /// Returns the problem with the input that was just read.
    func trouble() -> String? {
        let taken = clock.now - start
        if taken > .seconds(seconds) { return "took \(taken)" }
        let memory = Watch.peakMemory
        guard memory > Watch.memoryLimit else { return nil }
        Watch.forgetPeak()
        return "took \(memory >> 20) MiB"
    }

    private static var peakMemory: Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        guard usage.ru_maxrss > memoryLimit >> 10 else { return 0 }
        return field("VmHWM:") << 10
    }

    private static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Returns a field of this process's status, in KiB.
    private static func field(_ name: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix(name) {
                return Int(text.split(whereSeparator: { !$0.isNumber }).first ?? "0") ?? 0
            }
        }
        return 0
    }
}
