import Rhumb
import RhumbBrowser
import RhumbCore
@testable import RhumbOffline
import Testing

/// Tests that each refusal of a download has its own value, and one sentence with the next step.
struct RefusalWordingTests {
    private static let ask = PlanVerdict.ask(sources: ["web"], policyURLs: ["https://rules.example/"])
    private static let denied = PlanVerdict.denied(
        source: "web", reason: "its provider does not allow areas to be downloaded",
        policyURL: "https://rules.example/",
        alternative: "use another source")

    private static let store: [(RegionStoreFailure, String)] = [
        (.switchedOff, "regions are off; omit --store off, or use --store read"),
        (.noFolder, "no folder for regions: set HOME or XDG_DATA_HOME; or choose one with --data-path"),
        (
            .newerSchema(file: "r.db", version: 9),
            "the regions in r.db were written by a newer Rhumb (schema 9); update "
                + "Rhumb"
        ),
        (
            .damaged(file: "r.db", reason: "bad page"),
            "the region store r.db is damaged (bad page) and was not changed; run rhumb region check "
                + "--repair to set it aside and recover the readable data"
        ),
        (.noRegion("home"), "no region home; see rhumb region list"),
        (
            .unreadable("home"),
            "the definition of region home can't be read; recreate it with rhumb region add"
        ),
        (
            .quota(bytes: 0),
            "the disk quota for regions (0 B) is used up; remove a region, or raise the quota with "
                + "--region-quota"
        ),
        (
            .busy(region: "home", process: 7),
            "process 7 is downloading region home; see its progress with rhumb region show "
                + "home"
        ),
        (
            .lost(region: 1),
            "another process took over or removed the region while this one was paused; start again"
        ),
        (
            .refused(ask),
            "only with the permission of the provider of web; read its terms first; https://rules.example/; "
                + "add --permitted if you have the provider's permission"
        ),
        (
            .refused(denied),
            "not allowed by the policy of web: its provider does not allow areas to be downloaded; "
                + "https://rules.example/; use another source; see rhumb source list for sources that allow it"
        ),
        (
            .refused(
                .overPackLimit(source: "web", needed: 9, left: 2, limit: 750, proposal: try? ZoomRange(3, 6))),
            "9 packs of web needed, 2 of 750 left; zooms 3-6 would fit; choose those or a smaller area, or "
                + "remove a region; see rhumb region list"
        ),
        (
            .refused(.overDisk(needed: 2_000_000, free: 1_000_000, proposal: nil)),
            "up to 2 MB needed, 1 MB free on disk; choose a smaller area, or remove a region; see rhumb region list"
        ),
        (
            .refused(.tooManyTiles(200_000_000, proposal: nil)),
            "200,000,000 tiles exceed the limit of 100,000,000; choose a smaller "
                + "area"
        ),
        (.refused(.nothing), "no source has tiles there; choose other zooms or another area"),
    ]

    private static let region: [(OfflineFailure, String)] = [
        (
            .source(.here("world")),
            "world is a local map and needs no download; see rhumb source list for sources that allow "
                + "it"
        ),
        (.source(.traffic("flow")), "flow is traffic, which its provider does not allow storing; omit it"),
        (
            .feature(.disabled(.terrain, wanted: "hills")),
            "hills needs the feature terrain, which is off; enable it with --features all, or on the map with "
                + ":features"
        ),
        (.definition(.noSource), "a region needs a source; choose one with --source"),
        (.definition(.scale(7)), "invalid scale 7; use 1, 2, 3 or 4"),
        (
            .denied("web"),
            "web does not allow downloading areas; see rhumb source list for sources that allow it"
        ),
        (
            .gone("web", region: "home"),
            "the source web of region home is no longer available, and was not stored with it; recreate it "
                + "with rhumb region add"
        ),
        (
            .isPackage(PackageName("north", of: "osm")),
            "package-osm.north is package north of the catalogue osm; use rhumb package or rhumb update, or "
                + "press p on the map"
        ),
        (
            .noStyle("red"),
            "no such style: red; see rhumb style list"
        ),
        (.map(.unknown("osn", among: ["osm"])), "no file or source called osn; did you mean osm?"),
    ]

