internal import Rhumb
internal import RhumbBrowser
internal import RhumbTerminal

/// What the person takes along: copies and bookmarks.
extension Runtime {
    func copy(_ text: String) {
        screen.copy(text)
        copied = screen.takesClipboard ? nil : text
        tell(.copied(text, isSure: screen.takesClipboard))
    }

    func keep(_ change: BookmarkChange) {
        do throws(Notice.Problem) {
            tell(.bookmarks(try bookmarks.keep(change.fromAnywhere)))
        } catch {
            tell(.trouble(error.description))
        }
    }
}

extension BookmarkChange {
    /// With the whole path of a map that is a file, which opens from any folder.
    fileprivate var fromAnywhere: BookmarkChange {
        guard case .set(let bookmark) = self, let map = bookmark.map, Files.exists(map) else { return self }
        return .set(Bookmark(bookmark.letter, bookmark.name, bookmark.camera, map: Files.named(map)))
    }
}
