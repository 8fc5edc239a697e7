internal import RhumbCore
internal import RhumbEngine

/// Which place the view is near, for the status line. It is looked up when the view rests, and
/// told from where the view is now.
struct Whereabouts: Sendable {
    /// The settlement that was found for the last question.
    var place: NamedPlace?
    /// The camera the last question was about.
    var asked: Camera?
    /// When the view last moved.
    var moved = Duration.zero
}

extension Browser {
    /// A view that hasn't moved for so long rests.
    static let restOfView = Duration.milliseconds(200)
    /// Farther out than this no single place says where one is.
    private static let nearestZoom = 3.0

    /// After a move: looks again once the view rests.
    mutating func viewMoved() -> [Effect] {
        whereabouts.moved = now
        return [.wake(after: Browser.restOfView)]
    }

    /// Asks where the view is, if it rests and that isn't known.
    mutating func askWhereabouts() -> [Effect] {
        let camera = viewport.camera
        guard flight == nil, whereabouts.asked != camera, now - whereabouts.moved >= Browser.restOfView
        else { return [] }
        whereabouts.asked = camera
        guard camera.zoom >= Browser.nearestZoom else {
            whereabouts.place = nil
            return []
        }
        return [.locate(camera.coordinate, minimumImportance: leastImportance(at: camera.zoom))]
    }

    mutating func learn(_ bearing: PlaceBearing?) -> [Effect] {
        whereabouts.place = bearing?.place
        return []
    }

    /// The farther out, the better known a place must be to say where one is.
    private func leastImportance(at zoom: Double) -> Double {
        zoom >= 13 ? 0 : max(7 - 0.45 * zoom, 0)
    }

    /// "12 km NE of Turku, FI"; empty where no place is known.
    var whereaboutsText: String {
        guard let place = whereabouts.place, viewport.camera.zoom >= Browser.nearestZoom else { return "" }
        return PlaceFormat.bearing(
            PlaceBearing(viewport.camera.coordinate, from: place), units: settings.units)
    }
}
