import CSimulation
import Glibc
import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbOffline
import RhumbStore
import RhumbTestSupport

/// A sentence of `rhumb help promises`, or of the caching rules, that does not hold.
struct Violation: Error {
    let promise: String
    let text: String
}

/// A user, who uses a map for some days in a simulated world.
final class Simulation: @unchecked Sendable {
    let seed: UInt64
    let world: World
    var generator: SplitMix
    var program: Program?
    var second: Program?
    /// The regions that were reported as complete since they were last changed.
    var complete: Set<String> = []
    /// The work in progress and the time at which it began, by number.
    var pending: [Int: (name: String, since: Int64)] = [:]
    private var lastNumber = 0
    /// The largest error of an age because of a clock that was set, in seconds.
    var slack: Int64 = 0
    /// The seconds by which the clock was set, in all.
    var offset: Int64 = 0
    /// The latest date of the clock before it was set, in seconds.
    var lastDate: Int64 = 0
    let renewsRegions: Bool
    /// The times at which processes began and ended.
    private var lives: [(start: Int64, end: Int64)] = []
    private(set) var restarts = 0
    private(set) var lines: [String] = []
    private let sum = SHA256Sum()
    private(set) var violation: Violation?
    private(set) var day = 0, event = 0
    /// True while writes fail.
    var hasDiskFault = false
    /// True if writes have failed since the program began.
    var hadDiskFault = false
    /// The tile that was replaced last.
    var lastPublished: (source: String, tile: TileID) = ("tiles", .world)
    /// The version of the archive that the map showed last.
    var shownArchive: Int?

    static let start: Int64 = 1_800_000_000
    static let second: Int64 = 1_000_000_000

    init(seed: UInt64) {
        self.seed = seed
        generator = SplitMix(seed: seed)
        sim_begin(seed, Simulation.start)
        world = World(seed: seed, start: Simulation.start)
        renewsRegions = Bool.random(using: &generator)
        world.log = { [unowned self] in log($0) }
        world.violated = { [unowned self] in violate($0, $1) }
        world.isOffline = { [unowned self] in program?.client.isOffline ?? true && second == nil }
        current = world
        sim_serve(
            { url, headers, number, reply in
                guard let url, let headers, let reply else { return }
                current?.reply(String(cString: url), String(cString: headers), number, &reply.pointee)
            }, { number, isDone in current?.end(number, isDone: isDone) })
    }

    // MARK: The log

    func log(_ text: String) {
        let line = "\(day).\(event) \(Double(sim_now() / 1_000_000) / 1000) \(text)"
        lines.append(line)
        if lines.count > 400 { lines.removeFirst(200) }
        sum?.add(Array((line + "\n").utf8))
        if isVerbose { print(line) }
    }
    let isVerbose = getenv("SIM_VERBOSE") != nil

    /// The SHA-256 of all lines. Call it once, at the end.
    var digest: String { sum?.finish() ?? "" }

    func violate(_ promise: String, _ text: String) {
        log("VIOLATED: \(promise) \(text)")
        if violation == nil { violation = Violation(promise: promise, text: text) }
    }

    func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    // MARK: Time

    /// Runs everything that happens within some seconds.
    func pass(_ seconds: Int) throws {
        let limit = sim_now() + Int64(seconds) * Simulation.second
        repeat {
            world.processes = max(1, lives.count { $0.end > sim_now() - 61 * Simulation.second })
            if !sim_settle() { violate("No job is stuck.", "the program does not come to rest") }
            if let violation { throw violation }
        } while sim_advance(limit)
        if !sim_settle() { violate("No job is stuck.", "the program does not come to rest") }
        checkPending()
        if let violation { throw violation }
    }

    /// Runs until a piece of work is done.
    func wait(for number: Int, seconds: Int, _ promise: String) throws {
        for _ in 0..<seconds where pending[number] != nil { try pass(1) }
        if let work = pending[number] {
            violate(promise, "\(work.name) has not ended within \(seconds) s")
            throw violation ?? Violation(promise: promise, text: "")
        }
    }

