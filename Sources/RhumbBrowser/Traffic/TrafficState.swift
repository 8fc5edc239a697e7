package import RhumbCore
internal import RhumbEngine

/// The displayed traffic, and its status.
package struct TrafficState: Sendable {
    package internal(set) var choice = TrafficChoice.off
    /// The last status; nil while no traffic is displayed.
    var status: TrafficStatus?
    /// Returns the variables that may contain the missing key for a choice; nil if no key is missing.
    var missingKey: @Sendable (TrafficChoice) -> String? = { _ in nil }
}
