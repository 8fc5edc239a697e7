import Rhumb
import RhumbBrowser
import RhumbTestSupport
import Testing

@testable import RhumbMain

/// What the program remembers and writes.
struct ProgramFileTests {
    private let home = TemporaryFolder()
    private var folders: Folders { Folders(environment: ["XDG_STATE_HOME": home.path]) }

    // MARK: The last view

    @Test func `the last view comes back as it was left`() throws {
        let view = try #require(LastView(folders)), camera = Camera(center: Coordinate(latitude: 60.17, longitude: 24.94), zoom: 11.5)
        #expect(view.load() == nil)
        view.save(camera)
        let loaded = try #require(view.load())
        #expect(abs(loaded.coordinate.latitude - 60.17) < 1e-9 && abs(loaded.coordinate.longitude - 24.94) < 1e-9 && loaded.zoom == 11.5)
    }

    @Test(arguments: ["", "60 24", "60 24 eleven", "nan 24 11", "60 24 11 7"])
    func `a view that can't be understood is as good as none`(text: String) throws {
        let view = try #require(LastView(folders))
        _ = home.write(Array(text.utf8), to: "rhumb/view")
        #expect(view.load() == nil)
    }

    // MARK: Sources opened lately

    @Test func `sources are remembered once each, the latest first, ten at most, and without keys`() throws {
        let recent = try #require(RecentSources(folders))
        for number in 1...12 { recent.add("map\(number).mbtiles") }
        recent.add("map5.mbtiles")
        recent.add("https://tiles.example/{z}/{x}/{y}.png?key=s3cr3t")
        #expect(recent.words.count == 10 && recent.words[1] == "map5.mbtiles")
        #expect(!recent.words.joined().contains("s3cr3t"))
        #expect(recent.words.count { $0 == "map5.mbtiles" } == 1)
    }

    @Test func `sources to choose from begin with the world, and name each once`() throws {
        let recent = try #require(RecentSources(folders)), catalog = SourceCatalog()
        for words in ["osm", "city.mbtiles", EmbeddedWorld.name] { recent.add(words) }
        let choices = SourceChoices.list(catalog, recent).map(\.words)
        #expect(choices.first == EmbeddedWorld.name && choices.last == "city.mbtiles")
        #expect(Set(choices).count == choices.count && choices.contains("osm"))
    }

    // MARK: Pictures

    @Test func `a picture is never written over a file`() throws {
        let picture = SavedPicture(
            raster: Raster(width: 2, height: 2, filledWith: RGB(0x336699)),
            camera: Camera(center: Coordinate(latitude: 60, longitude: 24), zoom: 3))
        #expect(try picture.write(to: home.path + "/map").get() == home.path + "/map.png")
        let before = Files.read(home.path + "/map.png")
        guard case .failure(let problem) = picture.write(to: home.path + "/map.png") else {
            Issue.record("the file was written over")
            return
        }
        #expect(problem.description.contains("map.png") && Files.read(home.path + "/map.png") == before)
    }
}
