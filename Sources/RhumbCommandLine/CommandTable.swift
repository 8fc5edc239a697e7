internal import RhumbCore
internal import RhumbManual

/// The complete command line. The parser, the help, the manual page and the completions are all generated
/// from this table.
public enum CommandTable {
    /// The version that `--version` prints.
    public static let version = "0.3.0"

    /// The version, and the commit if the program was built from one: "0.3.0 (4f3a2b1c)".
    public static var versionAndCommit: String {
        Manual.commit.isEmpty ? version : "\(version) (\(Manual.commit))"
    }

    /// All commands, in the order of the help.
    public static let commands: [CommandSpec] =
        [open] + working + [help, man, completions]

    /// All commands except opening the map and the help.
    private static let working =
        [streets, render, contours] + pickCommands + [search, describe, route, track] + regionCommands
        + packageCommands
        + updateCommands + areaCommands + cacheCommands + sourceCommands + styleCommands + bookmarkCommands
        + archiveCommands + [serve, doctor]

    /// Names of commands in other map programs, with their equivalents here.
    private static let synonyms = [
        "validate": "archive info", "check": "archive info", "info": "archive info",
        "show": "archive info", "compare": "archive diff", "join": "archive merge",
        "clip": "archive extract", "download": "region add", "export": "region export",
        "import": "region import", "install": "package install", "geocode": "search", "find": "search",
        "directions": "route", "isochrone": "route",
    ]

    /// Returns the command that a word probably means: a synonym from another program, or the command with
    /// the most similar name; nil if no name is similar.
    /// - Parameter next: The next word. Families with such a member are preferred.
    public static func probable(_ word: String, before next: String? = nil) -> String? {
        if let meant = synonyms[word] { return meant }
        guard word.count >= 3 else { return nil }
        let names = commands.map(\.text).filter { !$0.isEmpty && !$0.contains(" ") }
        let families = names.filter { name in next.map { command("\(name) \($0)") != nil } ?? false }
        if let near = families.nearest(to: word) ?? names.nearest(to: word) { return near }
        let members = command(.archive(nil)).members.map { String($0.text.dropFirst("archive ".count)) }
        return members.nearest(to: word).map { "archive \($0)" }
    }

    /// Returns the command with this name.
    public static func command(_ name: String) -> CommandSpec? { commands.first { $0.text == name } }

    /// Returns the specification of a command. That of opening the map doesn't need the whole table.
    public static func command(_ name: CommandName) -> CommandSpec {
        name == .open ? open : specs[name] ?? open
    }

    /// Returns true if an option takes the next word as its value, in any command.
    static func takesNextWord(_ word: String) -> Bool {
        let specs = commands.lazy.flatMap(\.options)
        if word.hasPrefix("--") { return specs.first { "--\($0.name)" == word }?.value != nil }
        return word.count == 2 && specs.first { $0.short == word.last }?.value != nil
    }

    private static let specs = Dictionary(uniqueKeysWithValues: commands.map { ($0.name, $0) })

    static let source = OperandSpec(
        placeholder: "SOURCE",
        help: "world (built in, the default), a name from rhumb source list, a file.mbtiles, file.gpkg, "
            + "file.pmtiles, file.versatiles or file.tif (GeoTIFF), a folder of z/x/y.png, .jpg, .webp or .pbf, "
            + "or on the web: a template with {z}, {x} and {y}, a TileJSON document, a .pmtiles, .versatiles or "
            + ".tif; or, to open on the world map, features (see --over) or a place: coordinates, a geo: URI, a "
            + "map link, a geohash or a plus code",
        isRequired: false, names: .sources, takesFiles: true)

    /// Options of commands on the stores of tiles and regions.
    static let storeOptions = regionStore + network

    /// Options of the whole program. Commands accept them even if they have no effect.
    static let global = [config, cachePath, dataPath] + client + common

    static let common =
        [
            OptionSpec(.quiet, "q", help: "print no progress and no notes, only results and errors")
        ] + about

    /// The options of commands that only print text.
    private static let about = [
        OptionSpec(.help, "h", help: "show this help and exit"),
        OptionSpec(.version, "V", help: "show the version and exit"),
    ]

    static let config = OptionSpec(.config, .path, help: "configuration file to read")

