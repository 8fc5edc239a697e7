public import RhumbCore

/// The name of an option and the type of its value, so that `invocation[.zoom]` is a number, and an unknown
/// name does not compile. A switch has a `Bool`. The command table has the meaning of each option.
public struct Option<Value: Sendable>: Sendable {
    /// Without the dashes.
    public let name: String

    fileprivate init(_ name: String) { self.name = name }
}

// MARK: Switches

extension Option<Bool> {
    /// Use stored tiles of any age.
    public static var acceptExpired: Self { Self("accept-expired") }
    /// New editions take their places together.
    public static var allAtEnd: Self { Self("all-at-end") }
    /// All packages come to the same edition, or none is updated.
    public static var allSame: Self { Self("all-same") }
    /// Print the test card.
    public static var card: Self { Self("card") }
    /// Go on in a process of its own.
    public static var detach: Self { Self("detach") }
    /// Only say what would be fetched.
    public static var estimate: Self { Self("estimate") }
    /// Only the tiles touched, not whole packs: the default.
    public static var exact: Self { Self("exact") }
    /// All tiles of each pack touched.
    public static var wholePacks: Self { Self("whole-packs") }
    /// Fade new tiles in.
    public static var fade: Self { Self("fade") }
    /// A vehicle carries dangerous goods.
    public static var hazardous: Self { Self("hazmat") }
    /// The way back.
    public static var back: Self { Self("reverse") }
    /// Replace a file of that name.
    public static var force: Self { Self("force") }
    /// Show the command's help and exit.
    public static var help: Self { Self("help") }
    /// Print for programs to read.
    public static var json: Self { Self("json") }
    /// Draw the scale bar and the legends.
    public static var legend: Self { Self("legend") }
    /// Downloads wait: the connection is metered.
    public static var metered: Self { Self("metered") }
    /// Mix 256 colours within cells.
    public static var mix: Self { Self("mix") }
    /// Jump instead of flying.
    public static var noAnimation: Self { Self("no-animation") }
    /// Leave the mouse to the terminal.
    public static var noMouse: Self { Self("no-mouse") }
    /// Never use the network.
    public static var offline: Self { Self("offline") }
    /// Ask a search service on the web, too.
    public static var online: Self { Self("online") }
    /// The provider has permitted the download.
    public static var permitted: Self { Self("permitted") }
    /// Print a configuration file and exit.
    public static var printConfig: Self { Self("print-config") }
    /// Say only what went wrong.
    public static var silent: Self { Self("silent") }
    /// Print no progress and no notes.
    public static var quiet: Self { Self("quiet") }
    /// Take the features that are enabled now.
    public static var reconfigure: Self { Self("reconfigure") }
    /// Request heights along a route.
    public static var heights: Self { Self("heights") }
    /// Rows of folders count from the south.
    public static var tms: Self { Self("tms") }
    /// Show the version and exit.
    public static var version: Self { Self("version") }
}

// MARK: Words, paths and sources

extension Option<String> {
    /// The region or archive that is searched.
    public static var searchArea: Self { Self("in") }
    /// Of which kind things are that are searched for.
    public static var kind: Self { Self("kind") }
    /// A file with the lines that a region lies along.
    public static var along: Self { Self("along") }
    /// The style that another was made of.
    public static var base: Self { Self("base") }
    /// A file of certificate authorities (PEM).
    public static var authorities: Self { Self("ca-file") }
    /// The file of the shared cache.
    public static var cachePath: Self { Self("cache-path") }
    /// The address or file of a catalogue of packages; may be repeated.
    public static var catalog: Self { Self("catalog") }
    /// The number of colours.
    public static var colors: Self { Self("colors") }
    /// The configuration file.
    public static var config: Self { Self("config") }
    /// The folder of the regions.
    public static var dataPath: Self { Self("data-path") }
    /// The style that an editor gave back.
    public static var edited: Self { Self("edited") }
    /// The edition to publish.
    public static var edition: Self { Self("edition") }
    /// The enabled features, by name.
    public static var features: Self { Self("features") }
    /// The format of an image.
    public static var format: Self { Self("format") }
    /// The archive that a region is made of.
    public static var from: Self { Self("from") }
    /// A file with the shapes of a region.
    public static var geoJSON: Self { Self("geojson") }
    /// The host of gpsd, which tells a position.
    public static var gpsd: Self { Self("gpsd") }
    /// The source whose rules are agreed to.
    public static var agree: Self { Self("agree") }
    /// The kinds of road that a route avoids.
    public static var avoid: Self { Self("avoid") }
    /// When a route begins.
    public static var departure: Self { Self("depart") }
    /// The destination of a route.
    public static var destination: Self { Self("to") }
    /// A routing engine; may be repeated, an address for each mode.
    public static var engine: Self { Self("engine") }
    /// Times, in minutes.
    public static var minutes: Self { Self("minutes") }
    /// The travel mode.
    public static var mode: Self { Self("mode") }
    /// A route on a picture: a file, or places.
    public static var shownRoute: Self { Self("route") }
    /// A place that a route goes by; may be repeated.
    public static var via: Self { Self("via") }
    /// The address of a style's glyphs.
    public static var glyphs: Self { Self("glyphs") }
    /// Of a catalogue that is published.
    public static var id: Self { Self("id") }
    /// A picture to draw instead of a map.
    public static var image: Self { Self("image") }
    /// A file with keys.
    public static var keysFile: Self { Self("keys-file") }
    /// The labels over the map.
    public static var labels: Self { Self("labels") }
    /// JSON to keep with a region.
    public static var metadata: Self { Self("metadata") }
    /// The name of a region.
    public static var name: Self { Self("name") }
    /// The language of labels.
    public static var nameLanguage: Self { Self("names") }
    /// The new id of a region.
    public static var newID: Self { Self("to") }
    /// An age, such as 12h: only older tiles.
    public static var olderThan: Self { Self("older-than") }
    /// A time span, such as 30d: only items that expire within it.
    public static var expiring: Self { Self("expiring") }
    /// Further zooms of a region, such as 5-6@2: zooms 5 to 6 at scale 2.
    public static var alsoZooms: Self { Self("also-zooms") }
    /// The map that is opened.
    public static var map: Self { Self("map") }
    /// The file that is written.
    public static var output: Self { Self("output") }
    /// A source that is laid over the map; may be repeated.
    public static var over: Self { Self("over") }
    /// The features that may use the network while offline, by name.
    public static var passThrough: Self { Self("pass-through") }
    /// The features fetched before they are looked at, by name.
    public static var prefetch: Self { Self("prefetch") }
    /// The order of a list.
    public static var sort: Self { Self("sort") }
    /// A source, as it is named or found; may be repeated for regions.
    public static var source: Self { Self("source") }
    /// The address of a style's sprite.
    public static var sprites: Self { Self("sprites") }
    /// The state of cache entries.
    public static var state: Self { Self("state") }
    /// The use of the region store.
    public static var store: Self { Self("store") }
    /// The source of streets over the built-in world map, or off.
    public static var streets: Self { Self("streets") }
    /// Day, night, or a style's file or address.
    public static var style: Self { Self("style") }
    /// The attribute that features are coloured by.
    public static var styleBy: Self { Self("style-by") }
    /// The source of heights.
    public static var terrain: Self { Self("terrain") }
    /// Pixels of a web source's tiles.
    public static var tileSize: Self { Self("tile-size") }
    /// The traffic that is shown, in words.
    public static var traffic: Self { Self("traffic") }
    /// The colours of traffic flow.
    public static var trafficColors: Self { Self("traffic-colors") }
    /// The units of distances.
    public static var units: Self { Self("units") }
    /// The user agent.
    public static var userAgent: Self { Self("user-agent") }
    /// Which layers an editor shows.
    public static var visibility: Self { Self("visibility") }
    /// The folder that other files are named from.
    public static var workFolder: Self { Self("workdir") }
}

