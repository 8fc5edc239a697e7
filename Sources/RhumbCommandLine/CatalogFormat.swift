/// The format of catalogues of packages, for those who write one.
public enum CatalogFormat {
    /// The heading of the page.
    public static let title = "Package catalogues"

    static let introduction =
        "A catalogue is a JSON document on a web server. rhumb package publish builds one from a folder of archives. "
        + "It refers to archives by URL, absolute or relative. A catalogue in a file can also use paths and file: URLs."

    static let example = """
        {
          "rhumb-catalog": 1,
          "id": "osm",
          "title": {"en": "OpenStreetMap"},
          "attribution": "© OpenStreetMap contributors",
          "packages": [
            {"id": "world", "title": "World"},
            {"id": "europe", "parent": "world", "level": "continent"},
            {"id": "finland", "parent": "europe", "level": "country",
             "title": {"en": "Finland", "fi": "Suomi"},
             "area": {"type": "Polygon", "coordinates": [[[20, 59], [32, 59], [32, 70], [20, 59]]]},
             "archive": "finland.pmtiles",
             "editions": [{"version": "2026.47", "date": "2026-11-22", "bytes": 12345678,
                           "features": {"detailRendering": 4000000}, "hashes": "finland.hashes"}]}
          ]
        }
        """

    static let members: [(name: String, meaning: String)] = [
        ("rhumb-catalog", "The version of the format: 1."),
        ("id", "For the catalogue, at most 20 letters, digits, \"_\" or \"-\". For a package, at most 35, and \".\" is allowed, too."),
        ("title", "A string, or an object with one string for each language code."),
        ("packages", "The packages, the root first. Every other one has a \"parent\" and follows it."),
        ("level", "world, continent, country or province (default: one below the parent's)."),
        ("area", "A GeoJSON Polygon or MultiPolygon, or a box [west, south, east, north]."),
        ("archive", "A PMTiles archive with exactly the tiles of the package."),
        ("part-of", "A larger PMTiles archive. The package has its tiles within \"area\"."),
        ("source", "A web tile source, by name or URL. The package has its tiles within \"area\" and \"zooms\", such as [0, 14]."),
        ("editions", "The editions, oldest first. \"version\": numbers separated by dots. \"bytes\": the size of all "
            + "tiles. \"features\": the size of each data group. \"hashes\": the list of tile hashes, so that updates fetch only "
            + "changed tiles."),
    ]

    static let note =
        "A package without archive, part-of and source consists of the packages inside it. part-of, source and zooms of "
        + "the catalogue itself apply to packages that have only an area."

    /// The whole page, 80 columns wide.
    public static var text: String {
        let rows = members.map { name, meaning in "  \(name)\n" + HelpText.wrap(meaning, indent: 6) }
        return ([title, HelpText.wrap(introduction, indent: 0), example, rows.joined(separator: "\n"), HelpText.wrap(note, indent: 0)])
            .joined(separator: "\n\n") + "\n"
    }
}