    /// Starts work of a program. Its result, in a few words, is logged.
    @discardableResult
    func start(
        _ name: String, in program: Program, _ work: @escaping @Sendable () async throws -> String
    ) -> Int {
        lastNumber += 1
        let number = lastNumber
        pending[number] = (name, sim_now())
        Task {
            var result = ""
            do { result = try await work() } catch { result = "\(error)" }
            pending[number] = nil
            // The name of the folder is another in each run.
            result = result.replacing(program.folder.path, with: "")
            if program.isAlive { log("\(name): \(result.prefix(160))") }
        }
        return number
    }

    /// A view must not wait longer than its retries take.
    private func checkPending() {
        for work in pending.values where work.name.hasPrefix("view") {
            if sim_now() - work.since > 400 * Simulation.second {
                violate("No job is stuck.", "\(work.name) takes more than 400 s")
            }
        }
    }

    // MARK: Processes

    func open() throws -> Program {
        if let program { return program }
        let folder = TemporaryFolder(inMemory: true)
        sim_disk(folder.path)
        return try open(folder)
    }

    private func open(_ folder: TemporaryFolder) throws -> Program {
        restarts += 1
        sim_process(Int32(restarts))
        do {
            let opened = try Program(folder, renewsRegions: renewsRegions)
            lives.append((sim_now(), .max))
            program = opened
            return opened
        } catch {
            violate("An unreadable region store is not changed.", "the stores can't be opened: \(error)")
            throw violation ?? Violation(promise: "", text: "")
        }
    }

    /// A second process uses the same files.
    func openSecond() throws {
        guard second == nil, let program else { return }
        second = try? Program(program.folder, isSecond: true, renewsRegions: renewsRegions)
        if second != nil { lives.append((sim_now(), .max)) }
    }

    func closeSecond() {
        second?.die()
        second = nil
        end()
        lives.append((sim_now(), program == nil ? sim_now() : .max))
    }

    private func end() {
        for at in lives.indices where lives[at].end == .max { lives[at].end = sim_now() }
    }

    /// Ends all processes, and makes the files of the next ones.
    /// - Parameter lost: The share of unsynchronised writes that are lost; nil for an orderly end.
    func restart(losing lost: Int?) throws {
        guard let old = program else { return }
        sim_disk_room(-1)
        sim_disk_faults(0)
        hasDiskFault = false
        hadDiskFault = false
        var folder = old.folder
        if let lost {
            folder = TemporaryFolder(inMemory: true)
            sim_restart(folder.path, Int32(lost))
        }
        second?.die()
        second = nil
        let jobs = old.jobs
        old.die()
        program = nil
        end()
        if lost == nil {
            for (id, job) in jobs {
                let number = start("close \(id)", in: old) {
                    await job.finish()
                    return ""
                }
                try wait(for: number, seconds: 60, "No job is stuck.")
            }
            old.cache.finish()
        }
        try pass(1)
        let opened = try open(folder)
        log("restart \(lost ?? -1)")
        try check(all: true, opened)
    }

    // MARK: A run

    /// Uses the map for some days.
    func run(days: Int) throws {
        log(world.description)
        _ = try open()
        for day in 0..<days {
            self.day = day
            event = 0
            for _ in 0..<draw(1..<3) {
                for _ in 0..<draw(10..<25) {
                    event += 1
                    try act()
                    try pass(draw(0..<40))
                    if let program { try check(all: false, program) }
                }
                try closeForHours()
            }
            if draw(0..<3) == 0 { try calm() }
        }
        event = -1
        try calm()
    }

    private func closeForHours() throws {
        event += 1
        // Nobody looks, but the program is still there.
        if draw(0..<3) == 0 { try pass(1000) }
        try restart(losing: [nil, 0, 0, 30, 100, 101].randomElement(using: &generator) ?? nil)
        try checkFiles()
        let now = sim_now() + Int64(draw(4..<14) * 3600) * Simulation.second
        // Only the remaining jobs of the program run in the meantime.
        try pass(Int((now - sim_now()) / Simulation.second))
    }
}

/// The world of this run, for the functions that C calls.
nonisolated(unsafe) private var current: World?
