import RhumbCore
import RhumbTestSupport
import Testing

/// Tests views in the notations of other programs, which open them again.
struct PlaceNotationsTests {
    private static func view(_ latitude: Double, _ longitude: Double, _ zoom: Double) -> Viewport {
        Viewport(
            camera: Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom),
            columns: 80, rows: 24)
    }

    @Test func `a view is written in the notations of other programs`() {
        let notations = PlaceNotations(Self.view(60.3931, 22.379, 12.25))
        #expect(notations.coordinate == "60.39310,22.37900" && notations.zoom == "12.25")
        #expect(notations.geo == "geo:60.39310,22.37900?z=12.25")
        #expect(notations.openStreetMap == "https://www.openstreetmap.org/#map=12/60.39310/22.37900")
        #expect(PlaceNotations(Self.view(-33.5, -70.5, 3)).coordinate == "-33.50,-70.50")
    }

    @Test(arguments: [-0.7, -0.001, -2.25, -1])
    func `a view of more than the world has the zoom 0`(zoom: Double) {
        let notations = PlaceNotations(Self.view(28, 12, zoom))
        #expect(notations.zoom == "0" && notations.geo.hasSuffix("?z=0"))
        #expect(notations.openStreetMap.contains("#map=0/"))
    }

    @Test(arguments: [
        (57.64911, 10.40744, 11, "u4pruydqqvj"), (-25.382708, -49.265506, 8, "6gkzwgjz"), (0, 0, 1, "s"),
        (90, 179.999999, 5, "zzzzz"), (-90, -180, 5, "00000"),
    ]) func `a geohash matches the one on its inventor's site`(
        latitude: Double, longitude: Double, length: Int, hash: String
    ) {
        #expect(Coordinate(latitude: latitude, longitude: longitude).geohash(length: length) == hash)
    }

    @Test(arguments: [
        (20.375, 2.775, 6, "7FG49Q00+"), (20.3700625, 2.7821875, 10, "7FG49QCJ+2V"),
        (-41.2730625, 174.7859375, 10, "4VCPPQGP+Q9"),
        (0.5, -179.5, 4, "62G20000+"), (90, 1, 4, "CFX30000+"), (1, 180, 4, "62H20000+"),
        (47.0000625, 8.0000625, 10, "8FVC2222+22"),
    ]) func `a plus code matches its test data`(
        latitude: Double, longitude: Double, digits: Int, code: String
    ) {
        #expect(Coordinate(latitude: latitude, longitude: longitude).plusCode(digits: digits) == code)
    }

    @Test func `each of them opens the view again`() throws {
        var random = SplitMix(seed: 9)
        for _ in 0..<500 {
            let view = Self.view(
                .random(in: -80...80, using: &random), .random(in: -180..<180, using: &random),
                (.random(in: 2..<19, using: &random) * 4).rounded() / 4)
            let notations = PlaceNotations(view), here = view.camera.coordinate,
                width = view.width / view.camera.worldPixels * 40_075_017
            for text in [
                notations.coordinate, notations.geo, notations.openStreetMap, notations.geohash,
                notations.plusCode,
            ] {
                // At low zooms, a geohash of few letters may be a word or a number.
                guard let place = try? ParsedLocation(text) else {
                    #expect(text == notations.geohash, "\(text)")
                    continue
                }
                #expect(place.coordinate.metres(to: here) <= max(width / 8, 16), "\(text)")
            }
            #expect(try ParsedLocation(notations.geo).closeness == .zoom(Double(notations.zoom) ?? -1))
        }
    }
}
