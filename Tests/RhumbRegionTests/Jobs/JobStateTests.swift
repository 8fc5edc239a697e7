import RhumbOffline
import Testing

/// Tests the transitions of `JobState`: each event in each phase.
struct JobStateTests {
    private typealias Phase = JobState.Phase
    private typealias Event = JobState.Event

    private static let phases: [Phase] = [
        .running, .waiting(reason: "no network"), .committing, .stopping(.cancelled), .stopping(.interrupted),
        .stopping(.superseded), .ended(.complete), .ended(.stopped(.cancelled)),
    ]

    private static let events: [Event] = [
        .begin, .pause, .resume, .disconnect(reason: "refused"), .reconnect, .commit, .stop(.cancelled),
        .stop(.interrupted), .stop(.superseded), .end(.complete), .end(.withGaps), .end(.failed),
    ]

    /// Returns a state in a phase.
    private static func state(_ phase: Phase, isPaused: Bool = false) -> JobState {
        var state = JobState()
        if isPaused { state.apply(.pause) }
        switch phase {
        case .running: break
        case .waiting(let reason): state.apply(.disconnect(reason: reason))
        case .committing: state.apply(.commit)
        case .stopping(let stop): state.apply(.stop(stop))
        case .ended(let ending): state.apply(.end(ending))
        }
        return state
    }

    /// Returns the phase after an event; nil if the event is not possible. Follows the table in the design
    /// document rather than the code.
    private static func expected(_ phase: Phase, _ event: Event) -> Phase? {
        switch event {
        case .end(let ending): if case .ended = phase { nil } else { .ended(ending) }
        case .stop(let stop):
            switch phase {
            case .running, .waiting: .stopping(stop)
            case .committing, .stopping: stop == .superseded ? .stopping(.superseded) : nil
            case .ended: nil
            }
        case .begin, .commit, .pause, .resume, .disconnect, .reconnect:
            switch phase {
            case .stopping, .ended: nil
            case .running:
                switch event {
                case .disconnect(let reason): .waiting(reason: reason)
                case .commit: .committing
                case .reconnect: nil
                default: .running
                }
            case .waiting(let old):
                switch event {
                case .disconnect(let reason): .waiting(reason: reason)
                case .commit: .committing
                case .begin, .reconnect: .running
                default: .waiting(reason: old)
                }
            case .committing:
                switch event {
                case .begin: .running
                case .disconnect, .reconnect: nil
                default: .committing
                }
            }
        }
    }

    @Test(arguments: phases, events)
    func `each event leads to the expected phase, or is rejected and changes nothing`(
        phase: JobState.Phase, event: JobState.Event
    ) {
        for isPaused in [false, true] {
            let before = Self.state(phase, isPaused: isPaused)
            #expect(before.phase == phase)
            var after = before
            let isApplied = after.apply(event), expected = Self.expected(phase, event)
            #expect(isApplied == (expected != nil))
            #expect(after.phase == expected ?? phase)
            if !isApplied { #expect(after == before) }
        }
    }

    @Test func `a pause outlasts a lost connection, a commit and the next part of the work`() {
        var state = JobState()
        for event in [.pause, .disconnect(reason: "refused"), .reconnect, .commit, .begin] as [Event] {
            state.apply(event)
            #expect(state.isPaused)
        }
        state.apply(.resume)
        #expect(!state.isPaused && state.phase == .running)
    }

    @Test(arguments: JobState.Stop.allCases)
    func `a stopped job is no longer paused, and keeps the reason for its stop`(stop: JobState.Stop) {
        var state = JobState()
        state.apply(.pause)
        state.apply(.stop(stop))
        #expect(!state.isPaused && state.stop == stop)
        state.apply(.end(.stopped(stop)))
        #expect(state.stop == stop)
    }
}
