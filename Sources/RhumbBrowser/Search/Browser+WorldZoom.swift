internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Returns the zoom up to which the built-in world shows the surroundings of a place, unless streets
    /// continue it: for natural features the last one with clear relief, for others the last one with fine
    /// coasts.
    func closestWorldZoom(for kind: NamedPlace.Kind) -> Double {
        if case .source = streets.choice { return Camera.zoomRange.upperBound }
        guard canShowStreets, deepestMap?.refinesBase != true else { return Camera.zoomRange.upperBound }
        switch kind {
        case .peak, .landscape, .island, .water, .river: return 9
        default: return 10
        }
    }

    /// Returns the camera that shows a feature with little around it.
    func camera(over feature: FeatureMatch) -> Camera {
        let here = map.viewport.with(Camera(center: feature.coordinate, zoom: 0))
        let pixel = Mercator.metresPerPixel(latitude: feature.coordinate.latitude, zoom: 0) * 256
        let across = max(feature.box.maxX - feature.box.minX, feature.box.maxY - feature.box.minY) * pixel
        var camera = here.camera(widthInMetres: min(max(across * 2, 700), 200_000))
        if feature.category == .street {
            camera = camera.zoomed(to: max(camera.zoom, Browser.widestStreetZoom))
        }
        return camera.zoomed(to: min(camera.zoom, closestUsefulZoom))
    }

    /// Returns the camera that shows a place, as close as its map is useful.
    func camera(over place: NamedPlace) -> Camera {
        let here = map.viewport.with(Camera(center: place.coordinate, zoom: 0))
        let camera = here.camera(widthInMetres: place.viewWidth)
        let closest = min(closestUsefulZoom, closestWorldZoom(for: place.kind))
        return camera.zoomed(to: min(camera.zoom, closest))
    }

    /// Returns the camera that shows typed coordinates. Without a scale, the view comes as close as to a
    /// city, and keeps a closer zoom.
    func camera(over location: ParsedLocation) -> Camera {
        let camera = location.camera(on: map.viewport)
        guard location.closeness == nil else { return camera }
        let near = min(Browser.cityZoom, closestUsefulZoom, closestWorldZoom(for: .city))
        return camera.zoomed(to: max(camera.zoom, near))
    }

    /// The zoom at which a view shows a city.
    private static let cityZoom = 12.0
    /// The zoom from which a street's name is readable.
    private static let widestStreetZoom = 14.0

    /// The zoom beyond which the base map is only enlarged.
    private var closestUsefulZoom: Double {
        guard let map = deepestMap else { return Camera.zoomRange.upperBound }
        return Double(map.sourceZooms.upperBound - map.tileSize.zoomOffset) + 2
    }
}
