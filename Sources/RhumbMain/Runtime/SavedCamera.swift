internal import Rhumb

/// The view at the end of the last run, stored in a file as three numbers: latitude, longitude and zoom.
struct SavedCamera {
    let path: String

    /// Returns nil without a home folder.
    init?(_ folders: Folders) {
        guard let state = folders.state else { return nil }
        path = state + "/view"
    }

    func load() -> Camera? {
        guard let bytes = Files.read(path, limit: 200) else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
            .compactMap { Double($0) }
        guard numbers.count == 3, numbers.allSatisfy(\.isFinite) else { return nil }
        return Camera(
            center: Coordinate(latitude: numbers[0], longitude: numbers[1]), zoom: numbers[2])
    }

    /// Stores a view. Errors are ignored, because the program is ending.
    func save(_ camera: Camera) {
        let place = camera.coordinate
        Files.makeFolder(path.parentFolder)
        let text = "\(place.latitude) \(place.longitude) \(camera.zoom)\n"
        try? Files.write(Array(text.utf8), to: path, links: .follow)
    }
}