    private static let view =
        [
            OptionSpec(
                .center, .place, "c", isConfigurable: true,
                help:
                    "centre of the view: a name such as \"Turku\", or coordinates, optionally with a zoom or width: \"60.39,22.37 12\""
            ),
            OptionSpec(
                .zoom, .number(-5...24), "z", metavar: "Z", isConfigurable: true,
                help: "zoom level: 0 shows the world, 18 a street"),
            OptionSpec(
                .width, .width, "w", rivals: [Option.zoom.name], isConfigurable: true,
                help: "width of the view on the ground, e.g. 7km"),
            OptionSpec(
                .bbox, .bounds, "b", rivals: [Option.center.name, Option.zoom.name, Option.width.name],
                help: "show this box, in degrees; W above E crosses the antimeridian"),
            OptionSpec(
                .tileSize, .word(["64", "128", "256", "512", "1024", "2048", "4096"]), isConfigurable: true,
                help: "tile size of a web source in pixels, if its URL does not say or offers several"),
            OptionSpec(
                .scale, .whole(1...2), isConfigurable: true,
                help:
                    "resolution of a web source's tiles: 2 is finer, if the source offers @2x tiles or several sizes"
            ),
            OptionSpec(.tms, isConfigurable: true, help: "folder uses TMS row numbering (y from the south)"),
            OptionSpec(
                .quilt, .path, metavar: "ARCHIVE", isRepeatable: true, isConfigurable: true,
                help:
                    "draw archives of pictures, or all in a folder, as one map: at each place the finest whose zooms "
                    + "fit, coarser ones below; may be repeated"),
            OptionSpec(
                .detail, .whole(-2...3), "d", isConfigurable: true,
                help: "use finer (1 to 3) or coarser (-1, -2) tiles"),
            style,
            OptionSpec(
                .streets, .text, metavar: "NAME|off", isConfigurable: true,
                help: "street source for the built-in world map: openfreemap, versatiles or osm-vector"),
        ] + labels + overlays

    static let drawing = [
        OptionSpec(
            .symbols, .symbols, "s", isConfigurable: true,
            help: "glyph sets: auto, ascii, half, quadrant, sextant, octant, braille, or several joined by +"),
        OptionSpec(
            .colors, .word(["auto", "truecolor", "256", "16", "mono"]), isConfigurable: true,
            help: "colour depth of the terminal"),
        OptionSpec(
            .sharpen, .number(0...1), isConfigurable: true,
            help: "sharpen thin roads, coasts and borders: 0 (off) to 1"),
        OptionSpec(
            .mix, isConfigurable: true,
            help: "with 256 colours, dither within cells: truer colours, coarser detail"),
    ]

    static let pixels = OptionSpec(
        .pixels, .word(["auto", "kitty", "sixel", "iterm", "off"]), isConfigurable: true,
        help: "draw the map in pixels with this image protocol (default: auto, where support is known)")

    /// The command without a name, which opens the map.
    public static let open = CommandSpec(
        name: .open, summary: "Open a map in the terminal.", operand: source,
        options: view + drawing + network + regionStore + [
            catalog,
            engine,
            terrain, units,
            config,
            OptionSpec(.printConfig, help: "print a commented configuration file and exit"),
            pixels,
            OptionSpec(
                .bandwidth, .bytes(1000...1_000_000_000), isConfigurable: true,
                help:
                    "bytes per second to send to the terminal while the view moves, e.g. 30k (default: measured)"
            ),
            OptionSpec(.noAnimation, isConfigurable: true, help: "jump to places instead of flying"),
            OptionSpec(
                .fade, isConfigurable: true, help: "fade new tiles in, if colours and bandwidth allow"),
            OptionSpec(
                .noRecord, isConfigurable: true,
                help: "do not record the track of a GPS receiver in a file"),
            OptionSpec(.noMouse, isConfigurable: true, help: "do not use the mouse"),
            OptionSpec(
                .plain, isConfigurable: true,
                help: "run as lines of text, for screen readers (also RHUMB_PLAIN=1 or TERM=dumb)"),
        ] + common,
        details: [
            "Press ? for the keys. Press u to return to the view of the last session.",
            "Commands and pages of the manual: see rhumb help.",
        ],
        examples: [
            ("rhumb", "the built-in world map; needs no network or configuration"),
            ("rhumb city.mbtiles", "a tile archive"),
            ("rhumb osm", "OpenStreetMap, through the shared cache"),
            ("rhumb -c 60.45,22.26 -w 30km", "the area around Turku"),
            ("rhumb osm --over walk.gpx", "a track on a map, zoomed to fit"),
            ("tail -f places.csv | rhumb -", "live places from a pipe"),
        ])

