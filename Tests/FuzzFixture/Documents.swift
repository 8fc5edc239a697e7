import Rhumb
import RhumbCommandLine
import RhumbTestSupport

/// Targets for styles, source descriptions, shapes and configuration.
extension FuzzTarget {
    static let documentTargets = [
        FuzzTarget("style", texts: [styleText]) { bytes in
            guard let style = try? Style(bytes) else { return }
            draw(vectorTiles[0], by: VectorPainter(style, source: "v"))
        },
        FuzzTarget("tilejson", texts: [tileJSON]) { bytes in
            guard let json = try? JSON.parse(bytes) else { return }
            guard let source = try? TileJSON.read(json, from: "https://tiles.example/t.json", id: "t") else {
                return
            }
            _ = source.info
            _ = source.json.text
        },
        FuzzTarget("sources", texts: [sourceList]) { bytes in
            guard let json = try? JSON.parse(bytes) else { return }
            _ = (try? SourceList.read(json))?.map(\.json.text)
        },
        FuzzTarget("geojson", texts: [geoJSON]) { bytes in
            if let geometry = try? RegionGeometry(geoJSONText: bytes) { cover(geometry) }
            guard let json = try? JSON.parse(bytes), let features = try? FeatureCollection(json) else {
                return
            }
            for zoom in [0, 9, 16] { draw(features.tile(TileID(zoom: zoom, x: 0, y: 0) ?? .world)) }
            _ = features.bounds
        },
        FuzzTarget("routes", texts: [osrm, tomtomRoute, hereRoute, storedRoute, heights]) { bytes in
            for kind in RouteEngineKind.allCases {
                let engine = RouteEngine(kind, name: "fuzz", bases: [.car: HTTPAddress("http://127.0.0.1")])
                for route in (try? engine.routes(bytes, to: route)) ?? [] {
                    precondition(route.steps.allSatisfy { route.line.indices.contains($0.corner) })
                    draw(RouteTiles(route.line).tile(.world))
                    use(route)
                }
                _ = (try? engine.heights(bytes, of: 2)).map(
                    RouteHeights([route.places[0], route.places[1]]).all)
                _ = try? engine.reach([bytes], minutes: [5])
            }
            for route in (try? JSON.parse(bytes)).flatMap(RouteAnswer.init(json:))?.routes ?? [] {
                use(route)
            }
            _ = try? Polyline.places(bytes, precision: 6)
            _ = try? FlexiblePolyline.places(bytes)
        },
        FuzzTarget("gpx", [Array(gpx.utf8)] + encoded) { bytes in
            var reader = FeatureReader()
            reader.read(bytes)
            reader.finish()
            if let geometry = try? RegionGeometry(reader.takeFeatures()).widened(to: 2000) { cover(geometry) }
        },
        FuzzTarget("configuration", texts: [configuration]) { bytes in
            guard let configuration = try? Configuration(bytes, path: "config.json") else { return }
            guard let invocation = try? Invocation(["render"]) else { return }
            _ = try? configuration.arguments(completing: invocation)
            _ = configuration.sources.flatMap { try? SourceList.read($0) }
        },
        FuzzTarget("catalogue", texts: [catalogue]) { bytes in
            guard let catalogue = try? PackageCatalog(bytes, at: "https://maps.example/catalog.json") else {
                return
            }
            _ = catalogue.json.text
        },
        FuzzTarget("arguments", texts: [arguments]) { bytes in
            let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            guard let invocation = try? Invocation(words) else { return }
            _ = (invocation.colors, invocation.renaming)
        },
        FuzzTarget("json", texts: [styleText, tileJSON, geoJSON]) { bytes in
            guard let value = try? JSON.parse(bytes) else { return }
            precondition((try? JSON.parse(value.text).text) == value.text)
        },
    ]

    /// Uses the numbers of a route in the same conversions as the program.
    private static func use(_ route: Route) {
        _ = UnixSeconds(1_800_000_000).adding(Int64(route.duration.rounded()))
        _ = (
            route.lines, route.climbWords, AmountText.metres(route.distance),
            AmountText.seconds(route.delay ?? 0)
        )
    }

