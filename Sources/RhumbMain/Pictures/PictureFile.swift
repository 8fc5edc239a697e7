internal import Rhumb
internal import RhumbBrowser

/// The file in which a picture of the map is saved.
struct PictureFile: Sendable {
    let format: PictureFormat
    private let path: String

    /// - Parameters:
    ///   - name: The name given by the user; a PNG if it has no extension. nil for an unused name derived
    ///     from the location.
    ///   - camera: The view of the picture.
    ///   - folder: The folder if the user gave no name; nil for the current one.
    /// - Throws: A sentence if the extension belongs to no known format.
    init(_ name: String?, of camera: Camera, in folder: String? = nil) throws(Notice.Problem) {
        let hasEnding = name?.lastPathName.contains(".") == true
        path = Files.named(
            name.map { hasEnding ? $0 : $0 + PictureFormat.png.ending }
                ?? PictureFile.freeName(camera, folder.map { $0 + "/" } ?? ""))
        format = try PictureFormat(file: path)
    }

    /// Writes the picture without overwriting an existing file.
    /// - Returns: The full path of the file.
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

    private static func freeName(_ camera: Camera, _ folder: String) -> String {
        let place = camera.coordinate, ending = PictureFormat.png.ending
        let stem =
            folder + "rhumb-\(place.latitude.decimals(4))-"
            + "\(place.longitude.decimals(4))-z\(max(camera.zoom, 0).decimals(1))"
        var path = stem + ending
        var number = 2
        while Files.exists(path) && number < 1000 {
            path = "\(stem)-\(number)\(ending)"
            number += 1
        }
        return path
    }
}