    private static let prefetch: [(OfflineFailure, String)] = [
        (.local("world"), "world is a local map and needs no fetching"),
        (
            .noCache,
            "tiles can't be fetched ahead without a cache; make its folder writable; or use another file "
                + "with --cache-path"
        ),
        (
            .prefetchDenied("web", "https://rules.example/"),
            "web does not allow fetching areas, only the view and its surroundings "
                + "(https://rules.example/); use a source that allows it, or an archive"
        ),
        (
            .unsaid("web", nil),
            "the terms of web don't say whether bulk downloads are allowed; add --permitted if you have the "
                + "provider's permission"
        ),
        (
            .tooLarge(tiles: 9, bytes: 2_000_000, room: 1_000_000),
            "9 tiles of about 2 MB exceed the cache limit of 1 MB; choose fewer zooms, a smaller area, or a "
                + "larger cache; change the limit with --cache-size"
        ),
        (.radius, "the radius must be 1 km to 50 km"),
    ]

    private static let style: [(OfflineFailure, String)] = [
        (.cancelled, "cancelled; fetched data is kept"),
        (.noStyle("red"), "no such style: red; see rhumb style list"),
        (.diskFull, "the disk is full; free some space and try again"),
        (.notRenewed("no answer"), "no answer; the style pack was not changed; try again later"),
        (
            .unreadableStyle("a.json", reason: "no JSON"),
            "a.json: no JSON; run rhumb style check to list all faults"
        ),
        (
            .document(.absent(address: "https://a/")),
            "https://a/: the server has no such document; check the URL"
        ),
        (.store(.noRegion("home")), "no region home; see rhumb region list"),
    ]

    private static let packages: [(MapLoaderFailure, MapLoaderFailure.Reason, String)] = [
        (
            MapLoaderFailure(
                RegionStoreFailure.refused(
                    .overPackLimit(source: "web", needed: 9, left: 2, limit: 750, proposal: nil))),
            .packLimitExceeded,
            "the pack limit of web is reached (9 more needed, 2 of 750 left): uninstall a package or remove "
                + "a region of that source; see rhumb region list"
        ),
        (
            MapLoaderFailure(RegionStoreFailure.refused(ask)), .notPermitted,
            "only with the permission of the provider of web; read its terms first; https://rules.example/; "
                + "add --permitted if you have the provider's permission"
        ),
        (
            MapLoaderFailure(RegionStoreFailure.refused(denied)), .notPermitted,
            "not allowed by the policy of web: its provider does not allow areas to be downloaded; "
                + "https://rules.example/; use another source; see rhumb source list for sources that allow it"
        ),
        (
            MapLoaderFailure(RegionStoreFailure.quota(bytes: 0)), .insufficientStorage,
            "the disk quota for regions (0 B) is used up; remove a region, or raise the quota with "
                + "--region-quota"
        ),
        (
            MapLoaderFailure(RegionStoreFailure.switchedOff), .initializationFailed,
            "regions are off; omit --store off, or use --store read"
        ),
        (
            MapLoaderFailure(DocumentFailure.absent(address: "https://a/")), .connectionFailed,
            "https://a/: the server has no such document; check the URL"
        ),
    ]

    private static let all: [(any Error, String)] =
        store.map { ($0, $1) } + region.map { ($0, $1) } + prefetch.map { ($0, $1) } + style.map { ($0, $1) }
        + packages.map { ($0, $2) }

    @Test(arguments: all.indices)
    func `a refusal is one sentence that ends with the next step`(index: Int) {
        let (failure, sentence) = Self.all[index]
        #expect(FailureText.sentence(failure) == sentence)
    }

    @Test func `each refusal has its own value`() {
        for group in [
            Self.store.map { "\($0.0)" }, Self.region.map { "\($0.0)" }, Self.prefetch.map { "\($0.0)" },
        ] {
            #expect(Set(group).count == group.count)
        }
        #expect(Self.packages.map(\.0.reason) == Self.packages.map(\.1))
    }
}
