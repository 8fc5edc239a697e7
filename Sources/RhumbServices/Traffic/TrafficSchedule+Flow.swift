/// The state of flow, whose sets are renewed at regular intervals.
struct FlowTrack: Hashable, Sendable {
    var sets = TrafficSetPair()
    /// The time at which the next set is due.
    var next = Duration.zero
}

extension TrafficSchedule {
    /// The time of the next action for flow; nil while flow is inactive.
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
