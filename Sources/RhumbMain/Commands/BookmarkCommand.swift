internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb bookmark …`: the saved views, each identified by a letter.
struct BookmarkCommand {
    private let invocation: Invocation
    private let file = BookmarkFile(Folders(environment: Environment.all))

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run(_ verb: BookmarkVerb) throws -> Int32 {
        switch verb {
        case .list:
            let (bookmarks, fault) = file.load()
            if let fault, bookmarks.isEmpty { throw fault }
            try list(bookmarks)
            return report(fault)
        case .add:
            let bookmark = try named(), (all, warning) = try file.save(.set(bookmark))
            let added = all.filter { $0.letter == bookmark.letter }
            if invocation[.json] {
                try invocation.print(bookmark.json.adding(["state": "added"]))
            } else {
                try list(added)
            }
            return report(warning)
        case .remove:
            let letter = try letter(invocation.operand ?? ""), (bookmarks, fault) = file.load()
            guard let bookmark = bookmarks.first(where: { $0.letter == letter }) else {
                throw fault ?? Notice.Problem("no bookmark \(letter)")
            }
            let warning = try file.save(.remove(letter)).warning
            if invocation[.json] { try invocation.print(bookmark.json.adding(["state": "removed"])) }
            return report(warning)
        }
    }

    /// Prints a problem, if there is one.
    /// - Returns: The exit status.
    private func report(_ problem: Notice.Problem?) -> Int32 {
        guard let problem else { return ExitStatus.done }
        Output.say("rhumb: \(problem)")
        return ExitStatus.gaps
    }

    private func list(_ shown: [Bookmark]) throws {
        guard !invocation[.json] else { return try invocation.print(.array(shown.map(\.json))) }
        let rows = shown.map { bookmark in
            let notations = PlaceNotations(Viewport(camera: bookmark.camera, columns: 80, rows: 24))
            return [
                String(bookmark.letter), notations.coordinate + " " + notations.zoom, bookmark.name,
                SafeText.sanitised(bookmark.map ?? "", limit: 80),
            ]
        }
        try Output.print(
            rows.isEmpty
                ? "No bookmarks. On the map, press '' and a letter to save the view.\n"
                : TextTable(leading: 4, rows).lines.map { $0 + "\n" }.joined())
    }

    /// Parses the operand, such as "a 60.39,22.37 12".
    private func named() throws -> Bookmark {
        let parts = (invocation.operand ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw UsageError(
                "bookmark add: expected a letter and a place, e.g. rhumb bookmark add a 60.39,22.37 12")
        }
        let mark = try letter(parts[0])
        let location = try converting(ParsedLocation(parts[1])) { (error: ParsedLocation.Misread) in
            UsageError("\(error)")
        }
        let camera = Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 12)
        let screen = Viewport(camera: camera, columns: 80, rows: 24)
        return Bookmark(mark, invocation[.name] ?? "", location.camera(on: screen))
    }

    private func letter(_ word: String) throws -> Character {
        guard word.count == 1, let letter = word.first, Bookmark.isLetter(letter) else {
            throw UsageError("invalid bookmark \"\(word)\": expected one letter or digit")
        }
        return letter
    }
}
