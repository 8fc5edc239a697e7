internal import Rhumb

/// The view at the end of the last run, three numbers in a file: latitude, longitude, zoom.
struct SavedCamera {
    let path: String

    /// nil where there is no home to keep it in.
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

    /// Keeps a view; a place that can't be written to is no reason to complain on leaving.
    func save(_ camera: Camera) {
        let place = camera.coordinate
        Files.makeFolder(String(path.dropLast("/view".count)))
        let text = "\(place.latitude) \(place.longitude) \(camera.zoom)\n"
        try? Files.write(Array(text.utf8), to: path)
    }
}
