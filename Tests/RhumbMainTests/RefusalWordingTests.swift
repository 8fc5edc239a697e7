@testable import Rhumb
import RhumbBrowser
import RhumbCore
import Testing

/// Each refusal of a download has a value of its own, and one sentence with what to do.
struct RefusalWordingTests {
    private static let ask = PlanVerdict.ask(sources: ["web"], policyURLs: ["https://rules.example/"])
    private static let denied = PlanVerdict.denied(
        source: "web", reason: "its provider does not allow areas to be downloaded", policyURL: "https://rules.example/",
        alternative: "use another source")

    private static let store: [(RegionStoreFailure, String)] = [
        (.switchedOff, "regions are switched off; leave --store off out, or say --store read"),
        (.noPlace, "there is no place for regions: set HOME or XDG_DATA_HOME to a folder; or name one with --data-path"),
        (.newerSchema(file: "r.db", version: 9), "the regions in r.db were written by a newer Rhumb (schema 9): update Rhumb"),
        (
            .damaged(file: "r.db", reason: "bad page"),
            "the region store r.db is damaged (bad page) and left as it is; rhumb region repair sets it aside and saves what can be read"
        ),
        (.noRegion("home"), "there is no region home; rhumb region list shows them"),
        (.unreadable("home"), "the definition of region home can't be read; make it anew with rhumb region add"),
        (.quota(bytes: 0), "the region store may take 0 B and is full: remove a region, or allow more; --region-quota says how much"),
        (.busy(region: "home", process: 7), "process 7 works on region home; rhumb region show home tells how far it is"),
        (.lost(region: 1), "another process took over or removed the region while this one was stopped: start again"),
        (
            .refused(ask),
            "only if the provider of web lets you: read its terms first; https://rules.example/; "
                + "say --permitted if the provider allows it to you"
        ),
        (
            .refused(denied),
            "denied by the policy of web: its provider does not allow areas to be downloaded; https://rules.example/; "
                + "use another source; rhumb source list names sources that may be"
        ),
        (
            .refused(.overPackLimit(source: "web", needed: 9, left: 2, limit: 750, proposal: try? ZoomRange(3, 6))),
            "9 packs of web are needed, 2 of 750 are left; zooms 3-6 would fit: choose those or a smaller area, "
                + "or remove a region; rhumb region list shows them"
        ),
        (
            .refused(.overDisk(needed: 2_000_000, free: 1_000_000, proposal: nil)),
            "up to 2 MB are needed, 1 MB are free on the disk; choose a smaller area, or remove a region; "
                + "rhumb region list shows them"
        ),
        (.refused(.tooManyTiles(200_000_000, proposal: nil)), "200,000,000 tiles are more than 100,000,000; choose a smaller area"),
        (.refused(.nothing), "no source has tiles there: choose other zooms or another place"),
    ]

    private static let region: [(RegionFailure, String)] = [
        (.source(.here("world")), "world is on this machine already: there is nothing to download; rhumb source list names sources that may be"),
        (.source(.traffic("flow")), "flow is traffic, which its provider does not let anybody store; leave it out"),
        (
            .feature(.disabled(.terrain, wanted: "hills")),
            "hills needs the feature terrain, which is off; add it to the features (--features, :features)"
        ),
        (.definition(.noSource), "a region needs a source; name one with --source"),
        (.definition(.scale(7)), "there is no scale 7: use 1, 2, 3 or 4"),
        (.denied("web"), "web does not allow areas to be downloaded; rhumb source list names sources that may be"),
        (
            .gone("web", region: "home"),
            "the source web of region home is no longer known, and its definition was not stored; make it anew with rhumb region add"
        ),
        (
            .isPackage(PackageName("north", of: "osm")),
            "package-osm.north is the package north of the catalogue osm; rhumb package and rhumb update, or p on the map, change packages"
        ),
        (
            .stylePack(.doesNotExist("red")),
            "red: there is no such style; rhumb style pack list shows the styles with a pack"
        ),
        (.map(.unknown("osn", among: ["osm"])), "there is no file and no source called osn; did you mean osm?"),
    ]

