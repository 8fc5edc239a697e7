@testable import RhumbMain
import Testing

struct TypedDistanceTests {
    @Test(arguments: [
        ("500", 500.0), ("1 KM", 1000), ("1 Kilometre", 1000), ("1,5 km", 1500), ("1.5km", 1500),
        ("1km 500m", 1500), ("1,000 m", 1000), ("1 mile", 1609.344),
    ])
    func `a distance is understood however it is typed`(words: String, metres: Double) {
        #expect(TypedDistance.metres(words) == metres)
    }

    @Test(arguments: ["", "km", "1 league", "1.2.3 km", "1,2,3"])
    func `other words are no distance`(words: String) { #expect(TypedDistance.metres(words) == nil) }
}
