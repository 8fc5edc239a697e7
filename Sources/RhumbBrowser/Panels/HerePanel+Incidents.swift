public import RhumbCore
internal import RhumbEngine

/// A query for the traffic incidents around a place.
public struct IncidentQuery: Query {
    /// The place.
    public let place: Coordinate
    /// The radius in metres.
    public let radius: Double

    public typealias Response = Result<[TrafficIncident], Notice.Problem>
}

/// The traffic incidents around the point.
extension HerePanel {
    /// The maximum number of incidents listed.
    private static let mostIncidents = 5
    /// The maximum distance of incidents from the point, in rows of cells.
    private static let incidentReach = 3.0

    /// Queries the incidents around the point while incidents are shown. Each query is billed.
    mutating func askIncidents(_ browser: Browser) -> [Action] {
        let mayAsk =
            !browser.map.isOffline
            || browser.stored.configuration.passThroughFeatures.contains(.trafficIncidents)
        guard browser.traffic.choice.incidents != nil, mayAsk else {
            incidents = Loadable()
            return []
        }
        let place = browser.pointedPlace
        guard browser.isAtRest, incidents.ask(place, at: browser.map.now) else { return [] }
        let metres = Mercator.metresPerPixel(latitude: place.latitude, zoom: browser.map.viewport.camera.zoom)
        return [
            .ask(
                IncidentQuery(
                    place: place, radius: metres * browser.map.viewport.pixelsPerRow * HerePanel.incidentReach
                ))
        ]
    }

    /// Returns the lines about incidents; empty if none are shown and no traffic is omitted.
    func incidentLines(_ browser: Browser) -> [PanelText.Line] {
        let leftOut = browser.traffic.status?.leftOut.map { [.init(text: "")] + browser.wrapped($0) } ?? []
        guard browser.traffic.choice.incidents != nil else { return leftOut }
        let title = PanelText.Line(text: HereText.incidents, style: .bold)
        return [.init(text: ""), title] + incidentTexts(browser).flatMap { browser.wrapped($0) } + leftOut
    }

    private func incidentTexts(_ browser: Browser) -> [String] {
        guard incidents.asked != nil else { return [browser.map.isOffline ? HereText.notOffline : "…"] }
        switch incidents.current {
        case nil: return [HereText.loading]
        case .failure(let problem): return [SafeText.sanitised(problem.description, limit: 200)]
        case .success(let found) where found.isEmpty: return [HereText.noIncidents]
        case .success(let found):
            let lines = found.prefix(HerePanel.mostIncidents).map {
                SafeText.sanitised($0.summary, limit: 300)
            }
            let left = found.count - lines.count
            return lines + (left > 0 ? ["and \(left) more"] : [])
        }
    }
}
