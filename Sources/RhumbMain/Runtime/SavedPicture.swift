internal import Rhumb
internal import RhumbBrowser

/// The map as a PNG file.
struct SavedPicture {
    let raster: Raster
    let camera: Camera

    /// Writes the picture under the name given, or one made of the place; never over a file that
    /// is there.
    /// - Returns: the path written.
    func write(to name: String?) -> Result<String, Notice.Problem> {
        let path = name.map { $0.hasSuffix(".png") ? $0 : $0 + ".png" } ?? freeName
        guard !Files.exists(path) else {
            return .failure(Notice.Problem("\(path) exists already; name another file: save NAME.png"))
        }
        do throws(ImageFailure) {
            let bytes = try PNGEncoder.encode(raster)
            guard let reason = Files.write(bytes, to: path) else { return .success(path) }
            return .failure(Notice.Problem("\(path) could not be written: \(reason)"))
        } catch {
            return .failure(Notice.Problem("\(path): \(error)"))
        }
    }

    private var freeName: String {
        let place = camera.coordinate
        let stem = "rhumb-\(PlaceFormat.fixed(place.latitude, 4))-"
            + "\(PlaceFormat.fixed(place.longitude, 4))-z\(PlaceFormat.fixed(camera.zoom, 1))"
        var path = stem + ".png"
        var number = 2
        while Files.exists(path) && number < 1000 {
            path = "\(stem)-\(number).png"
            number += 1
        }
        return path
    }
}
