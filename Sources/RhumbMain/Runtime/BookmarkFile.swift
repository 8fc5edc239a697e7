internal import Rhumb
internal import RhumbBrowser

/// The user's bookmarks in a JSON file. It contains an array of objects with letter, name, latitude,
/// longitude and zoom, and for a view of a particular map its specifier.
struct BookmarkFile: Sendable {
    private let file: StateFile<[Bookmark]>?

    init(_ folders: Folders) {
        file = folders.data.map { StateFile($0 + "/bookmarks.json", .bookmarks) }
    }

    /// Reads the bookmarks, sorted by letter.
    /// - Returns: The bookmarks, and a notice about faults of the file, usually nil.
    func load() -> (bookmarks: [Bookmark], fault: Notice.Problem?) {
        guard let (bookmarks, fault) = file?.load() else { return ([], nil) }
        return (bookmarks.sorted { $0.letter < $1.letter }, fault)
    }

    /// Reads the bookmarks of another machine's file.
    /// - Returns: The valid bookmarks, and the first fault; nil if there is none.
    static func bookmarks(in bytes: [UInt8]) -> (bookmarks: [Bookmark], fault: String?) {
        let (bookmarks, fault) = StateFile<[Bookmark]>.Format.bookmarks.parse(bytes)
        return (bookmarks, fault)
    }

    /// Writes a change to the file, which other runs of the program may also have changed.
    /// - Returns: All bookmarks, and a notice with the new name of a file that could not be parsed, usually
    ///   nil.
    /// - Throws: A sentence if the change can't be written.
    func save(
        _ change: BookmarkChange
    ) throws(Notice.Problem) -> (bookmarks: [Bookmark], warning: Notice.Problem?) {
        guard let file else { throw Notice.Problem(Folders.missing) }
        let (bookmarks, warning) = try file.change { $0.apply(change) }
        return (bookmarks, warning)
    }
}

extension StateFile<[Bookmark]>.Format {
    fileprivate static let bookmarks = array(
        limit: 1 << 20, of: "bookmark", text: \.indentedText, json: \.json, element: Bookmark.init)
}

extension Bookmark {
    /// The bookmark as JSON, both for the file and for output.
    var json: JSON {
        let view: JSON = [
            "letter": .string(String(letter)), "name": .string(name),
            "latitude": .number(camera.coordinate.latitude),
            "longitude": .number(camera.coordinate.longitude), "zoom": .number(camera.zoom),
        ]
        guard let map, case .object(var members) = view else { return view }
        members["map"] = .string(Output.hidden(map))
        return .object(members)
    }

    fileprivate init?(_ json: JSON) {
        guard let letter = json["letter"]?.string, letter.count == 1, let character = letter.first,
            Bookmark.isLetter(character),
            let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
            let zoom = json["zoom"]?.double,
            [latitude, longitude, zoom].allSatisfy(\.isFinite)
        else { return nil }
        let camera = Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom)
        self.init(character, json["name"]?.string ?? "", camera, map: json["map"]?.string)
    }
}
