internal import RhumbCore
internal import RhumbEngine

/// What is known of incidents around the point that `i` tells about.
struct IncidentsKnown: Sendable {
    /// The point the last question was about; each question is billed.
    var asked: Coordinate?
    /// The answer to it; nil while it is on its way.
    var answer: Result<[TrafficIncident], Notice.Problem>?
}

extension Browser {
    /// As many incidents are told of.
    private static let mostIncidents = 5
    /// Cells around the point within which an incident is meant.
    private static let incidentReach = 3.0

    /// The place that `i` tells about.
    var pointedPlace: Coordinate { Mercator.coordinate(viewport.world(column: point.column, row: point.row)) }

    /// Shows what is here, or hides it. A view that moves is asked about once it rests.
    mutating func openHere() -> [Effect] {
        let effects = toggle(.here) + askIncidents() + askFeatures()
        return effects + (panel == .here ? [.wake(after: Browser.restOfView)] : [])
    }

    /// Asks what happened around the point, if that is shown and isn't known.
    mutating func askIncidents() -> [Effect] {
        let mayAsk = !isOffline || configuration.passThroughFeatures.contains(.trafficIncidents)
        guard panel == .here, traffic.incidents != nil, mayAsk else {
            incidents = IncidentsKnown()
            return []
        }
        let place = pointedPlace
        let isAtRest = flight == nil && now - whereabouts.moved >= Browser.restOfView
        guard isAtRest, incidents.asked != place else { return [] }
        incidents = IncidentsKnown(asked: place)
        let metres = Mercator.metresPerPixel(latitude: place.latitude, zoom: viewport.camera.zoom)
        return [.askIncidents(place, radius: metres * viewport.pixelsPerRow * Browser.incidentReach)]
    }

    mutating func learn(_ answer: Result<[TrafficIncident], Notice.Problem>, around place: Coordinate) -> [Effect] {
        if incidents.asked == place { incidents.answer = answer }
        return []
    }

    /// The part of the panel that tells of incidents; nothing where none are shown.
    var incidentLines: [PanelText.Line] {
        guard traffic.incidents != nil else { return [] }
        let title = PanelText.Line(text: "Traffic incidents", style: .bold)
        return [.init(text: ""), title] + incidentTexts.flatMap { wrapped($0, width: panelFrame.columns - 4) }
    }

    private var incidentTexts: [String] {
        guard incidents.asked != nil else { return [isOffline ? "offline: not asked for" : "…"] }
        switch incidents.answer {
        case nil: return ["asking …"]
        case .failure(let problem): return [SafeText.sanitised(problem.description, limit: 200)]
        case .success(let found) where found.isEmpty: return ["none near this point"]
        case .success(let found):
            let told = found.prefix(Browser.mostIncidents).map { SafeText.sanitised($0.summary, limit: 300) }
            let left = found.count - told.count
            return told + (left > 0 ? ["and \(left) more"] : [])
        }
    }
}
