internal import RhumbCore

/// Everything that can be said on the command line. Parser, help, manual and completions are
/// made from this table; there is no other.
public enum CommandTable {
    /// The release, as `--version` says it.
    public static let version = "0.1.0"

    /// All commands, in the order of the help.
    public static let commands: [CommandSpec] =
        [open] + working + [help, man, completions]

    /// All that `rhumb help` explains.
    private static let working =
        [streets, render, inspect, search, route, reach] + sharingCommands + sourceCommands + cacheCommands + regionCommands + packageCommands + updateCommands
        + styleCommands + trackCommands + [features, doctor]

    /// Words that other map programs have for what commands of this one do.
    private static let synonyms = [
        "verify": "inspect", "check": "inspect", "info": "inspect", "show": "inspect", "stats": "inspect", "download": "region add",
        "extract": "region add", "export": "region export", "import": "region import", "install": "package install",
        "geocode": "search", "find": "search", "directions": "route", "isochrone": "reach",
    ]

    /// The command that a word was meant for: one that does what the word says elsewhere, or whose name is most like it;
    /// nil if none is.
    public static func probable(_ word: String) -> String? {
        if let meant = synonyms[word] { return meant }
        return word.count < 3 ? nil : commands.map(\.words).filter { !$0.isEmpty && !$0.contains(" ") }.nearest(to: word)
    }

    /// The command that these words name.
    public static func command(_ words: String) -> CommandSpec? { commands.first { $0.words == words } }

    /// The specification of a command.
    public static func command(_ name: CommandName) -> CommandSpec { specs[name] ?? open }

    /// Whether an option, as it is written, has its value in the word after it, whichever command it is for.
    static func takesNextWord(_ word: String) -> Bool {
        let specs = commands.flatMap(\.options)
        if word.hasPrefix("--") { return specs.first { "--\($0.name)" == word }?.value != nil }
        return word.count == 2 && specs.first { $0.short == word.last }?.value != nil
    }

    private static let specs = Dictionary(uniqueKeysWithValues: commands.map { ($0.name, $0) })

    static let source = OperandSpec(
        placeholder: "SOURCE",
        help: "world (embedded, the default), a name that rhumb source list shows, a file.mbtiles, a file.gpkg, a "
            + "file.pmtiles, a folder of z/x/y.png, .jpg, .webp or .pbf, or on the web: a template with {z}, {x} "
            + "and {y}, a TileJSON document or a .pmtiles; features to lie over the world, as --over takes them; or a place "
            + "on it: coordinates, geo:, a link to a map, a geohash, a plus code",
        isRequired: false)

    static let common = [
        OptionSpec(.help, "h", isConfigurable: false, help: "show this help and exit"),
        OptionSpec(.version, "V", isConfigurable: false, help: "show the version and exit"),
    ]

    static let config = OptionSpec(
        .config, nil, .path, isConfigurable: false, help: "read this configuration file")

    private static let view = [
        OptionSpec(
            .center, "c", .place,
            help: "look here: a name such as \"Turku\", or coordinates, with a zoom or width after them: \"60.39,22.37 12\""),
        OptionSpec(
            .zoom, "z", .number(-5...24), metavar: "Z", help: "how close: 0 is the world, 18 a street"),
        OptionSpec(
            .width, "w", .width, rivals: [Option.zoom.name],
            help: "how close, as the width of the view on the ground: 7km"),
        OptionSpec(
            .bbox, "b", .bounds, rivals: [Option.center.name, Option.zoom.name, Option.width.name], isConfigurable: false,
            help: "look at this box of degrees"),
        OptionSpec(
            .tileSize, nil, .word(["64", "128", "256", "512", "1024", "2048", "4096"]),
            help: "pixels of a web source's tiles, where its address does not tell or offers several sizes"),
        OptionSpec(
            .scale, nil, .whole(1...2),
            help: "pixels of a web source's tiles for each of the map's: 2 is finer, where it offers @2x or sizes"),
        OptionSpec(.tms, help: "rows of folders count from the south"),
        OptionSpec(
            .detail, "d", .whole(-2...3), help: "tiles finer (1 to 3) or coarser (-1, -2) than usual"),
        style,
        OptionSpec(
            .streets, nil, .text, metavar: "NAME|off",
            help: "show streets over the built-in world map, from this source: openfreemap, versatiles, osm-vector"),
    ] + labels + overlays

    private static let drawing = [
        OptionSpec(
            .symbols, "s", .symbols,
            help: "glyphs: auto, ascii, half, quadrant, sextant, octant, braille or a sum"),
        OptionSpec(
            .colors, nil, .word(["auto", "truecolor", "256", "16", "mono"]),
            help: "colours of the terminal"),
        OptionSpec(
            .sharpen, nil, .number(0...1),
            help: "bring out thin roads, coasts and borders: 0 (as they are) to 1"),
        OptionSpec(.mix, help: "with 256 colours, mix them within cells: truer colours, rougher detail"),
    ]

