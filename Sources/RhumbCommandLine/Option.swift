public import RhumbCore

/// The name of an option and the type of its value, so that `invocation[.zoom]` is a number and a
/// name that no option has does not compile. A switch has a `Bool`.
public struct Option<Value: Sendable>: Sendable {
    /// Without the dashes.
    public let name: String

    fileprivate init(_ name: String) { self.name = name }
}

// MARK: Switches

extension Option<Bool> {
    public static var acceptExpired: Self { Self("accept-expired") }
    public static var card: Self { Self("card") }
    public static var detach: Self { Self("detach") }
    public static var exact: Self { Self("exact") }
    public static var fade: Self { Self("fade") }
    public static var force: Self { Self("force") }
    public static var help: Self { Self("help") }
    public static var json: Self { Self("json") }
    public static var metered: Self { Self("metered") }
    public static var mix: Self { Self("mix") }
    public static var noAnimation: Self { Self("no-animation") }
    public static var noMouse: Self { Self("no-mouse") }
    public static var offline: Self { Self("offline") }
    public static var permitted: Self { Self("permitted") }
    public static var printConfig: Self { Self("print-config") }
    public static var reconfigure: Self { Self("reconfigure") }
    public static var tms: Self { Self("tms") }
    public static var version: Self { Self("version") }
}

// MARK: Words, paths and sources

extension Option<String> {
    public static var along: Self { Self("along") }
    public static var authorities: Self { Self("ca-file") }
    public static var cachePath: Self { Self("cache-path") }
    public static var colors: Self { Self("colors") }
    public static var config: Self { Self("config") }
    public static var dataPath: Self { Self("data-path") }
    public static var features: Self { Self("features") }
    public static var format: Self { Self("format") }
    public static var from: Self { Self("from") }
    public static var geoJSON: Self { Self("geojson") }
    public static var image: Self { Self("image") }
    public static var labels: Self { Self("labels") }
    public static var metadata: Self { Self("metadata") }
    public static var name: Self { Self("name") }
    public static var nameLanguage: Self { Self("names") }
    public static var newID: Self { Self("to") }
    public static var olderThan: Self { Self("older-than") }
    public static var output: Self { Self("output") }
    public static var over: Self { Self("over") }
    public static var passThrough: Self { Self("pass-through") }
    public static var prefetch: Self { Self("prefetch") }
    public static var sort: Self { Self("sort") }
    public static var source: Self { Self("source") }
    public static var state: Self { Self("state") }
    public static var store: Self { Self("store") }
    public static var style: Self { Self("style") }
    public static var tileSize: Self { Self("tile-size") }
    public static var traffic: Self { Self("traffic") }
    public static var trafficColors: Self { Self("traffic-colors") }
    public static var units: Self { Self("units") }
    public static var userAgent: Self { Self("user-agent") }
}

// MARK: Numbers

extension Option<Int> {
    public static var bandwidth: Self { Self("budget") }
    public static var cacheSize: Self { Self("cache-size") }
    public static var detail: Self { Self("detail") }
    public static var limit: Self { Self("limit") }
    public static var port: Self { Self("port") }
    public static var rate: Self { Self("rate") }
    public static var regionQuota: Self { Self("region-quota") }
    public static var scale: Self { Self("scale") }
    public static var trimmedSize: Self { Self("to") }
}

extension Option<Double> {
    /// In metres.
    public static var radius: Self { Self("radius") }
    public static var sharpen: Self { Self("sharpen") }
    /// In seconds.
    public static var timeout: Self { Self("timeout") }
    /// In metres.
    public static var width: Self { Self("width") }
    public static var zoom: Self { Self("zoom") }
}

// MARK: Places and parts of the map

extension Option<PlaceText> {
    public static var around: Self { Self("around") }
    public static var center: Self { Self("center") }
    public static var near: Self { Self("near") }
}

extension Option<Bounds> {
    public static var bbox: Self { Self("bbox") }
}

extension Option<ClosedRange<Int>> {
    public static var zooms: Self { Self("zooms") }
}

extension Option<TileID> {
    public static var tile: Self { Self("tile") }
}

// MARK: Pictures

extension Option<(columns: Int, rows: Int)> {
    public static var size: Self { Self("size") }
}

extension Option<Symbols?> {
    /// nil: auto.
    public static var symbols: Self { Self("symbols") }
}
