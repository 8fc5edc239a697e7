import RhumbCore
import Testing

struct SunTests {
    /// Times from almanacs, accurate to about a minute.
    private static let risings: [(place: Coordinate, time: Double, isUpAfter: Bool)] = [
        // Helsinki, 21 June 2024: sunrise 00:54, sunset 19:50 UTC.
        (Coordinate(latitude: 60.17, longitude: 24.94), 1_718_931_240, true),
        (Coordinate(latitude: 60.17, longitude: 24.94), 1_718_999_400, false),
        // Quito, 20 March 2024: sunrise 11:19, sunset 23:25 UTC.
        (Coordinate(latitude: -0.18, longitude: -78.47), 1_710_933_540, true),
        (Coordinate(latitude: -0.18, longitude: -78.47), 1_710_977_100, false),
    ]

    @Test(arguments: risings)
    func `the sun rises and sets within five minutes of the almanac`(
        place: Coordinate, time: Double, isUpAfter: Bool
    ) {
        #expect(Sun.isUp(at: place, time: time - 300) != isUpAfter)
        #expect(Sun.isUp(at: place, time: time + 300) == isUpAfter)
    }

    @Test func `near the poles the sun stays up in summer and down in winter`() {
        let north = Coordinate(latitude: 78.2, longitude: 15.6)
        for hour in 0..<24 {
            #expect(Sun.isUp(at: north, time: 1_718_928_000 + Double(hour) * 3600))
            #expect(!Sun.isUp(at: north, time: 1_734_739_200 + Double(hour) * 3600))
        }
    }

    @Test func `at the equator the sun is overhead at noon of the equinox`() {
        // 20 March 2024, 12:07 UTC at longitude 0.
        #expect(Sun.elevation(at: Coordinate(latitude: 0, longitude: 0), time: 1_710_936_420) > 89.5)
    }
}
