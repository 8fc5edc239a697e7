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
        do {
            try Files.write(PNGEncoder.encode(raster), to: path, isReplacing: false)
            return .success(path)
        } catch let failure as ImageFailure {
            return .failure(Notice.Problem("\(SafeText.sanitised(path)): \(failure)"))
        } catch {
            return .failure(Notice.Problem(error))
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
