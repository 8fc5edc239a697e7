internal import RhumbCore
internal import RhumbEngine

/// What is known of the things at the point that `i` tells about.
struct FeaturesKnown: Sendable {
    /// The point and the map the last question was about.
    var asked: (place: Coordinate, layer: TileLayer.ID, zoom: Int)?
    /// The answer to it; nil while it is on its way.
    var answer: Result<[MapFeature], Notice.Problem>?
}

extension Browser {
    /// Map pixels around the point within which points and lines are meant: about a cell.
    private static let featureReach = 4.0

    /// The lowest layer that can tell what lies where.
    private var described: TileLayer? { layers.first { $0.isVisible && $0.isDescribed } }

    /// Asks what lies at the point, while `i` is open over a map that can tell.
    mutating func askFeatures() -> [Effect] {
        guard panel == .here, let layer = described else {
            features = FeaturesKnown()
            return []
        }
        let place = pointedPlace, zoom = nameZoom
        let isAtRest = flight == nil && now - whereabouts.moved >= Browser.restOfView
        if let asked = features.asked, asked == (place, layer.id, zoom) { return [] }
        guard isAtRest else { return [] }
        features = FeaturesKnown(asked: (place, layer.id, zoom))
        return [.askFeatures(layer.id, place, zoom: zoom, reach: Browser.featureReach / viewport.camera.worldPixels)]
    }

    mutating func learn(_ answer: Result<[MapFeature], Notice.Problem>, at place: Coordinate) -> [Effect] {
        if features.asked?.place == place { features.answer = answer }
        return []
    }

    /// The part of the panel that tells what lies here; nothing over pictures.
    var thingLines: [PanelText.Line] {
        guard described != nil else { return [] }
        return [.init(text: ""), .init(text: "On the map", style: .bold)] + foundLines
    }

    private var foundLines: [PanelText.Line] {
        switch features.answer {
        case nil: [.init(text: "…")]
        case .failure(let problem):
            wrapped(SafeText.sanitised(problem.description, limit: 200), width: panelFrame.columns - 4)
        case .success(let found) where found.isEmpty: [.init(text: "nothing that has a name or a kind")]
        case .success(let found): found.flatMap(lines)
        }
    }

    /// "Via Roma: roads, line", and below what else is known of it.
    private func lines(of feature: MapFeature) -> [PanelText.Line] {
        let name = feature.attributes.first { $0.name == "name" }
        let title = [name.map { $0.value + ":" }, feature.layer].compactMap(\.self).joined(separator: " ")
        let rest = feature.attributes.filter { $0 != name }.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return wrapped(title, width: panelFrame.columns - 4)
            + (rest.isEmpty ? [] : wrapped(rest, width: panelFrame.columns - 6).map { .init(text: "  " + $0.text) })
    }
}
