public import RhumbCore

/// The name of an option and the type of its value, so that `invocation[.zoom]` is a number, and an unknown
/// name does not compile. A switch has the type `Bool`. The command table documents each option.
public struct Option<Value: Sendable>: Sendable {
    /// The name without the dashes.
    public let name: String

    fileprivate init(_ name: String) { self.name = name }
}

// MARK: Switches

extension Option<Bool> {
    /// Show terrain shading and contours.
    public static var hills: Self { Self("hills") }
    /// Use stored tiles of any age.
    public static var acceptExpired: Self { Self("accept-expired") }
    /// Update only if the computer is idle.
    public static var ifIdle: Self { Self("if-idle") }
    /// Update only if the connection is not metered.
    public static var ifUnmetered: Self { Self("if-unmetered") }
    /// Replace all old editions together.
    public static var allAtEnd: Self { Self("all-at-end") }
    /// Update only if all packages reach the same edition.
    public static var allSame: Self { Self("all-same") }
    /// Ask no server directly while the caching proxy is down.
    public static var cacheProxyOnly: Self { Self("cache-proxy-only") }
    /// Trust the fields that a proxy in front of the server adds.
    public static var trustForwarded: Self { Self("trust-forwarded") }
    /// Check every tile of an archive.
    public static var check: Self { Self("check") }
    /// Print the features of a tile.
    public static var decode: Self { Self("decode") }
    /// List the layers and fields of an archive.
    public static var fields: Self { Self("fields") }
    /// List the largest tiles of an archive.
    public static var tiles: Self { Self("tiles") }
    /// Read the sizes of an update from the archives.
    public static var sizes: Self { Self("sizes") }
    /// Print the test card.
    public static var card: Self { Self("card") }
    /// Run in the background, in a separate process.
    public static var detach: Self { Self("detach") }
    /// Only report the download size.
    public static var estimate: Self { Self("estimate") }
    /// Download only the tiles in the area, not whole packs. This is the default.
    public static var exact: Self { Self("exact") }
    /// Download all tiles of each pack that the area touches.
    public static var wholePacks: Self { Self("whole-packs") }
    /// Fade new tiles in.
    public static var fade: Self { Self("fade") }
    /// The vehicle carries dangerous goods.
    public static var hazardous: Self { Self("hazmat") }
    /// Route in the opposite direction.
    public static var back: Self { Self("reverse") }
    /// Draw a margin with coordinates.
    public static var frame: Self { Self("frame") }
    /// Replace an existing file.
    public static var force: Self { Self("force") }
    /// Show the command's help and exit.
    public static var help: Self { Self("help") }
    /// Print JSON.
    public static var json: Self { Self("json") }
    /// Print tab-separated values.
    public static var tsv: Self { Self("tsv") }
    /// Draw the scale bar and the legends.
    public static var legend: Self { Self("legend") }
    /// The connection is metered, so downloads wait.
    public static var metered: Self { Self("metered") }
    /// Dither 256 colours within cells.
    public static var mix: Self { Self("mix") }
    /// Jump instead of flying.
    public static var noAnimation: Self { Self("no-animation") }
    /// Leave the mouse to the terminal.
    public static var noMouse: Self { Self("no-mouse") }
    /// Store no tracks of receivers.
    public static var noRecord: Self { Self("no-record") }
    /// Never use the network.
    public static var offline: Self { Self("offline") }
    /// Also ask a search service on the web.
    public static var online: Self { Self("online") }
    /// The provider has permitted the download.
    public static var permitted: Self { Self("permitted") }
    /// Print a configuration file and exit.
    public static var printConfig: Self { Self("print-config") }
    /// Run as lines of text, without a screen.
    public static var plain: Self { Self("plain") }
    /// Print only errors.
    public static var silent: Self { Self("silent") }
    /// Print no progress and no notes.
    public static var quiet: Self { Self("quiet") }
    /// Apply the features that are enabled now.
    public static var reconfigure: Self { Self("reconfigure") }
    /// Show differences on the map.
    public static var show: Self { Self("show") }
    /// Use only the sizes in the directories of an archive.
    public static var sizesOnly: Self { Self("sizes-only") }
    /// Write a repaired copy.
    public static var repair: Self { Self("repair") }
    /// Request heights along a route, or download them with a region.
    public static var heights: Self { Self("heights") }
    /// Download no heights.
    public static var noHeights: Self { Self("no-heights") }
    /// Count the rows of tile folders from the south.
    public static var tms: Self { Self("tms") }
    /// Show the version and exit.
    public static var version: Self { Self("version") }
}

// MARK: Words, paths and sources