    /// Opening the map: what is said without a command.
    public static let open = CommandSpec(
        name: .open, summary: "Open a map in the terminal.", operand: source,
        options: view + drawing + network + regionStore + [
            catalog,
            engine,
            terrain,
            OptionSpec(.units, nil, .word(["metric", "imperial"]), help: "units of the scale bar"),
            config,
            OptionSpec(
                .printConfig, isConfigurable: false, help: "print a commented configuration file and exit"),
            OptionSpec(
                .bandwidth, nil, .bytes(1000...1_000_000_000),
                help: "bytes a second to send while the view moves, such as 30k; measured if not given"),
            OptionSpec(.noAnimation, help: "jump instead of flying"),
            OptionSpec(.fade, help: "fade new tiles in, where colours and the line allow"),
            OptionSpec(.noMouse, help: "leave the mouse to the terminal"),
        ] + common,
        details: [
            "Press ? for the keys. The last view is remembered: u goes back to it.",
            "\(Promises.title): rhumb help promises.",
        ],
        examples: [
            ("rhumb", "the world, with no network and nothing to configure"),
            ("rhumb city.mbtiles", "look at an archive"),
            ("rhumb osm", "OpenStreetMap, through the shared cache"),
            ("rhumb -c 60.45,22.26 -w 30km", "Turku and what is around it"),
            ("rhumb osm --over walk.gpx", "a track over a map, framed"),
            ("tail -f places.csv | rhumb -", "places as they come"),
        ])

    static let streets = CommandSpec(
        name: .streets, summary: "Open the map with streets from the web.",
        operand: OperandSpec(
            placeholder: "PLACE", help: "coordinates, geo:, a link to a map, a geohash or a plus code", isRequired: false),
        options: open.options,
        details: [
            "The server receives your IP address and the tile numbers of the views you open. Tiles stay in the cache.",
            "Rhumb remembers the choice; :streets off or --streets off undoes it.",
        ],
        examples: [
            ("rhumb streets", "the world, with streets from OpenFreeMap"),
            ("rhumb streets --streets versatiles", "streets from another source"),
        ])

    static let render = CommandSpec(
        name: .render, summary: "Print one picture of a map and exit.", operand: source,
        options: view + drawing + network + regionStore + [
            OptionSpec(.size, nil, .size, help: "cells of the picture; the terminal's size, or 80x24"),
            OptionSpec(
                .format, "f", .word(["ansi", "text", "svg", "png", "webp"]),
                help: "colours and glyphs, bare glyphs, shapes, or pixels; as the file ends if not given"),
            OptionSpec(
                .output, "o", .path, isConfigurable: false,
                help: "write to this file, .png, .webp, .svg, .ans or .txt, instead of standard output (-)"),
            OptionSpec(
                .shownRoute, nil, .text, metavar: "FILE|PLACES", isConfigurable: false,
                help: "show a route: a .gpx, a .json that rhumb route wrote, or places to ask for one: \"Monaco; Nice\""),
            engine,
            OptionSpec(.legend, help: "draw the scale bar and the legend of traffic"),
            OptionSpec(
                .timeout, nil, .number(0...3600), metavar: "SECONDS",
                help: "how long to wait for tiles, and for another program that writes to the cache or the regions (30); "
                    + "exit 3 if tiles are missing"),
            OptionSpec(
                .image, nil, .path, isConfigurable: false,
                help: "draw this PNG, JPEG or WebP instead of a map"),
            config,
        ] + common,
        details: [
            "A PNG or WebP has 8 × 16 pixels for each cell. Picture files have all colours and bear the attribution. "
                + "A pipe gets braille without colours; --format ansi or --colors adds colours.",
        ],
        examples: [
            ("rhumb render --size 120x40 --format ansi", "the world as a terminal shows it"),
            ("rhumb render -b 19,59,32,71 -f png -o fi.png", "a picture of Finland"),
        ])

    static let inspect = CommandSpec(
        name: .inspect, summary: "Say what a tile archive holds, and what is wrong with it.",
        operand: OperandSpec(
            placeholder: "FILE", help: "an .mbtiles, a .gpkg, a .pmtiles or a folder of tiles", isRequired: true),
        options: [
            OptionSpec(.json, isConfigurable: false, help: "for programs to read"),
            OptionSpec(.tms, help: "rows of folders count from the south"),
        ] + common,
        details: ["Exits with 3 when the archive has faults."],
        examples: [("rhumb inspect city.mbtiles", "zooms, counts, sizes, bounds, gaps, faults")])

    static let doctor = CommandSpec(
        name: .doctor, summary: "Say what this terminal can show and why.", operand: nil,
        options: [
            OptionSpec(
                .card, rivals: [Option.json.name], isConfigurable: false,
                help: "print a test card of every glyph set"),
            OptionSpec(.json, isConfigurable: false, help: "for programs to read"), dataPath,
        ] + drawing + [config] + common,
        details: ["Into a pipe, the card has colours only when asked for with --colors."])

    static let help = CommandSpec(
        name: .help, summary: "Show the help of a command.",
        operand: OperandSpec(
            placeholder: "COMMAND",
            help: "a command, such as region add; without one, opening the map; promises: \(Promises.title); catalog: how they are written; privacy: the hosts that Rhumb may contact", isRequired: false,
            words: (working + [man, completions]).filter { $0.family == nil }.map(\.words) + ["promises", "privacy", "catalog"],
            isJoined: true),
        options: common)

    static let man = CommandSpec(
        name: .man, summary: "Print the manual page.", operand: nil, options: common)

    static let completions = CommandSpec(
        name: .completions, summary: "Print completions for a shell.",
        operand: OperandSpec(
            placeholder: "SHELL", help: "the shell to make them for", isRequired: true,
            words: ["bash", "zsh", "fish"]),
        options: common)
}
