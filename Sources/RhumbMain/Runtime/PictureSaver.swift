internal import Dispatch
internal import Rhumb
internal import RhumbBrowser

/// Draws and writes pictures of the map away from the loop, one after another.
final class PictureSaver: Sendable {
    private let inbox: Inbox
    private let queue: DispatchQueue

    init(_ inbox: Inbox, on queue: DispatchQueue = DispatchQueue(label: "rhumb.pictures", qos: .userInitiated)) {
        (self.inbox, self.queue) = (inbox, queue)
    }

    /// Saves what is seen, and says in the inbox what came of it.
    /// - Parameter name: of the file; nil for one made of the place.
    func save(_ scene: Scene, _ view: Viewport, _ theme: Settings.Theme, to name: String?) {
        queue.async { [inbox] in
            let raster = PixelView.raster(scene, view, theme)
            inbox.put(.saved(SavedPicture(raster: raster, camera: view.camera).write(to: name)))
        }
    }

    /// Waits until all that was asked for is written.
    func finish() { queue.sync {} }
}
