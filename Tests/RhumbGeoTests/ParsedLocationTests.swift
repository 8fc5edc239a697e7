import RhumbCore
import Testing

struct ParsedLocationTests {
    @Test(arguments: [
        "60.39,22.37", "60.39 22.37", "60.39, 22.37", "60.39N 22.37E", "N60.39 E22.37", "22.37E, 60.39N",
        "60°23'24\"N 22°22'12\"E", "60°23′24″N 22°22′12″E", "geo:60.39,22.37",
        "geo:60.39,22.37,12.5;u=35?q=x",
        "https://www.openstreetmap.org/#map=12/60.39/22.37", "https://maps.example/@60.39,22.37,12z",
        "https://www.bing.com/maps?cp=60.39~22.37&lvl=12",
        "60 23 24 N, 22 22 12 E", "60 23 24 22 22 12", "60 23.4 N 22 22.2 E", "60°23.4'N 22°22.2'E",
        "60°23.4 N, 22°22.2 E",
        "60:23:24, 22:22:12", "60:23:24N 22:22:12E", "60d23m24s N 22d22m12s E",
        "60° 23′ 24″ north, 22° 22′ 12″ east",
        "N 60 23.4 E 22 22.2", "N60°23'24'' E22°22'12''", "602324N 0222212E", "6023.4N 02222.2E",
        "60º 23' 24\"N, 22º 22' 12\"E",
        "60 deg 23 min 24 sec N, 22 deg 22 min 12 sec E", "lat 60.39, lon 22.37",
        "latitude: 60.39 longitude: 22.37",
        "(60.39, 22.37)", "[60.39,22.37]", "60.39/22.37", "60.39\u{A0}N 22.37\u{202F}E", "6.039e1,2.237E+01",
        "6039e-2, 2237e-2", "geo:0,0?q=60.39,22.37(A%20label)", "geo:0,0?z=9&q=60.39%2C22.37",
        "60,39 22,37", "60,39; 22,37", "60,39, 22,37", "60°23'24 N 22°22'12 E",
    ])
    func `a place may be written in every usual format`(text: String) throws {
        let place = try ParsedLocation(text).coordinate
        #expect(abs(place.latitude - 60.39) < 1e-9 && abs(place.longitude - 22.37) < 1e-9)
    }

    @Test(arguments: [
        "35VML6500095000", "12 via dei neri", "1s", "60XZZ", "ZAH0541295506", "geo:0,0?q=60,22(A)",
    ])
    func `each beginning of a text can be typed`(text: String) {
        for count in 0...text.count {
            let typed = String(text.prefix(count))
            _ = try? ParsedLocation(typed)
            _ = try? ParsedLocation(typed.uppercased())
        }
    }

    @Test func `numbers near zero are read as programs print them`() throws {
        #expect(try ParsedLocation("51.5,-1e-05").coordinate.longitude == -0.00001)
        #expect(try ParsedLocation("5e-05 7.4").coordinate.latitude == 0.00005)
        #expect(try ParsedLocation("51.5 -1.2E-5 12").closeness == .zoom(12))
        #expect(throws: ParsedLocation.Misread.self) { try ParsedLocation("1e3,5") }
        // "e" is east beside the letter of another axis.
        #expect(try ParsedLocation("60 n 22 e 12").closeness == .zoom(12))
    }

    @Test(arguments: [
        ("60,22 12", ParsedLocation.Closeness.zoom(12)), ("60,22,12.5", .zoom(12.5)), ("60,22 z9", .zoom(9)),
        ("60,22 7km", .width(metres: 7000)), ("60 22 500 m", .width(metres: 500)),
        ("60,22 3mi", .width(metres: 4828.032)), ("#map=5/60/22", .zoom(5)), ("3/4/2", .zoom(3)),
        ("60 30, 22 30 9", .zoom(9)), ("60°30'N 22°30'E 7km", .width(metres: 7000)),
        ("60,5 22,5 9", .zoom(9)),
        ("geo:60,22?z=9", .zoom(9)), ("geo:60,22,30;u=5?q=here&z=9", .zoom(9)),
    ])
    func `a zoom or a width may follow`(text: String, closeness: ParsedLocation.Closeness) throws {
        #expect(try ParsedLocation(text).closeness == closeness)
    }

