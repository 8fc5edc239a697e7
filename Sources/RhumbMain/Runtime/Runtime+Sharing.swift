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
            tell(.bookmarks(try bookmarks.keep(change)))
        } catch {
            tell(.trouble(error.description))
        }
    }
}
