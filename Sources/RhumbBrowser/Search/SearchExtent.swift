internal import RhumbCore
internal import RhumbEngine

/// The area of a search.
enum SearchExtent: CaseIterable {
    case everywhere
    /// The view.
    case here
    /// The regions that contain the centre of the view.
    case region

    /// Returns the next extent. That of regions is left out while none is stored.
    func next(_ browser: Browser) -> SearchExtent {
        switch self {
        case .everywhere: .here
        case .here: browser.stored.regions.isEmpty ? .everywhere : .region
        case .region: .everywhere
        }
    }

    var text: String {
        switch self {
        case .everywhere: "everywhere"
        case .here: SearchText.inView
        case .region: SearchText.inRegion
        }
    }

    func area(_ browser: Browser) -> MapSearchArea {
        switch self {
        case .everywhere: .everywhere
        case .here: (try? browser.seenBounds()).map(MapSearchArea.box) ?? .everywhere
        case .region: .regions(at: browser.map.viewport.camera.coordinate)
        }
    }
}