    @Test(arguments: [
        ("35V 334730 6699723", 60.4, 24.0), ("35 V 334730mE 6699723mN", 60.4, 24.0),
        ("35N 334730 6699723", 60.4, 24.0),
        ("56H 334369 6250948", -33.8688, 151.2093), ("56S 334369 6250948", -33.8688, 151.2093),
        ("19F 402388 3982062", -54.3, -70.5), ("31u 448252 5411933", 48.8582, 2.2945),
        ("10S 550000 4180000", 37.766, -122.4323),
        ("35VLG3473099723", 60.4, 24.0), ("35V LG 34730 99723", 60.4, 24.0),
        ("56HLH3436950948", -33.8688, 151.2093),
        ("19FDV0238782061", -54.3, -70.5), ("31UDQ4825111932", 48.8582, 2.2945),
        ("31U DQ 482 119", 48.858, 2.2945),
    ])
    func `UTM and MGRS give the same places`(text: String, north: Double, east: Double) throws {
        let place = try ParsedLocation(text).coordinate
        #expect(abs(place.latitude - north) < 1e-3 && abs(place.longitude - east) < 1e-3)
    }

    @Test func `metres of UTM are metres`() throws {
        let place = try ParsedLocation("31U 448251.8 5411932.7").coordinate
        #expect(place.metres(to: Coordinate(latitude: 48.8582, longitude: 2.2945)) < 0.2)
    }

    @Test(arguments: [
        "35V 334730", "61V 334730 6699723", "35I 334730 6699723", "35V 34730 6699723", "35VLG347309972",
        "35VSG3473099723",
    ])
    func `a text that only resembles UTM is rejected`(text: String) {
        #expect(throws: ParsedLocation.Misread.self) { try ParsedLocation(text) }
    }