    static let streets = CommandSpec(
        name: .streets, summary: "Open the map with streets from the web.",
        operand: OperandSpec(
            placeholder: "PLACE", help: "coordinates, a geo: URI, a map link, a geohash or a plus code",
            isRequired: false),
        options: open.options,
        details: [
            "The server receives your IP address and the tile numbers of the views you open. Tiles are cached.",
            "Rhumb remembers this choice. Turn streets off with :streets off or --streets off.",
        ],
        examples: [
            ("rhumb streets", "the world, with streets from OpenFreeMap"),
            ("rhumb streets --streets versatiles", "streets from another source"),
        ])

    static let render = CommandSpec(
        name: .render, summary: "Render a map as text or an image.", operand: source,
        options: view + drawing + network + regionStore + [
            OptionSpec(
                .size, .size, isConfigurable: true,
                help:
                    "size in cells, or that of an image in pixels: 1600x900px (default: the terminal's, else 80x24)"
            ),
            OptionSpec(
                .format, .word(["ansi", "text", "svg", "png", "jpg", "webp", "kitty", "sixel", "iterm"]), "f",
                isConfigurable: true,
                help: "output format (default: from the file extension, else text or ansi)"),
            OptionSpec(
                .output, .path, "o",
                help: "output file: .png, .jpg, .webp, .svg, .ans or .txt (default: -, standard output)"),
            OptionSpec(
                .shownRoute, .text, metavar: "FILE|PLACES",
                help:
                    "draw a route: a .gpx, a .json written by rhumb route, or places to route between: \"Monaco; Nice\""
            ),
            engine,
            terrain, units,
            OptionSpec(
                .legend, isConfigurable: true,
                help:
                    "draw the scale bar, and the legends of traffic and --style-by; below text without colours, the names"
            ),
            OptionSpec(
                .frame, isConfigurable: true,
                help: "leave a margin with the coordinates of --grid, or of degrees, for printing"),
            OptionSpec(
                .timeout, .number(0...3600), metavar: "SECONDS", isConfigurable: true,
                help:
                    "seconds to wait for tiles, or for another process that is writing to the cache or the regions (default 30); "
                    + "the exit status is 3 if tiles are missing"),
            OptionSpec(.image, .path, help: "draw this PNG, JPEG or WebP image instead of a map"),
            config,
        ] + common,
        details: [
            "A PNG, JPEG or WebP image has 8 × 16 pixels per cell. Image files use all colours, have the day theme "
                + "unless --style says otherwise, and include the attribution. "
                + "Piped output is braille without colours; add colours with --format ansi or --colors."
        ],
        examples: [
            ("rhumb render --size 120x40 --format ansi", "the world, with terminal colours"),
            ("rhumb render -b 19,59,32,71 -f png -o fi.png", "Finland as a PNG image"),
            ("rhumb render -c 60.4,22.3,12 --grid mgrs --frame -o map.png", "a grid with a labelled frame"),
        ])

    static let doctor = CommandSpec(
        name: .doctor, summary: "Report what this terminal supports, and why.", operand: nil,
        options: [
            pixels,
            OptionSpec(.card, rivals: [Option.json.name], help: "print a test card of every glyph set"),
            OptionSpec(
                .report, .path, metavar: "FILE", rivals: [Option.json.name, Option.card.name],
                help: "write a report for a bug, without keys, addresses and places"),
            OptionSpec(.json, help: "output JSON"), dataPath,
        ] + drawing + [config] + common,
        details: [
            "The report is shown before it is written. It contains the end of the log that RHUMB_LOG names.",
            "In a pipe, the test card has no colours unless --colors is given.",
        ])

