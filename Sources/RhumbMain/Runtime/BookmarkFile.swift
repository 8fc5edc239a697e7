internal import Rhumb
internal import RhumbBrowser

/// The views marked with letters, in a file of the person's: a JSON array of objects with letter, name,
/// latitude, longitude and zoom, and for a view of a certain map the words that open that.
struct BookmarkFile {
    private let folder: String?
    private var path: String? { folder.map { $0 + "/bookmarks.json" } }
    private static let longest = 1 << 18

    init(_ folders: Folders) { folder = folders.data }

    /// In the order of their letters; what the file has wrong is left out.
    var all: [Bookmark] {
        guard let bytes = path.flatMap({ Files.read($0, limit: BookmarkFile.longest) }), let json = try? JSON.parse(bytes) else { return [] }
        var seen: Set<Character> = []
        return (json.array ?? []).compactMap(Bookmark.init).filter { seen.insert($0.letter).inserted }
            .sorted { $0.letter < $1.letter }
    }

    /// Keeps a change, with what other runs have kept meanwhile.
    /// - Returns: all bookmarks.
    /// - Throws: a sentence, where there is no place for them.
    func keep(_ change: BookmarkChange) throws(Notice.Problem) -> [Bookmark] {
        guard let folder, let path else { throw Notice.Problem(Folders.missing) }
        var kept = all
        switch change {
        case .set(let bookmark): kept = kept.filter { $0.letter != bookmark.letter } + [bookmark]
        case .remove(let letter): kept.removeAll { $0.letter == letter }
        }
        kept.sort { $0.letter < $1.letter }
        Files.makeFolder(folder)
        do throws(ExportFailure) {
            try Files.write(Array((JSON.array(kept.map(\.json)).indentedText + "\n").utf8), to: path)
        } catch {
            throw Notice.Problem(error)
        }
        return kept
    }
}

extension Bookmark {
    /// As it is kept, and printed for programs.
    var json: JSON {
        let view: JSON = [
            "letter": .string(String(letter)), "name": .string(name), "latitude": .number(camera.coordinate.latitude),
            "longitude": .number(camera.coordinate.longitude), "zoom": .number(camera.zoom),
        ]
        guard let map, case .object(var members) = view else { return view }
        members["map"] = .string(Output.hidden(map))
        return .object(members)
    }

    fileprivate init?(_ json: JSON) {
        guard let letter = json["letter"]?.string, letter.count == 1, let character = letter.first, Bookmark.isLetter(character),
            let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double, let zoom = json["zoom"]?.double,
            [latitude, longitude, zoom].allSatisfy(\.isFinite)
        else { return nil }
        let camera = Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom)
        self.init(character, json["name"]?.string ?? "", camera, map: json["map"]?.string)
    }
}