    private static func cover(_ geometry: RegionGeometry) {
        guard let zooms = try? ZoomRange(0, 12) else { return }
        let cover = RegionTileSet(geometry, zooms: zooms)
        _ = cover.counts()
        for tile in cover.tiles().prefix(100) { precondition(cover.contains(tile)) }
        _ = geometry.bounds
    }

    static let styleText = """
        {"version": 8, "name": "s", "sources": {"v": {"type": "vector", "url": "https://tiles.example/t.json"}},
        "layers": [{"id": "g", "type": "background", "paint": {"background-color": "hsl(210, 40%, 20%)"}},
        {"id": "w", "type": "fill", "source": "v", "source-layer": "water", "filter": ["==", ["get", "salt"], true],
        "paint": {"fill-color": ["interpolate", ["linear"], ["zoom"], 5, "#abc", 12, "rgba(1,2,3,0.5)"], "fill-opacity": 0.8}},
        {"id": "r", "type": "line", "source": "v", "source-layer": "roads", "minzoom": 0, "maxzoom": 20,
        "filter": ["all", ["in", "kind", "path", "road"], ["!=", "lanes", 7]], "layout": {"line-cap": "round"},
        "paint": {"line-width": {"base": 1.2, "stops": [[5, 0.5], [18, 12]]}, "line-dasharray": [2, 1],
        "line-color": ["match", ["get", "kind"], ["path", "track"], "red", "blue"]}},
        {"id": "p", "type": "circle", "source": "v", "source-layer": "roads", "paint": {"circle-radius": ["*", 2, ["zoom"]]}},
        {"id": "n", "type": "symbol", "source": "v", "source-layer": "roads", "layout": {"text-field": ["concat", ["get", "name"], "!"]}}]}
        """

    private static let tileJSON = """
        {"tilejson": "3.0.0", "name": "T", "tiles": ["https://a.example/{z}/{x}/{y}.pbf", "{z}/{x}/{-y}.png"], "minzoom": 0,
        "maxzoom": 14, "bounds": [-180, -85.05, 180, 85.05], "center": [11.2, 43.7, 9], "attribution": "<a>x</a>",
        "vector_layers": [{"id": "roads", "fields": {}}], "scheme": "tms", "tileSize": 512}
        """

    private static let sourceList = """
        {"sources": [{"id": "a", "name": "A", "kind": "tiles", "urls": ["https://{s}.a.example/{z}/{x}/{y}{r}.png?key={key}"],
        "zooms": [0, 19], "bounds": [-10, 40, 10, 60], "tileSize": 256, "attribution": "x", "keys": [{"token": "key",
        "environment": "A_KEY", "configuration": "a"}], "policy": {"connections": 2, "requestsPerSecond": 5, "offline": "ask"}}]}
        """

    private static let geoJSON = """
        {"type": "FeatureCollection", "features": [{"type": "Feature", "id": 7, "properties": {"name": "x", "n": 1.5},
        "geometry": {"type": "Polygon", "coordinates": [[[10, 40], [12, 40], [12, 42], [10, 42], [10, 40]], [[11, 41], [11.5, 41],
        [11.5, 41.5], [11, 41]]]}}, {"type": "Feature", "properties": null, "geometry": {"type": "LineString",
        "coordinates": [[179.5, 1], [-179.5, -1], [170, 80]]}}, {"type": "Feature", "properties": {},
        "geometry": {"type": "MultiPoint", "coordinates": [[0, 0], [1, 89.9]]}}]}
        """

    private static let catalogue = """
        {"rhumb-catalog": 1, "id": "c", "title": {"en": "C", "it": "C"}, "attribution": "x", "part-of": "planet.pmtiles",
        "zooms": [2, 9], "packages": [{"id": "w", "title": {"en": "World"}, "level": "world"}, {"id": "it", "parent": "w",
        "area": [6, 35, 19, 48], "archive": "it.pmtiles", "editions": [{"version": "1", "bytes": 50}, {"version": "2026.47",
        "date": "2026-11-22", "bytes": 100, "features": {"ev": 30}, "hashes": "/h/it"}]},
        {"id": "b", "parent": "w", "area": [1, 2, 3, 4], "source": "own"}]}
        """

