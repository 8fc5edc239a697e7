internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

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

extension Job where Progress: MeteredProgress {
    /// Shows the progress of the job until it ends, and reports its failure. A signal interrupts the job so
    /// that it can be resumed.
    /// - Parameters:
    ///   - resume: The command that resumes the job after a signal; nil if there is none.
    ///   - onSignal: Called for each signal.
    ///   - onRefusal: Called for a signal that arrives too late.
    func run(
        resume: String? = nil, onSignal: @escaping @Sendable () -> Void = {},
        onRefusal: @escaping @Sendable () -> Void = {}
    ) async -> JobEnd<Outcome> {
        let signals = Signals { _ in
            // The signal ends the command between its jobs.
            if self.state.isOver { return false }
            if !self.cancel(.interrupted), self.state.phase == .committing { onRefusal() }
            onSignal()
            return true
        }
        let bar = ProgressMeter()
        var meter = JobMeter<Progress>(), hasWaited = false
        for await update in updates() {
            meter.note(update.progress, update.state)
            bar.show(meter.line)
            // A command that seems to do nothing says why, even if it is to be quiet.
            if Output.isQuiet, !hasWaited, let reason = update.state.waitingReason {
                hasWaited = true
                Output.say("rhumb: waiting for the network: \(reason)")
            }
        }
        let outcome = await finish()
        bar.end()
        guard case .ended(let ending) = state.phase else {
            return JobEnd(outcome: outcome, ending: .failed, signal: nil)
        }
        let signal = ending == .stopped(.interrupted) ? signals.caught : nil
        if signal != nil, let resume {
            Output.say(Signals.interrupted(resume: resume))
        } else if case .failure(let failure) = outcome, ending != .stopped(.superseded) {
            Output.say("rhumb: \(FailureText.sentence(failure))")
        }
        return JobEnd(outcome: outcome, ending: ending, signal: signal)
    }
}
