internal import Dispatch
internal import Rhumb
internal import RhumbBrowser
internal import RhumbTerminal

/// Copies and bookmarks.
extension Runtime {
    func copy(_ text: String) {
        screen.copy(text)
        copied = screen.takesClipboard ? nil : text
        send(.copied(text, isSure: screen.takesClipboard))
    }

    /// Reads the files of bookmarks and typed lines, off the main thread.
    func loadFiles() {
        files.perform { [bookmarks, typedLines] inbox in
            let (lines, lineFault) = typedLines.load(), (marked, fault) = bookmarks.load()
            inbox.put(.typedLines(lines))
            inbox.put(.bookmarks(marked))
            for problem in [lineFault, fault].compactMap(\.self) { inbox.put(.trouble(problem.description)) }
        }
    }

    /// Stores a change of the bookmarks, off the main thread.
    func save(_ change: BookmarkChange) {
        files.perform { [bookmarks] inbox in
            do throws(Notice.Problem) {
                let (all, warning) = try bookmarks.save(change.fromAnywhere)
                inbox.put(.bookmarks(all))
                if let warning { inbox.put(.trouble(warning.description)) }
            } catch {
                inbox.put(.bookmarks(bookmarks.load().bookmarks))
                inbox.put(.trouble(error.description))
            }
        }
    }

    /// Stores the choice of streets, off the main thread.
    func save(_ choice: StreetsChoice) {
        files.perform { [streets] inbox in
            do throws(Notice.Problem) { try streets.save(choice) } catch {
                inbox.put(.trouble(error.description))
            }
        }
    }

    /// Adds a typed line to the history, and stores it off the main thread.
    func save(line typed: String) {
        let line = CommandHistoryFile.stripped(typed)
        var lines = browser.typedLines
        lines.add(line)
        send(.typedLines(lines))
        files.perform { [typedLines] inbox in
            guard let (all, warning) = typedLines.add(line) else { return }
            inbox.put(.typedLines(all))
            if let warning { inbox.put(.trouble(warning.description)) }
        }
    }
}

/// Reads and writes the small files of the program, one after another and off the main thread.
final class FileWork: Sendable {
    private let inbox: Inbox
    private let queue = DispatchQueue(label: "rhumb.files", qos: .userInitiated)

    init(_ inbox: Inbox) { self.inbox = inbox }

    /// Runs work after that before it.
    /// - Parameter work: Its results go to the inbox.
    func perform(_ work: @escaping @Sendable (Inbox) -> Void) { queue.async { [inbox] in work(inbox) } }

    /// Waits for the work so far, at most two seconds.
    func finish() {
        let done = DispatchGroup()
        queue.async(group: done) {}
        _ = done.wait(timeout: .now() + .seconds(2))
    }
}

extension BookmarkChange {
    /// With the whole path of a map that is a file, which opens from any folder.
    fileprivate var fromAnywhere: BookmarkChange {
        guard case .set(let bookmark) = self, let map = bookmark.map, Files.exists(map) else { return self }
        return .set(Bookmark(bookmark.letter, bookmark.name, bookmark.camera, map: Files.named(map)))
    }
}