    private static let arguments =
        "render\n--center\n43.7,11.2\n--zoom=9\n-o\nx.png\n--size\n80x24\n--offline"

    private static let route = RouteRequest(
        from: Coordinate(latitude: 38.5, longitude: -120.2),
        to: Coordinate(latitude: 43.252, longitude: -126.453))

    private static let osrm = """
        {"code": "Ok", "routes": [{"distance": 700, "duration": 60, "legs": [{"distance": 700, "duration": 60, "steps": [
        {"maneuver": {"type": "depart", "bearing_after": 45}, "geometry": "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI", "name": "A",
        "intersections": [{"bearings": [1, 2]}], "distance": 700, "duration": 60}, {"maneuver": {"type": "arrive"}, "geometry": ""}]}]}]}
        """

    private static let tomtomRoute = """
        {"routes": [{"summary": {"lengthInMeters": 702, "travelTimeInSeconds": 181, "trafficDelayInSeconds": 62}, "legs": [{"summary":
        {"lengthInMeters": 702, "travelTimeInSeconds": 181}, "points": [{"latitude": 38.5, "longitude": -120.2}, {"latitude": 43.252,
        "longitude": -126.453}]}], "guidance": {"instructions": [{"routeOffsetInMeters": 0, "pointIndex": 1, "maneuver": "TURN_LEFT"}]}}]}
        """

    private static let hereRoute = """
        {"routes": [{"sections": [{"actions": [{"action": "depart", "offset": 0, "instruction": "Go."}], "summary": {"duration": 90,
        "length": 350, "baseDuration": 60}, "polyline": "BFoz5xJ67i1B1B7PzIhaxL7Y"}]}], "notices": [{"code": "noRouteFound"}]}
        """

    private static let storedRoute = """
        {"rhumb": "route", "version": 1, "request": {"waypoints": [{"latitude": 38.5, "longitude": -120.2},
        {"latitude": 43.252, "longitude": -126.453}], "mode": "car"}, "provider": "P",
        "attribution": "", "receivedAt": "2027-01-15T08:00:00Z", "routes": [{"distance": 700, "duration": 60, "delay": 5, "polyline6": "_izlhA~rlgdF_{geC~ywl@",
        "heights": [10, 20], "legs": [{"distance": 700, "duration": 60, "steps": [{"manoeuvre": "roundabout", "exit": 2, "bearing": 45,
        "distance": 700, "duration": 60, "corner": 1}, {"manoeuvre": "arrive"}]}]}]}
        """

    private static let heights = #"{"height": [10.5, 20]}"#

    private static let gpx = """
        <?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="x"><metadata><name>A &amp; B</name></metadata>
        <wpt lat="43.7" lon="11.2"><ele>50</ele></wpt><trk><name><![CDATA[t]]></name><trkseg><trkpt lat="43.1" lon="11.1"/>
        <trkpt lat="43.2" lon="11.3"><time>2020-01-01T00:00:00Z</time></trkpt></trkseg></trk><!-- c --><rte>
        <rtept lat="1" lon="179.9"/><rtept lat="2" lon="-179.9"/></rte></gpx>
        """

    /// Documents in encodings that iconv and the parser convert.
    private static let encoded: [[UInt8]] = {
        let end = Array("</name></wpt></gpx>".utf8)
        let documents = ["windows-1251", "GB18030", "Shift_JIS", "EUC-KR", "UTF-7"].map { name in
            let head = "<?xml version='1.0' encoding='\(name)'?><gpx><wpt lat='1' lon='2'><name>"
            return Array(head.utf8) + [0xC4, 0xE3, 0x81, 0x30, 0x81, 0x30, 0x5C, 0x7E] + end
        }
        return documents + [[0xFF, 0xFE] + "<gpx><wpt lat='1' lon='2'/></gpx>".utf8.flatMap { [$0, 0] }]
    }()

    private static let configuration = """
        // A user's configuration.
        {"colors": "256", "symbols": "half+quadrant", "center": "43.7,11.2", "zoom": 9, "keys": {"tomtom": "abc"},
        "sources": [{"id": "a", "urls": ["https://a.example/{z}/{x}/{y}.png"]}], "prefetch": "rendering"}
        """
}
