internal import Dispatch
internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// Draws and writes pictures of the map off the main loop, one after another.
final class PictureSaver: Sendable {
    /// The number of pictures that may wait. Text that is pasted as keys would otherwise write hundreds, and
    /// keep the program busy after the terminal is closed.
    static let limit = 4

    private let inbox: Inbox
    private let waiting = Atomic(0)
    private let queue: DispatchQueue

    init(
        _ inbox: Inbox, on queue: DispatchQueue = DispatchQueue(label: "rhumb.pictures", qos: .userInitiated)
    ) {
        self.inbox = inbox
        self.queue = queue
    }

    /// Saves a picture, and posts the result. Posts a problem if `limit` others wait.
    func save(_ picture: @escaping @Sendable () throws(ImageFailure) -> [UInt8], as file: PictureFile) {
        guard waiting.add(1, ordering: .relaxed).oldValue < Self.limit else {
            waiting.subtract(1, ordering: .relaxed)
            return inbox.put(.saved(.failure(Notice.Problem("Still saving pictures. Not saved: this view."))))
        }
        queue.async { [self] in
            inbox.put(.saved(file.write(picture)))
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Waits until all files are written.
    func finish() { queue.sync {} }
}
