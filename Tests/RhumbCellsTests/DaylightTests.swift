import RhumbCore
import Testing

/// Tests day and night over the world.
struct DaylightTests {
    /// Noon in UTC on the day of the solstice.
    private let solstice = 1_782_043_200.0

    @Test func `the sun is over the tropic at the solstice, near the meridian at noon`() {
        let sun = Sun.overhead(at: solstice)
        #expect(abs(sun.latitude - 23.43) < 0.05 && abs(sun.longitude) < 2)
        #expect(Sun.elevation(at: sun, time: solstice) > 89.9)
    }

    @Test func `the share of day agrees with the position of the sun`() {
        let daylight = Daylight(time: solstice, lights: [])
        for latitude in stride(from: -80.0, through: 80, by: 10) {
            for longitude in stride(from: -180.0, to: 180, by: 15) {
                let place = Coordinate(latitude: latitude, longitude: longitude),
                    height = Sun.elevation(at: place, time: solstice)
                let share = daylight.share(at: Mercator.world(place))
                if height > 2 { #expect(share == 1) }
                if height < -10 { #expect(share == 0) }
            }
        }
    }

    @Test(arguments: [
        ("now", MapTime.now), ("12:00", .timeOfDay(43_200)), ("06:30:15Z", .timeOfDay(23_415)),
        ("1970-01-02", .moment(86_400)),
        ("1970-01-01T01:00", .moment(3600)), ("1970-01-01 01:00Z", .moment(3600)),
    ])
    func `times are read in common notations`(text: String, time: MapTime) {
        #expect(MapTime(text) == time)
    }

    @Test(arguments: [
        "", "noon", "25:00", "12:60", "2026-13-01", "2026-02-30", "2026-1-1", "12", "1:2:3:4", "2026-01-01T",
        "٣:٠٠",
    ])
    func `other words are not times`(text: String) { #expect(MapTime(text) == nil) }

    @Test func `a time of day is on the current day`() {
        #expect(MapTime.timeOfDay(60).seconds(now: 3 * 86_400 + 5) == 3 * 86_400 + 60)
    }

    @Test func `night is darker than day, and its cities are lit`() throws {
        let city = NamedPlace(
            number: 1, name: "Lima", kind: .capital, countryCode: "PE", country: "Peru", region: "",
            coordinate: Coordinate(latitude: 0, longitude: 170), population: 8_000_000)
        let view = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 0), columns: 128, rows: 64)
        func picture(_ lights: [Daylight.Light], _ theme: MapTheme) -> Picture {
            var picture = Picture(columns: 128, rows: 64, symbols: .half)
            picture.fill(under: RGB(0x9CC4DE))
            picture.shade(by: Daylight(time: solstice, lights: lights), over: .init(view), theme)
            return picture
        }
        for theme in MapTheme.allCases {
            let dark = picture([], theme), lit = picture(Daylight.lights(of: [city]), theme)
            let row = dark.height / 2, night = dark.width - 4
            #expect(dark[row, night].x < dark[row, dark.width / 2].x / 2)
            let brighter = (0..<dark.width).filter { column in
                (-1...1).contains { lit[row + $0, column].x > dark[row + $0, column].x + 50 }
            }
            #expect((1...2).contains(brighter.count) && brighter.allSatisfy { $0 > dark.width * 9 / 10 })
        }
    }

    @Test func `small places aren't lit`() {
        let village = NamedPlace(
            number: 1, name: "V", kind: .village, countryCode: "", country: "", region: "",
            coordinate: Coordinate(latitude: 0, longitude: 0), population: 4000)
        #expect(Daylight.lights(of: [village]).isEmpty)
    }
}
