internal import Dispatch
internal import Rhumb
internal import RhumbBrowser

/// Draws and writes pictures of the map off the main loop, one after another.
final class PictureSaver: Sendable {
    private let inbox: Inbox
    private let queue: DispatchQueue

    init(
        _ inbox: Inbox, on queue: DispatchQueue = DispatchQueue(label: "rhumb.pictures", qos: .userInitiated)
    ) {
        self.inbox = inbox
        self.queue = queue
    }

    /// Saves a picture, and posts the result.
    func save(_ picture: @escaping @Sendable () throws(ImageFailure) -> [UInt8], as file: PictureFile) {
        queue.async { [inbox] in inbox.put(.saved(file.write(picture))) }
    }

    /// Waits until all files are written.
    func finish() { queue.sync {} }
}
