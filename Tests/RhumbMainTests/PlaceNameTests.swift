import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbCommandLine
@testable import RhumbMain

@MainActor
struct PlaceNameTests {
    @Test(arguments: [
        ("Turku", 60.45, 22.27), ("firenze", 43.77, 11.25), ("Via dei Neri, Firenze", 43.77, 11.25),
    ])
    func `a name can be used instead of coordinates`(
        name: String, latitude: Double, longitude: Double
    ) async throws {
        let home = TemporaryFolder()
        let paths = ["--cache-path", home.path + "/c.db", "--data-path", home.path]
        let invocation = try await Invocation(["render", "-c", name] + paths).locatingPlaces()
        let place = try #require(invocation[.center])
        #expect(
            abs(place.coordinate.latitude - latitude) < 0.1
                && abs(place.coordinate.longitude - longitude) < 0.1)
        #expect(place.closeness != nil)
    }

    @Test func `an unknown name is rejected with the option`() async throws {
        await #expect(throws: UsageError.self) {
            _ = try await Invocation(["region", "plan", "--around", "Qwxyzt Nowhere", "--radius", "5km"])
                .locatingPlaces()
        }
    }

    @Test(arguments: [["Florence"], ["render", "florence"]])
    func `a town instead of a map opens the world there`(words: [String]) async throws {
        let invocation = try await Invocation(words).locatingPlaces()
        #expect(invocation.operand == nil)
        #expect(abs(try #require(invocation[.center]).coordinate.latitude - 43.77) < 0.1)
    }

    @Test(arguments: [
        ("Turkuu", "Turkuu is not a file, a source or a place; did you mean the place Turku?"),
        ("opnfreemap", "did you mean the source openfreemap?"),
    ])
    func `an unknown name is rejected with the nearest one`(word: String, sentence: String) throws {
        do {
            try Invocation([word]).refuseUnknownMap()
            Issue.record("\(word) was taken")
        } catch {
            #expect("\(error)".contains(sentence), "\(error)")
        }
    }

    @Test(arguments: ["world", "osm", "home", "florence.pmtiles", "routee", "60.4,22.2"])
    func `a source, a file, a village or a misspelt command is not a town`(words: String) async throws {
        #expect(try await Invocation([words]).locatingPlaces().operand == words)
    }

    @Test func `coordinates stay unchanged`() async throws {
        let invocation = try await Invocation(["-c", "60.39,22.37"]).locatingPlaces()
        #expect(invocation[.center]?.coordinate.latitude == 60.39)
    }
}