    @Test func `a plus code may be followed by its town`() throws {
        #expect(
            try ParsedLocation("8FVC9G8F+5W Zurich").coordinate == ParsedLocation("8FVC9G8F+5W").coordinate)
        let split = ParsedLocation.shortCode(in: "9G8F+5W Zurich, Switzerland")
        #expect(split?.code == "9G8F+5W" && split?.town == "Zurich, Switzerland")
        for text in ["9G8F+5W", "Zurich 9G8F+5W", "8FVC9G8F+5W Zurich", "Turku", "+49 30", "G+ Turku"] {
            #expect(ParsedLocation.shortCode(in: text) == nil)
        }
    }

    @Test func `southern and western places are negative`() throws {
        let place = try ParsedLocation("33°52'S 151.2W").coordinate
        #expect(abs(place.latitude + 33.866666) < 1e-5 && place.longitude == -151.2)
        #expect(try ParsedLocation("-0.5 -0.25").coordinate.latitude == -0.5)
    }

    @Test(arguments: [
        "", "north", "60", "60,", "91,0", "0,181", "60,22 99", "60N 22N", "60,22 quite near", "4/16/9",
        "nan,nan", "1e400,0", "60,22 -3km", "°'\"", "60°99'N 22E", "60.5 23 22.5 22 N", "N60 23 E22",
        "geo:", "geo:?z=3", "geo:60", "geo:60,22?z=north",
    ])
    func `a text that isn't a place is rejected with an example or the range`(text: String) {
        do throws(ParsedLocation.Misread) {
            _ = try ParsedLocation(text)
            Issue.record("\(text) was understood")
        } catch {
            #expect(error.description.contains("60.39,22.37") || error.description.contains("out of range"))
        }
    }

    @Test(
        arguments: [
            ("https://www.openstreetmap.org/?mlat=60.39&mlon=22.37#map=15/60.1/22.1", 15.0),
            ("https://www.openstreetmap.org/?mlat=60.39&mlon=22.37&zoom=9", 9),
            ("#map=4/60.39/22.37&layers=C", 4),
            ("https://www.google.com/maps/@60.39,22.37,12.5z", 12.5),
            ("https://www.google.com/maps/place/Turku/@60.39,22.37,7z/data=!3m1!4b1", 7),
            ("https://www.google.com/maps/@60.39,22.37,1500m/data=!3m1!1e3", nil),
            ("https://maps.google.com/?q=60.39,22.37", nil),
            ("https://maps.google.com/maps?q=loc:60.39%2C22.37&z=8", 8),
            ("https://www.google.com/maps/search/?api=1&query=60.39%2C+22.37", nil),
            ("https://maps.apple.com/?ll=60.39,22.37&z=11", 11),
            ("https://tiles.example/map#6.5/60.39/22.37", 6.5),
            ("HTTPS://WWW.OPENSTREETMAP.ORG/#map=3/60.39/22.37", 3),
        ] as [(String, Double?)])
    func `a link to a map contains its place and zoom`(link: String, zoom: Double?) throws {
        let place = try ParsedLocation(link)
        #expect(
            abs(place.coordinate.latitude - 60.39) < 1e-9 && abs(place.coordinate.longitude - 22.37) < 1e-9)
        #expect(place.closeness == zoom.map { .zoom($0) })
    }

    @Test(arguments: [
        ("8FVC9G8F+6X", 47.365590, 8.524997), ("8fvc9g8f+6x", 47.365590, 8.524997),
        ("4VCPPQGP+Q9", -41.273062, 174.785938), ("8FVC9G8F+6XQ", 47.365590, 8.524997),
        ("9GG499QC+X2", 60.39, 22.37), ("8FVC9G8F+6XQVWJ2CVQ", 47.36559, 8.524997), ("8FVC0000+", 47.5, 8.5),
        ("8FVC9G8F+", 47.36625, 8.52375),
        ("u4pruydqqvj", 57.64911, 10.40744), ("U6XZT19M4", 60.39, 22.37), ("9q9hyh05", 37.42, -122.08),
    ])
    func `plus codes and geohashes stand for the centres of their cells`(
        code: String, north: Double, east: Double
    ) throws {
        let place = try ParsedLocation(code).coordinate
        #expect(abs(place.latitude - north) < 2e-4 && abs(place.longitude - east) < 3e-4)
    }

    @Test(arguments: [
        ("99QC+X2", 60.45, 22.27, 60.39, 22.37), ("9G8F+6X", 47.4, 8.6, 47.36559, 8.524997),
        ("PQGP+Q9", -41.0, 174.9, -41.273062, 174.785938), ("9G8F+6X", 47.99, 9.4, 48.36559, 9.524997),
        ("9W2V+2W", 10.4, -179.99, 10.350063, 179.944813), ("8F+6XQ", 47.37, 8.53, 47.36559, 8.524997),
        ("+6XQ", 47.3655, 8.5249, 47.36559, 8.524997), ("9G8F+", 47.4, 8.6, 47.36625, 8.52375),
    ])
    func `a short plus code stands for the one nearest to the viewed place`(
        code: String, nearNorth: Double, nearEast: Double, north: Double, east: Double
    ) throws {
        let near = Coordinate(latitude: nearNorth, longitude: nearEast)
        let place = try ParsedLocation(code, near: near).coordinate
        #expect(abs(place.latitude - north) < 1e-4 && abs(place.longitude - east) < 1e-4)
    }

    @Test func `a short plus code without a nearby place is rejected with the full form`() {
        let misread = #expect(throws: ParsedLocation.Misread.self) { try ParsedLocation("99QC+X2") }
        #expect(misread?.description.contains("short plus code") == true)
    }

    @Test func `a cell is shown with a margin, a small one with its surroundings`() throws {
        guard case .width(let wide) = try ParsedLocation("u6xz1").closeness,
            case .width(let narrow) = try ParsedLocation("9GG499QC+X2").closeness
        else {
            Issue.record("a code says how wide it is")
            return
        }
        #expect(wide > 15_000 && wide < 25_000 && narrow == 400)
    }

    @Test(arguments: [
        "9GG499QC+X", "9GG499QC+XA", "9GG4990C+X2", "00000000+", "+22", "G+X2", "9G+X", "XXXXXXXX+XX",
        "turku", "2024", "u6xa1", "https://example.org/", "https://example.org/?q=turku", "https://x/@60,,",
        "#map=1/2",
    ])
    func `a text that only resembles a code or a link is rejected`(text: String) {
        #expect(throws: ParsedLocation.Misread.self) {
            try ParsedLocation(text, near: Coordinate(latitude: 1, longitude: 1))
        }
    }
}
