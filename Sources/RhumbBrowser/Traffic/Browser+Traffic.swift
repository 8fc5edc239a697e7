public import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Shows other traffic, or none.
    mutating func show(_ choice: TrafficChoice) -> [Effect] {
        traffic.choice = choice
        if choice.isOff { traffic.status = nil }
        return [.showTraffic(choice), .updateView] + say(choice.description)
    }

    /// Sets the traffic shown at the start of the program.
    public mutating func begin(with choice: TrafficChoice) { traffic.choice = choice }

    /// Sets the function that returns the variables of the missing key for a choice of traffic, before
    /// `begin()`.
    public mutating func begin(missingTrafficKey: @escaping @Sendable (TrafficChoice) -> String?) {
        traffic.missingKey = missingTrafficKey
    }

    mutating func receive(_ status: TrafficStatus?) -> [Effect] {
        let before = traffic.status
        traffic.status = traffic.choice.isOff ? nil : status
        guard let status = traffic.status else { return [] }
        let wake = status.nextChange.map { [Effect.wake(after: $0)] } ?? []
        if let problem = status.problem, problem != before?.problem {
            return report(Notice(problem.description, isProblem: true, time: map.now)) + wake
        }
        if let leftOut = status.leftOut, before?.leftOut == nil { return complain(leftOut) + wake }
        return wake
    }
}