extension Option<String> {
    /// The region, package or archive to search.
    public static var searchArea: Self { Self("in") }
    /// The kind of places and features to search for.
    public static var kind: Self { Self("kind") }
    /// A file with the lines that a corridor follows.
    public static var along: Self { Self("along") }
    /// The letters of the bookmarks in an area.
    public static var bookmarks: Self { Self("bookmarks") }
    /// The end of a journey without a network.
    public static var until: Self { Self("until") }
    /// The original style of a converted one.
    public static var base: Self { Self("base") }
    /// A file of certificate authorities (PEM).
    public static var authorities: Self { Self("ca-file") }
    /// The file of the shared cache.
    public static var cachePath: Self { Self("cache-path") }
    /// The IP address to listen on.
    public static var bind: Self { Self("bind") }
    /// The address of the team's caching proxy.
    public static var cacheProxy: Self { Self("cache-proxy") }
    /// The address or file of a catalogue of packages; may be repeated.
    public static var catalog: Self { Self("catalog") }
    /// The number of colours.
    public static var colors: Self { Self("colors") }
    /// The configuration file.
    public static var config: Self { Self("config") }
    /// The folder of the regions.
    public static var dataPath: Self { Self("data-path") }
    /// The style that an editor saved.
    public static var edited: Self { Self("edited") }
    /// The address of the object store.
    public static var endpoint: Self { Self("endpoint") }
    /// The edition to publish.
    public static var edition: Self { Self("edition") }
    /// The enabled features, by name.
    public static var features: Self { Self("features") }
    /// The rows of statistics: zooms, layers or tiles.
    public static var by: Self { Self("by") }
    /// The format of an image.
    public static var format: Self { Self("format") }
    /// The archive to import as a region.
    public static var from: Self { Self("from") }
    /// A GeoJSON file with the polygons of a region.
    public static var geoJSON: Self { Self("geojson") }
    /// The host of gpsd, which reports positions.
    public static var gpsd: Self { Self("gpsd") }
    /// The source whose rules the user accepts.
    public static var agree: Self { Self("agree") }
    /// The kinds of road that a route avoids.
    public static var avoid: Self { Self("avoid") }
    /// The departure time of a route.
    public static var departure: Self { Self("depart") }
    /// The destination of a route.
    public static var destination: Self { Self("to") }
    /// A routing engine, or one for each mode if repeated; in a search, the search service.
    public static var engine: Self { Self("engine") }
    /// Travel times of a reachable area.
    public static var within: Self { Self("within") }
    /// The travel mode.
    public static var mode: Self { Self("mode") }
    /// A route to draw on a picture: a file, or places to route between.
    public static var shownRoute: Self { Self("route") }
    /// A place that a route passes through; may be repeated.
    public static var via: Self { Self("via") }
    /// The URL of a style's glyphs.
    public static var glyphs: Self { Self("glyphs") }
    /// The id of a published catalogue.
    public static var id: Self { Self("id") }
    /// A picture to draw instead of a map.
    public static var image: Self { Self("image") }
    /// A file with keys.
    public static var keysFile: Self { Self("keys-file") }
    /// The coordinate grid over the map.
    public static var grid: Self { Self("grid") }
    /// The labels over the map.
    public static var labels: Self { Self("labels") }
    /// Custom metadata to store with a region, as JSON.
    public static var metadata: Self { Self("metadata") }
    /// The key that must have signed a catalogue.
    public static var key: Self { Self("key") }
    /// The file of the secret key that signs a catalogue.
    public static var sign: Self { Self("sign") }
    /// The file of the secret key that signed a catalogue before.
    public static var oldKey: Self { Self("old-key") }
    /// The file of a bug report.
    public static var report: Self { Self("report") }
    /// The name of a region.
    public static var name: Self { Self("name") }
    /// The language of labels.
    public static var nameLanguage: Self { Self("names") }
    /// The new id of a region.
    public static var newID: Self { Self("to") }
    /// A minimum age, such as 12h; only older tiles are updated.
    public static var olderThan: Self { Self("older-than") }
    /// A time span, such as 30d; only items that expire within it are listed.
    public static var expiring: Self { Self("expiring") }
    /// Further zooms of a region, such as 5-6@2 for zooms 5 to 6 at scale 2.
    public static var alsoZooms: Self { Self("also-zooms") }
    /// A layer of a vector tile.
    public static var layer: Self { Self("layer") }
    /// The map to draw.
    public static var map: Self { Self("map") }
    /// The output file.
    public static var output: Self { Self("output") }
    /// An archive, or a folder of them, that is drawn with others as one map; may be repeated.
    public static var quilt: Self { Self("quilt") }
    /// A web origin whose pages may read the responses of the server; may be repeated.
    public static var origin: Self { Self("origin") }
    /// A source to draw over the map; may be repeated.
    public static var over: Self { Self("over") }
    /// The features that may use the network while offline, by name.
    public static var passThrough: Self { Self("pass-through") }
    /// The features to fetch ahead, by name.
    public static var prefetch: Self { Self("prefetch") }
    /// The rule for tiles that are in more than one archive.
    public static var onDuplicate: Self { Self("on-duplicate") }
    /// A GeoJSON file with the area to extract.
    public static var areaFile: Self { Self("region") }
    /// The order of a list.
    public static var sort: Self { Self("sort") }
    /// A source, by name or location; may be repeated for regions.
    public static var source: Self { Self("source") }
    /// The URL of a style's sprite.
    public static var sprites: Self { Self("sprites") }
    /// The state of cache entries.
    public static var state: Self { Self("state") }
    /// The use of the region store.
    public static var store: Self { Self("store") }
    /// The protocol for a map in pixels.
    public static var pixels: Self { Self("pixels") }
    /// The source of streets over the built-in world map, or "off".
    public static var streets: Self { Self("streets") }
    /// A file with the number of requests for each tile.
    public static var weights: Self { Self("weights") }
    /// "day", "night", or a style's file or URL.
    public static var style: Self { Self("style") }
    /// The attribute that features are coloured by.
    public static var styleBy: Self { Self("style-by") }
    /// The source of heights.
    public static var terrain: Self { Self("terrain") }
    /// The size of a web source's tiles, in pixels.
    public static var tileSize: Self { Self("tile-size") }
    /// The traffic to show, in words.
    public static var traffic: Self { Self("traffic") }
    /// The colours of traffic flow.
    public static var trafficColors: Self { Self("traffic-colors") }
    /// The distance between contour lines: "auto", "off" or a number.
    public static var contours: Self { Self("contours") }
    /// The units of distances.
    public static var units: Self { Self("units") }
    /// The User-Agent header.
    public static var userAgent: Self { Self("user-agent") }
    /// The layers that are visible in the editor.
    public static var visibility: Self { Self("visibility") }
    /// The folder that other files are relative to.
    public static var workFolder: Self { Self("workdir") }
}