// MARK: Numbers

extension Option<Int> {
    /// Bytes a second to send while the view moves.
    public static var bandwidth: Self { Self("budget") }
    /// Bytes the shared cache may take.
    public static var cacheSize: Self { Self("cache-size") }
    /// The number of alternative routes.
    public static var alternatives: Self { Self("alternatives") }
    /// The change of the tile zoom, −2…3.
    public static var detail: Self { Self("detail") }
    /// The most rows of a list.
    public static var limit: Self { Self("limit") }
    /// The port to serve at.
    public static var port: Self { Self("port") }
    /// Bytes a second that downloads may take together.
    public static var rate: Self { Self("rate") }
    /// Bytes all regions may take.
    public static var regionQuota: Self { Self("region-quota") }
    /// Pixels of tiles for each of the map's: 1 or 2.
    public static var scale: Self { Self("scale") }
    /// Bytes that the cache is brought down to.
    public static var trimmedSize: Self { Self("to") }
}

extension Option<Double> {
    /// Of a vehicle, on each axle, in tonnes.
    public static var axleLoad: Self { Self("axle-load") }
    /// Of a vehicle, in metres.
    public static var height: Self { Self("height") }
    /// Of a vehicle, in metres.
    public static var length: Self { Self("length") }
    /// Of a vehicle, in tonnes.
    public static var weight: Self { Self("weight") }
    /// Of the circle of a region, in metres.
    public static var radius: Self { Self("radius") }
    /// The emphasis of thin lines, 0…1.
    public static var sharpen: Self { Self("sharpen") }
    /// After how many seconds features go that are not heard of again.
    public static var timeToLive: Self { Self("ttl") }
    /// The time limit for tiles, in seconds.
    public static var timeout: Self { Self("timeout") }
    /// Of the view on the ground, or across a line, in metres.
    public static var width: Self { Self("width") }
    /// The zoom of the view.
    public static var zoom: Self { Self("zoom") }
}

// MARK: Places and parts of the map

extension Option<ParsedLocation> {
    /// The middle of a region's circle.
    public static var around: Self { Self("around") }
    /// The middle of the view.
    public static var center: Self { Self("center") }
    /// The place near which results are preferred.
    public static var near: Self { Self("near") }
}

extension Option<Bounds> {
    /// A box of degrees.
    public static var bbox: Self { Self("bbox") }
}

extension Option<ClosedRange<Int>> {
    /// A range of zooms.
    public static var zooms: Self { Self("zooms") }
}

extension Option<TileID> {
    /// A tile.
    public static var tile: Self { Self("tile") }
}

// MARK: Pictures

extension Option<(columns: Int, rows: Int)> {
    /// Cells of a picture.
    public static var size: Self { Self("size") }
}

extension Option<Symbols?> {
    /// The glyphs of pictures; nil: auto.
    public static var symbols: Self { Self("symbols") }
}

extension Option<MapTime> {
    /// The moment whose day and night are shown.
    public static var at: Self { Self("at") }
}
