/// Flow: a timer.
struct FlowTrack: Hashable, Sendable {
    var sets = TrafficSetPair()
    /// When the next set is due.
    var next = Duration.zero
}

extension TrafficSchedule {
    /// When flow has something to do; nil while it is not active.
    var flowDue: Duration? {
        active.contains(.flow) ? max(flow.next, pauseEnd(of: .flow)?.until ?? .zero) : nil
    }

    mutating func advanceFlow(at now: Duration) -> [Effect] {
        guard let due = flowDue, due <= now else { return [] }
        flow.next = now + rules.flowInterval
        let set = TrafficSet(kind: .flow, number: nextNumber(), begun: now, moment: now)
        return flow.sets.begin(set)
    }
}
