internal import Rhumb
internal import RhumbBrowser

/// Handles queries that read or write the program's small files.
struct FileHandlers: Sendable {
    let bookmarks: BookmarkFile
    let typedLines: CommandHistoryFile
    let streets: StreetsFile
    let terms: AcceptedTerms
    /// Receives problems that are reported in addition to a response.
    let report: @Sendable (Notice.Problem) -> Void

    init(_ folders: Folders, report: @escaping @Sendable (Notice.Problem) -> Void) {
        bookmarks = BookmarkFile(folders)
        typedLines = CommandHistoryFile(folders)
        streets = StreetsFile(folders)
        terms = AcceptedTerms(folders)
        self.report = report
    }

    func register(on dispatcher: QueryDispatcher) {
        dispatcher.handle(BookmarkQuery.self) { query, _, reply in
            if let change = query.change {
                do throws(Notice.Problem) {
                    let (all, warning) = try bookmarks.save(change.fromAnywhere)
                    reply(all)
                    if let warning { report(warning) }
                    return
                } catch {
                    report(error)
                }
            }
            let (all, fault) = bookmarks.load()
            reply(all)
            if let fault, query.change == nil { report(fault) }
        }
        dispatcher.handle(TypedLinesQuery.self) { query, _, reply in
            guard let line = query.line else {
                let (lines, fault) = typedLines.load()
                reply(lines)
                if let fault { report(fault) }
                return
            }
            guard let (lines, warning) = typedLines.add(line) else { return }
            reply(lines)
            if let warning { report(warning) }
        }
        dispatcher.handle(StoreStreetsChoice.self) { query, _, _ in
            do throws(Notice.Problem) { try streets.save(query.choice) } catch { report(error) }
        }
        dispatcher.handle(StoreAgreement.self) { query, _, _ in
            do throws(Notice.Problem) { try terms.add(hosts: query.hosts) } catch { report(error) }
        }
        dispatcher.handle(ExportTrack.self) { query, _, reply in
            let path = HomeFolder.expanded(query.file, Environment.all["HOME"])
            do {
                let bytes = try Files.contents(query.track, limit: RecordedTracks.sizeLimit)
                try Files.write(bytes, to: path, links: .refuse)
                reply(.success(path))
            } catch {
                reply(.failure(Notice.Problem(shown: error)))
            }
        }
        dispatcher.handle(ExportText.self) { query, _, reply in
            let path = Files.unused(query.name)
            do throws(ExportFailure) {
                try Files.write(Array(query.text.utf8), to: path, isReplacing: false)
                reply(.success(path))
            } catch {
                reply(.failure(Notice.Problem(shown: error)))
            }
        }
    }
}

extension Files {
    /// Returns a file name, with a number appended if the file exists.
    fileprivate static func unused(_ name: String) -> String {
        let stem = name.prefix { $0 != "." }, ending = name.dropFirst(stem.count)
        return ([name] + (2..<1000).map { "\(stem)-\($0)\(ending)" }).first { !exists($0) } ?? name
    }
}

extension BookmarkChange {
    /// The change with an absolute path for a map that is a file, so that it opens from any folder.
    fileprivate var fromAnywhere: BookmarkChange {
        guard case .set(let bookmark) = self, let map = bookmark.map, Files.exists(map) else { return self }
        return .set(Bookmark(bookmark.letter, bookmark.name, bookmark.camera, map: Files.named(map)))
    }
}
