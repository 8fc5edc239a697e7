import Rhumb
import RhumbCore
import Testing

/// Tests that the suggestion for a failure is found, however deep its cause.
struct RecoverySuggestionTests {
    private static let failures: [(any RecoverableError, RecoverySuggestion?)] = [
        (MapOpenFailure.unknown("osmm", among: ["osm", "world"]), .takeSource("osm")),
        (MapOpenFailure.unknown("somewhere", among: ["osm", "world"]), .listSources),
        (MapOpenFailure.unreadable(file: "a"), nil),
        (OfflineFailure.map(.web(.source(.oneScale(source: "osm")))), .takeUsualScale),
        (OfflineFailure.store(.noRegion("home")), .listRegions),
        (OfflineFailure.store(.busy(region: "home", process: 1)), .watchRegion("home")),
        (OfflineFailure.definition(.noSource), .nameSource),
        (OfflineFailure.source(.here("world")), .listDownloadableSources),
        (OfflineFailure.feature(.disabled(.terrain, wanted: "hills")), .enableFeature),
        (OfflineFailure.denied("a provider"), .listDownloadableSources),
        (PlaceSearchFailure.disabled(.disabled(.offlineSearch, wanted: "search")), .enableFeature),
        (RegionExportFailure.source("home", ["a", "b"]), .chooseSource),
    ]

    @Test(arguments: failures.indices)
    func `failures contain their remedies`(index: Int) {
        let (failure, remedy) = RecoverySuggestionTests.failures[index]
        #expect(failure.remedy == remedy)
    }
}
