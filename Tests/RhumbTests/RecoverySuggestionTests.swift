import Rhumb
import RhumbCore
import Testing

/// Tests that the suggestion for a failure is found, however deep its cause.
struct RecoverySuggestionTests {
    private static let failures: [(any RecoverableError, RecoverySuggestion?)] = [
        (MapOpenFailure.unknown("osmm", among: ["osm", "world"]), .takeSource("osm")),
        (MapOpenFailure.unknown("somewhere", among: ["osm", "world"]), .listSources),
        (MapOpenFailure.unreadable(file: "a"), nil),
        (RegionFailure.map(.web(.source(.oneScale(source: "osm")))), .takeUsualScale),
        (RegionFailure.store(.noRegion("home")), .listRegions),
        (RegionFailure.store(.busy(region: "home", process: 1)), .watchRegion("home")),
        (RegionFailure.definition(.noSource), .nameSource),
        (RegionFailure.source(.here("world")), .listDownloadableSources),
        (RegionFailure.feature(.disabled(.terrain, wanted: "hills")), .enableFeature),
        (RegionFailure.denied("a provider"), .listDownloadableSources),
        (PlaceSearchFailure.disabled(.disabled(.offlineSearch, wanted: "search")), .enableFeature),
        (RegionExportFailure.source("home", ["a", "b"]), .chooseSource),
    ]

    @Test(arguments: failures.indices)
    func `failures contain their remedies`(index: Int) {
        let (failure, remedy) = RecoverySuggestionTests.failures[index]
        #expect(failure.remedy == remedy)
    }
}
