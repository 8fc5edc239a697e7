internal import Rhumb
internal import RhumbCommandLine

/// Converts the updates of a job to a progress line.
protocol JobMeter: Sendable {
    associatedtype Progress: Sendable
    mutating func note(_ update: JobUpdate<Progress>)
    /// The line; nil while there is no progress.
    var line: ProgressMeter.Line? { get }
}

/// The end of a job that ran in the foreground.
struct JobEnd<Outcome> {
    let outcome: Outcome
    let ending: JobState.Ending
    /// The signal that interrupted the job; nil if there was none.
    let signal: Int32?

    /// The exit status of the command.
    var exitStatus: Int32 { signal.map { 128 + $0 } ?? ending.exitStatus }
}

extension JobState.Ending {
    /// The exit status of a command whose job ended this way.
    var exitStatus: Int32 {
        switch self {
        case .complete: ExitStatus.done
        case .withGaps, .stopped(.interrupted): ExitStatus.gaps
        case .stopped(.cancelled), .stopped(.superseded), .failed: ExitStatus.failed
        }
    }
}

extension Job {
    /// Shows the progress of the job until it ends. A signal interrupts the job so that it can be resumed.
    /// - Parameters:
    ///   - onSignal: Called for each signal.
    ///   - onRefusal: Called for a signal that arrives too late.
    func finish<Meter: JobMeter>(
        in meter: Meter, onSignal: @escaping @Sendable () -> Void = {},
        onRefusal: @escaping @Sendable () -> Void = {}
    ) async -> JobEnd<Outcome> where Meter.Progress == Progress {
        let signals = Signals {
            if !self.cancel(.interrupted), self.state.phase == .committing { onRefusal() }
            onSignal()
        }
        let bar = ProgressMeter()
        var meter = meter
        for await update in updates() {
            meter.note(update)
            bar.show(meter.line)
        }
        let outcome = await finish()
        bar.end()
        guard case .ended(let ending) = state.phase else {
            return JobEnd(outcome: outcome, ending: .failed, signal: nil)
        }
        return JobEnd(
            outcome: outcome, ending: ending, signal: ending == .stopped(.interrupted) ? signals.caught : nil)
    }
}