    static let help = CommandSpec(
        name: .help, summary: "List the commands and the pages of the manual, or show one.",
        operand: OperandSpec(
            placeholder: "TOPIC",
            help: "a command, such as region add, or a page of the manual, such as regions",
            isRequired: false,
            choices: working.filter { $0.family == nil }.map(\.text) + ["man", "completions"] + Manual.topics
                + [HelpText.mapTopic],
            isJoined: true),
        options: about,
        details: ["On a terminal, pages are shown in $PAGER, or in less if that is not set."],
        examples: [
            ("rhumb help regions", "the page about offline regions"),
            ("rhumb help region add", "the options of a command"),
        ])

    static let man = CommandSpec(
        name: .man, summary: "Print the man page, or that of a group of commands.",
        operand: OperandSpec(
            placeholder: "GROUP", help: "a group of commands", isRequired: false,
            choices: CommandGroup.allCases.map(\.rawValue)),
        options: about)

    static let completions = CommandSpec(
        name: .completions, summary: "Print shell completions.",
        operand: OperandSpec(
            placeholder: "SHELL", help: "bash, zsh or fish", isRequired: true,
            choices: ["bash", "zsh", "fish"], unlistedChoices: StoredNames.allCases.map(\.rawValue)),
        options: about,
        details: [
            "The scripts complete names that are stored here. They run rhumb help completions with "
                + StoredNames.allCases.map(\.rawValue).joined(separator: ", ")
                + ", which prints one name on each line."
        ])
}

/// The command that publishes maps.
extension CommandTable {
    static let serve = CommandSpec(
        name: .serve, summary: "Publish archives and stored maps over HTTP.",
        operand: OperandSpec(
            placeholder: "SOURCE...", help: "archives, and stored regions and sources by their names",
            isRequired: false, count: 0...1000, names: .sources, takesFiles: true),
        options: [
            OptionSpec(.port, .whole(0...65_535), help: "port to listen on (default: 8080; 0: any free one)"),
            OptionSpec(
                .bind, .text, metavar: "ADDRESS",
                help: "IP address to listen on; 0.0.0.0 for the whole network (default: 127.0.0.1)"),
            OptionSpec(
                .connectionLimit, .whole(1...10_000),
                help: "maximum number of open connections (default: 500)"),
            OptionSpec(
                .origin, .text, metavar: "ORIGIN", isRepeatable: true,
                help:
                    "allow the pages of an origin, such as https://maps.example, to read the maps; * for all"),
            OptionSpec(.trustForwarded, help: "use X-Forwarded-Host, -Proto and -Prefix of a proxy in front"),
            json, dataPath, cachePath, style, config,
        ] + common,
        details: [
            "Serves tiles, TileJSON, PMTiles in ranges, a catalogue, and a page that shows the maps. Stored maps are "
                + "served only if you name them; the name of a source includes the tiles in the cache. Sources whose "
                + "policy does not allow redistribution are left out. Runs until interrupted; see rhumb help team."
        ],
        examples: [
            ("rhumb serve city.pmtiles", "a map for this machine's browser and QGIS"),
            ("rhumb serve city.pmtiles --bind 0.0.0.0", "the same for the local network"),
        ])
}

/// The commands of web sources.
extension CommandTable {
    static let sourceCommands: [CommandSpec] = {
        let name = OperandSpec(
            placeholder: "NAME", help: "a name from rhumb source list", isRequired: true, names: .sources)
        let members = [
            CommandSpec(
                name: .source(.list), summary: "List the web sources with a name.", operand: nil,
                options: [json, config] + common,
                details: [
                    "Add your own under \"sources\" in the configuration file; see rhumb --print-config."
                ]),
            CommandSpec(
                name: .source(.show), summary: "Show the details of a web source.", operand: name,
                options: [json, config] + common),
            CommandSpec(
                name: .source(.check),
                summary: "Fetch a tile or document from a web source and report the result.",
                operand: OperandSpec(
                    placeholder: "NAME|URL", help: "name or URL of a source", isRequired: true,
                    names: .sources),
                options: [json] + client + store + [config] + common,
                details: ["The exit status is 1 if the response is not usable."],
                examples: [
                    ("rhumb source check osm", "is it reachable, and how long can its tiles be cached?")
                ]),
            features,
        ]
        return [.family(.source(nil), "List and check the web sources, and the features.", of: members)]
            + members
    }()
}