// MARK: Numbers

extension Option<Int> {
    /// The number of bytes per second to send while the view moves.
    public static var bandwidth: Self { Self("budget") }
    /// The maximum size of the shared cache, in bytes.
    public static var cacheSize: Self { Self("cache-size") }
    /// The number of alternative routes.
    public static var alternatives: Self { Self("alternatives") }
    /// The change of the tile zoom, −2…3.
    public static var detail: Self { Self("detail") }
    /// The maximum number of lines of a description.
    public static var lines: Self { Self("lines") }
    /// The maximum number of rows in a list.
    public static var limit: Self { Self("limit") }
    /// The maximum number of open connections.
    public static var connectionLimit: Self { Self("connections") }
    /// The number of days for which a signed catalogue is valid.
    public static var expires: Self { Self("expires") }
    /// The port to listen on.
    public static var port: Self { Self("port") }
    /// The size above which an update is postponed, in bytes.
    public static var maxBytes: Self { Self("max-bytes") }
    /// The speed limit of all downloads together, in bytes per second.
    public static var rate: Self { Self("rate") }
    /// The maximum size of all regions, in bytes.
    public static var regionQuota: Self { Self("region-quota") }
    /// The maximum number of tiles to read at each zoom.
    public static var sample: Self { Self("sample") }
    /// The number of tile pixels per map pixel: 1 or 2.
    public static var scale: Self { Self("scale") }
    /// The stored size that no tile should exceed, in bytes.
    public static var tileBudget: Self { Self("budget") }
    /// The maximum number of differences, faults or largest tiles to list.
    public static var top: Self { Self("top") }
    /// The size to trim the cache to, in bytes.
    public static var trimmedSize: Self { Self("to") }
}

extension Option<Double> {
    /// The distance in height between contour lines.
    public static var interval: Self { Self("interval") }
    /// The weight on each axle of a vehicle, in tonnes.
    public static var axleLoad: Self { Self("axle-load") }
    /// The direction that the user faces, in degrees clockwise from north.
    public static var heading: Self { Self("heading") }
    /// The height of a vehicle, in metres.
    public static var height: Self { Self("height") }
    /// The length of a vehicle, in metres.
    public static var length: Self { Self("length") }
    /// The weight of a vehicle, in tonnes.
    public static var weight: Self { Self("weight") }
    /// The radius of a region's circle, in metres.
    public static var radius: Self { Self("radius") }
    /// The emphasis of thin lines, 0…1.
    public static var sharpen: Self { Self("sharpen") }
    /// The time after which features without updates are removed, in seconds.
    public static var timeToLive: Self { Self("ttl") }
    /// The time limit for tiles, in seconds.
    public static var timeout: Self { Self("timeout") }
    /// The maximum distance from a line, in metres.
    public static var distance: Self { Self("distance") }
    /// The width of the view on the ground, of a corridor, or of a vehicle, in metres.
    public static var width: Self { Self("width") }
    /// The zoom of the view.
    public static var zoom: Self { Self("zoom") }
}

// MARK: Places and parts of the map

extension Option<ParsedLocation> {
    /// The centre of a region's circle.
    public static var around: Self { Self("around") }
    /// The centre of the view.
    public static var center: Self { Self("center") }
    /// The place near which results are preferred.
    public static var near: Self { Self("near") }
}

extension Option<Bounds> {
    /// A box, in degrees.
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

extension Option<PictureSize> {
    /// The size of a picture, in cells.
    public static var size: Self { Self("size") }
}

extension Option<Symbols?> {
    /// The glyph sets of pictures; nil for auto.
    public static var symbols: Self { Self("symbols") }
}

extension Option<MapTime> {
    /// The time whose day and night are shown.
    public static var at: Self { Self("at") }
}
