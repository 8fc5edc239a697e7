internal import Dispatch
internal import Rhumb
internal import RhumbBrowser

/// Draws and writes pictures of the map away from the loop, one after another.
final class PictureSaver: Sendable {
    private let inbox: Inbox
    private let queue: DispatchQueue

    init(
        _ inbox: Inbox, on queue: DispatchQueue = DispatchQueue(label: "rhumb.pictures", qos: .userInitiated)
    ) {
        self.inbox = inbox
        self.queue = queue
    }

    /// Saves an image, and posts the result.
    func save(_ picture: @escaping @Sendable () throws(ImageFailure) -> [UInt8], as file: PictureFile) {
        queue.async { [inbox] in inbox.put(.saved(file.write(picture))) }
    }

    /// Writes a text to a file, with a number in its name if it exists, and posts the result.
    func write(_ text: String, named name: String) {
        queue.async { [inbox] in
            let stem = name.prefix { $0 != "." }, ending = name.dropFirst(stem.count)
            let path =
                ([name] + (2..<1000).map { "\(stem)-\($0)\(ending)" }).first { !Files.exists($0) } ?? name
            do throws(ExportFailure) {
                try Files.write(Array(text.utf8), to: path, isReplacing: false)
                inbox.put(.saved(.success(path)))
            } catch {
                inbox.put(.saved(.failure(Notice.Problem(error))))
            }
        }
    }

    /// Waits until all files are written.
    func finish() { queue.sync {} }
}
