package import RhumbCore
internal import RhumbEngine

/// The displayed traffic, and its status.
package struct TrafficState: Sendable {
    package internal(set) var choice = TrafficChoice.off
    /// The last status; nil while no traffic is displayed.
    var status: TrafficStatus?
}
