public import RhumbCore
internal import RhumbEngine

extension Browser {
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

/// The displayed traffic, and its status.
package struct TrafficState: Sendable {
    package internal(set) var choice = TrafficChoice.off
    /// The last status; nil while no traffic is displayed.
    var status: TrafficStatus?
    /// Returns the variables that may contain the missing key for a choice; nil if no key is missing.
    var missingKey: @Sendable (TrafficChoice) -> String? = { _ in nil }
}

/// The flow tiles in the user's colours. Tiles arrive in the default colours. Recoloured tiles are cached,
/// because recolouring takes longer than a frame.
struct TrafficPaint: Sendable {
    private static let limit = 64
    private var colours = TrafficColours.standard
    private var drawn: [TileKey: Raster] = [:]

    /// Returns the raster to draw for a picture of a layer.
    mutating func raster(
        of picture: LayerScene.Picture, in layer: TileLayer, _ colours: TrafficColours
    ) -> Raster {
        guard layer.feature == .trafficFlow, colours != .standard else { return picture.raster }
        if self.colours != colours || drawn.count >= TrafficPaint.limit { drawn = [:] }
        self.colours = colours
        let key = TileKey(layer: layer.id, tile: picture.tile.tile)
        if let cached = drawn[key] { return cached }
        let made = FlowColours(TrafficRamp.standard).recoloured(picture.raster, with: colours.ramp)
        drawn[key] = made
        return made
    }
}
