/// The format of catalogues of packages, for those who write one.
public enum CatalogFormat {
    /// The heading of the page.
    public static let title = "Catalogues of packages"

    static let introduction =
        "A catalogue is a JSON document on a web server. rhumb package publish makes one of a folder of archives. "
        + "Addresses in it are web addresses, or relative to its own. One in a file may name files, too: paths, or file: addresses."

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
        ("id", "Of the catalogue: at most 20 letters, digits, \"_\" and \"-\". Of a package: at most 35, \".\" among them."),
        ("title", "One text, or one for each language by its code."),
        ("packages", "The root first, every other after the one that it lies in, which its \"parent\" names."),
        ("level", "world, continent, country or province; else one below the parent's."),
        ("area", "A Polygon or MultiPolygon of GeoJSON, or a box [west, south, east, north]."),
        ("archive", "A PMTiles archive of which a package consists."),
        ("part-of", "A larger PMTiles archive: a package consists of what of it lies in its area."),
        ("source", "A source of web tiles, by name or address: likewise, at the zooms that \"zooms\" says, as in [0, 14]."),
        ("editions", "From the oldest to the newest: \"version\" is of numbers with dots between, \"bytes\" the size of all "
            + "tiles, \"features\" what of it belongs to data groups, and \"hashes\" the list by which updates fetch only what changed."),
    ]

    static let note =
        "A package with none of archive, part-of and source is made of those that lie in it; part-of, source and zooms of "
        + "the catalogue itself hold for packages that have an area and say nothing else."

    /// The whole page, 80 columns wide.
    public static var text: String {
        let rows = members.map { name, meaning in "  \(name)\n" + HelpText.wrap(meaning, indent: 6) }
        return ([title, HelpText.wrap(introduction, indent: 0), example, rows.joined(separator: "\n"), HelpText.wrap(note, indent: 0)])
            .joined(separator: "\n\n") + "\n"
    }
}
