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

    /// Saves a picture, and says in the inbox what came of it.
    func save(_ picture: @escaping @Sendable () throws(ImageFailure) -> [UInt8], as file: PictureFile) {
        queue.async { [inbox] in inbox.put(.saved(file.write(picture))) }
    }

    /// Waits until all that was asked for is written.
    func finish() { queue.sync {} }
}
