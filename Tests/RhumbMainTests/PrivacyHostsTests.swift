import Rhumb
import RhumbTestSupport
import Testing

@testable import RhumbMain

struct PrivacyHostsTests {
    @Test func `every host of a source, engine or service is listed with its purpose`() throws {
        let page = try PrivacyHosts(SourceCatalog())
        for (host, purpose) in [
            ("tiles.openfreemap.org", "vector map"), ("tile.openstreetmap.org", "map images"),
            ("tiles.mapterhorn.com", "elevation"),
            ("build-metadata.protomaps.dev", "downloads of areas, never for a view"),
            ("nominatim.openstreetmap.org", "search"), ("routing.openstreetmap.de", "routes"),
            ("api.tomtom.com", "traffic"),
        ] {
            #expect(page.contacts.contains { $0.host == host && $0.purpose == purpose }, "\(host)")
            #expect(page.rows.contains { $0.contains(host) && $0.contains(purpose) })
        }
    }

    @Test func `a server that replaces another by an environment variable is listed`() throws {
        let page = try PrivacyHosts(
            SourceCatalog(environment: ["RHUMB_OPENFREEMAP_URL": "http://127.0.0.1:8080"]))
        #expect(page.contacts.contains { $0.host == "127.0.0.1" && $0.source == "openfreemap" })
        #expect(!page.contacts.contains { $0.host == "tiles.openfreemap.org" && $0.source == "openfreemap" })
    }
}
