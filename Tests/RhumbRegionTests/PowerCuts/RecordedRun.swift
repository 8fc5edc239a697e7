import Glibc
import RhumbTestSupport

/// A command that ran while the changes of its files were recorded.
struct RecordedRun {
    /// The files before the command.
    let before: CrashDisk
    let trace: FileTrace
    let run: ProgramRun

    /// Runs a command.
    /// - Parameters:
    ///   - words: The command and its options.
    ///   - folder: The folder with all files that count.
    ///   - failure: The number of the call that fails, from 1, and the error; nil for none.
    ///   - lasts: True if all later calls fail, too.
    static func of(
        _ words: [String], in folder: String, environment: [String: String],
        failing failure: (call: Int, error: Int32)? = nil, lasts: Bool = false
    ) async -> RecordedRun {
        let before = CrashDisk(folder), side = TemporaryFolder(), trace = side.path + "/trace"
        var variables = environment
        variables["LD_PRELOAD"] = TestProducts.path("libCrashRecorder.so")
        variables["CRASH_ROOT"] = folder
        variables["CRASH_TRACE"] = trace
        if let failure {
            variables["CRASH_FAIL"] = "\(failure.call)"
            variables["CRASH_ERROR"] = "\(failure.error)"
            variables["CRASH_READS"] = failure.error == EIO ? "1" : nil
            variables["CRASH_LASTS"] = lasts ? "1" : nil
        }
        let run = await ProgramRun.of(TestProducts.path("rhumb"), words, environment: variables)
        return RecordedRun(before: before, trace: FileTrace(CrashDisk.read(trace)), run: run)
    }

    /// Cuts the power at some moments of the run, and passes what remains of the files to a closure.
    /// - Parameters:
    ///   - limit: The number of states to try.
    ///   - body: Receives a folder with the files, and the text that was printed before.
    /// - Returns: The number of states.
    @discardableResult
    func cutPower(
        seed: UInt64, limit: Int, _ body: (_ folder: TemporaryFolder, _ printed: String) async throws -> Void
    ) async rethrows -> Int {
        var generator = SplitMix(seed: seed), disk = before, states = 0
        let moments = trace.changes.count + 1
        // Both extremes and two random states at each moment, or less often.
        let share = min(Double(limit) / Double(moments * 4), 1), rounds = max(limit / (moments * 4), 1)
        for moment in 0..<moments {
            if moment > 0 { disk.apply(trace.changes[moment - 1]) }
            let isLast = moment == moments - 1
            guard isLast || Double(generator.next() % 1_000_000) < share * 1_000_000 else { continue }
            let printed = trace.output(upTo: moment)
            var losses: [CrashDisk.Loss] = [.everything, .nothing]
            for _ in 0..<(rounds * 4 - 2) { losses.append(.some(SplitMix(seed: generator.next()))) }
            for loss in losses {
                let folder = TemporaryFolder()
                disk.write(to: folder.path, loss)
                try await body(folder, printed)
                states += 1
            }
        }
        return states
    }
}
