internal import Rhumb
internal import RhumbBrowser

/// The file that a picture of the map is saved as.
struct PictureFile: Sendable {
    let format: PictureFormat
    private let path: String

    /// - Parameters:
    ///   - name: the person's; nil: one is made of the place. Without an ending it becomes a PNG.
    ///   - camera: what is seen.
    /// - Throws: a sentence where pictures are not written so.
    init(_ name: String?, of camera: Camera) throws(Notice.Problem) {
        let hasEnding = name?.split(separator: "/").last?.contains(".") == true
        path = name.map { hasEnding ? $0 : $0 + PictureFormat.png.ending } ?? PictureFile.freeName(camera)
        format = try PictureFormat(file: path)
    }

    /// Writes the picture; never over a file that is there.
    /// - Returns: the path written.
    func write(_ picture: () throws(ImageFailure) -> [UInt8]) -> Result<String, Notice.Problem> {
        do {
            try Files.write(picture(), to: path, isReplacing: false)
            return .success(path)
        } catch let failure as ImageFailure {
            return .failure(Notice.Problem("\(SafeText.sanitised(path)): \(failure)"))
        } catch {
            return .failure(Notice.Problem(error))
        }
    }

    private static func freeName(_ camera: Camera) -> String {
        let place = camera.coordinate, ending = PictureFormat.png.ending
        let stem = "rhumb-\(PlaceFormat.fixed(place.latitude, 4))-"
            + "\(PlaceFormat.fixed(place.longitude, 4))-z\(PlaceFormat.fixed(camera.zoom, 1))"
        var path = stem + ending
        var number = 2
        while Files.exists(path) && number < 1000 {
            path = "\(stem)-\(number)\(ending)"
            number += 1
        }
        return path
    }
}