    private static let prefetch: [(PrefetchFailure, String)] = [
        (.here("world"), "world is on this machine already: nothing has to be fetched"),
        (.noCache, "tiles can't be fetched ahead without a cache: make its folder writable; or name another file with --cache-path"),
        (
            .denied("web", "https://rules.example/"),
            "web does not allow areas to be fetched, only what is looked at and what lies next to it (https://rules.example/): "
                + "use a source that does, or an archive"
        ),
        (
            .unsaid("web", nil),
            "the terms of web leave it open whether tiles may be fetched in bulk; say --permitted if the provider allows it to you"
        ),
        (
            .tooLarge(tiles: 9, bytes: 2_000_000, room: 1_000_000),
            "9 tiles of about 2 MB are more than the cache's 1 MB: take fewer zooms, less ground, or a larger cache; "
                + "--cache-size says how large"
        ),
        (.radius, "the radius must be 1 km to 50 km"),
    ]

    private static let style: [(StylePackFailure, String)] = [
        (.canceled, "cancelled: nothing was changed"),
        (.doesNotExist("red"), "red: there is no such style; rhumb style pack list shows the styles with a pack"),
        (.diskFull, "the disk is full: free some space and try again"),
        (.notRenewed("no answer"), "no answer; the pack is unchanged: try again later"),
        (.unreadable("a.json", reason: "no JSON"), "a.json: no JSON; rhumb style check lists all faults"),
        (
            .document(.absent(address: "https://a/")),
            "https://a/: the server has no such document; check the address"
        ),
        (.store(.noRegion("home")), "there is no region home; rhumb region list shows them"),
    ]

    private static let packages: [(MapLoaderFailure, MapLoaderFailure.Reason, String)] = [
        (
            MapLoaderFailure(RegionStoreFailure.refused(.overPackLimit(source: "web", needed: 9, left: 2, limit: 750, proposal: nil))),
            .packLimitExceeded,
            "the pack limit of web is reached (9 more needed, 2 of 750 left): uninstall a package or remove a region of "
                + "that source; rhumb region list shows them"
        ),
        (
            MapLoaderFailure(RegionStoreFailure.refused(ask)), .notPermitted,
            "only if the provider of web lets you: read its terms first; https://rules.example/; "
                + "say --permitted if the provider allows it to you"
        ),
        (
            MapLoaderFailure(RegionStoreFailure.refused(denied)), .notPermitted,
            "denied by the policy of web: its provider does not allow areas to be downloaded; https://rules.example/; "
                + "use another source; rhumb source list names sources that may be"
        ),
        (
            MapLoaderFailure(RegionStoreFailure.quota(bytes: 0)), .insufficientStorage,
            "the region store may take 0 B and is full: remove a region, or allow more; --region-quota says how much"
        ),
        (
            MapLoaderFailure(RegionStoreFailure.switchedOff), .initializationFailed,
            "regions are switched off; leave --store off out, or say --store read"
        ),
        (
            MapLoaderFailure(DocumentFailure.absent(address: "https://a/")), .connectionFailed,
            "https://a/: the server has no such document; check the address"
        ),
    ]

    private static let all: [(any Error, String)] =
        store.map { ($0, $1) } + region.map { ($0, $1) } + prefetch.map { ($0, $1) } + style.map { ($0, $1) }
        + packages.map { ($0, $2) }

    @Test(arguments: all.indices)
    func `a refusal is one sentence that ends with what to do`(index: Int) {
        let (failure, sentence) = Self.all[index]
        #expect(FailureText.sentence(failure) == sentence)
    }

    @Test func `each refusal has a value of its own`() {
        for group in [Self.store.map { "\($0.0)" }, Self.region.map { "\($0.0)" }, Self.prefetch.map { "\($0.0)" }] {
            #expect(Set(group).count == group.count)
        }
        #expect(Self.packages.map(\.0.reason) == Self.packages.map(\.1))
    }
}
