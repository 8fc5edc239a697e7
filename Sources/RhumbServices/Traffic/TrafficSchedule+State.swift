extension TrafficSchedule {
    /// Returns the age of the shown traffic of a kind; nil until its first set is complete.
    public func age(_ kind: TrafficKind, at now: Duration) -> TrafficAge? {
        let sets = sets(kind)
        guard let shown = sets.shown, sets.isShownWhole else { return nil }
        let staleAfter = kind == .flow ? rules.flowInterval + TrafficRules.flowFloor : rules.modelLife
        return TrafficAge(now - shown.moment, isStale: now - sets.confirmed > staleAfter)
    }

    /// Returns true if tiles of a kind are still loading.
    public func isLoading(_ kind: TrafficKind) -> Bool {
        let sets = sets(kind)
        guard active.contains(kind) else { return false }
        return sets.pending != nil || !sets.isShownWhole
    }

    /// Returns the current problem of a kind; nil if there is none.
    public func problem(_ kind: TrafficKind, at now: Duration) -> TrafficFailure? {
        if let pause = pause(of: kind, at: now) { return pause }
        return kind == .incidents && active.contains(kind) ? incidents.pollFailure : nil
    }

    /// Returns the time until requests for a kind may be sent; zero if they may be sent now.
    public func pauseLeft(_ kind: TrafficKind, at now: Duration) -> Duration {
        max((pauseEnd(of: kind)?.until ?? now) - now, .zero)
    }
}
