import Rhumb
import RhumbTestSupport

/// Targets for the answers of services, and for stored definitions of regions.
extension FuzzTarget {
    static let answerTargets = [
        FuzzTarget("services", texts: [nominatim, photon, incidents]) { bytes in
            for kind in OnlineSearchKind.allCases {
                let service = OnlineSearchService(
                    kind, name: "S", attribution: "", base: HTTPAddress("https://s.example"))
                let spot = Coordinate(latitude: 60, longitude: 22)
                for question in [OnlineSearchQuestion("a", near: spot), OnlineSearchQuestion(at: spot)] {
                    _ = try? service.answer(bytes, to: question)
                }
                _ = service.refusal(bytes)
            }
            _ = try? IncidentDetails.read(bytes)
        },
        FuzzTarget("regions", texts: [region]) { bytes in
            guard let json = try? JSON.parse(bytes), let region = try? RegionDefinition(json: json) else {
                return
            }
            let again = try? RegionDefinition(json: region.json)
            precondition(again?.json.text == region.json.text)
            _ = region.packs(available: 0...14)
        },
        FuzzTarget("conversion", texts: [styleText, keys]) { bytes in
            if let keys = try? StyleKeys(xml: bytes) { _ = (keys.secrets, keys.key(for: "map", in: "a")) }
            guard let style = try? JSONNode.parse(bytes) else { return }
            _ = (try? JSONNode.parse(Array(styleText.utf8))).map { base in
                try? StyleConversion(base: base).restored(style, hiding: ["secret"])
            }
            if let conversion = try? StyleConversion(base: style) {
                for visibility in StyleConversion.Visibility.allCases {
                    let edited = conversion.forEditor(.init(visibility: visibility) { _, _ in "key" })
                    _ = try? conversion.restored(edited.style)
                }
            }
            _ = (try? StyleText(bytes)).map { LayerSets($0).sets }
        },
        FuzzTarget("sprites", texts: [sprites]) { bytes in
            guard let style = try? Style(Array(spriteStyle.utf8)), let index = try? JSON.parse(bytes),
                let sheet = Raster(
                    width: 32, height: 16, pixels: [UInt8](repeating: 200, count: 32 * 16 * 4))
            else { return }
            for sprite in style.sprites { _ = sprite.pictures(index: index, image: sheet) }
        },
    ]

    private static let nominatim = """
        [{"lat": "60.4", "lon": "22.2", "name": "A", "category": "place", "type": "city", "display_name": "A, B, C",
        "boundingbox": ["60", "61", "22", "23"], "address": {"road": "R", "house_number": "7"}}]
        """

    private static let photon = """
        {"features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [22.2, 60.4]}, "properties": {"name": "A",
        "osm_key": "place", "osm_value": "city", "housenumber": "7", "street": "S", "city": "C", "country": "D",
        "extent": [22, 61, 23, 60]}}]}
        """

    private static let incidents = """
        {"incidents": [{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[22, 60], [22.1, 60.1]]}, "properties":
        {"id": "i", "iconCategory": 8, "magnitudeOfDelay": 4, "events": [{"description": "Closed"}], "from": "A", "to": "B",
        "startTime": "2027-01-15T08:00:00Z", "length": 700.5, "delay": 60, "roadNumbers": ["E18"]}}]}
        """

    private static let region = """
        {"version": 2, "id": "r", "name": "R", "metadata": {"a": 1}, "geometry": {"type": "Polygon", "coordinates": [[[22, 60],
        [23, 60], [23, 61], [22, 60]]]}, "zooms": [3, 12], "sources": ["osm"], "features": ["roads"], "scale": 2, "exact": true,
        "style": "own", "tilesets": [{"id": "osm", "zooms": [0, 9]}]}
        """

    private static let keys = """
        <plist><dict><key>MapKey</key><string>abc</string><meta-data android:name="traffic_key" android:value="x"/></dict></plist>
        """

    private static let spriteStyle =
        #"{"version": 8, "sources": {}, "layers": [], "sprite": "https://s.example/sprite"}"#

    private static let sprites = """
        {"a": {"x": 0, "y": 0, "width": 16, "height": 16, "pixelRatio": 2, "sdf": true}, "b": {"x": 16, "y": 0, "width": 16,
        "height": 16, "pixelRatio": 1, "content": [1, 1, 8, 8], "stretchX": [[1, 8]]}}
        """
}
