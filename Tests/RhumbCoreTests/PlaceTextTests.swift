import RhumbCore
import Testing

struct PlaceTextTests {
    @Test(arguments: [
        "60.39,22.37", "60.39 22.37", "60.39, 22.37", "60.39N 22.37E", "N60.39 E22.37", "22.37E, 60.39N",
        "60°23'24\"N 22°22'12\"E", "60°23′24″N 22°22′12″E", "geo:60.39,22.37", "geo:60.39,22.37,12.5;u=35?q=x",
        "https://www.openstreetmap.org/#map=12/60.39/22.37", "https://maps.example/@60.39,22.37,12z",
    ])
    func `a place may be written in every usual way`(text: String) throws {
        let place = try PlaceText(text).coordinate
        #expect(abs(place.latitude - 60.39) < 1e-9 && abs(place.longitude - 22.37) < 1e-9)
    }

    @Test(arguments: [
        ("60,22 12", PlaceText.Closeness.zoom(12)), ("60,22,12.5", .zoom(12.5)), ("60,22 z9", .zoom(9)),
        ("60,22 7km", .width(metres: 7000)), ("60 22 500 m", .width(metres: 500)),
        ("60,22 3mi", .width(metres: 4828.032)), ("#map=5/60/22", .zoom(5)), ("3/4/2", .zoom(3)),
        ("geo:60,22?z=9", .zoom(9)), ("geo:60,22,30;u=5?q=here&z=9", .zoom(9)),
    ])
    func `a zoom or a width may follow`(text: String, closeness: PlaceText.Closeness) throws {
        #expect(try PlaceText(text).closeness == closeness)
    }

    @Test func `southern and western places are negative`() throws {
        let place = try PlaceText("33°52'S 151.2W").coordinate
        #expect(abs(place.latitude + 33.866666) < 1e-5 && place.longitude == -151.2)
        #expect(try PlaceText("-0.5 -0.25").coordinate.latitude == -0.5)
    }

    @Test(arguments: [
        "", "north", "60", "60,", "91,0", "0,181", "60,22 99", "60N 22N", "60,22 quite near", "4/16/9",
        "nan,nan", "1e400,0", "60,22 -3km", "°'\"", "60°99'N 22E",
        "geo:", "geo:?z=3", "geo:60", "geo:60,22?z=north",
    ])
    func `what is no place is refused with an example or the range`(text: String) {
        do throws(PlaceText.Misread) {
            _ = try PlaceText(text)
            Issue.record("\(text) was understood")
        } catch {
            #expect(error.description.contains("60.39,22.37") || error.description.contains("goes from"))
        }
    }
}
