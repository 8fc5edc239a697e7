import Rhumb
import RhumbTestSupport
import Testing

@testable import RhumbMain

struct PrivacyPageTests {
    @Test func `every host of a source, engine or service is listed with its purpose`() throws {
        let page = try PrivacyPage(SourceCatalog())
        for (host, purpose) in [
            ("tiles.openfreemap.org", "vector map"), ("tile.openstreetmap.org", "map images"), ("tiles.mapterhorn.com", "elevation"),
            ("nominatim.openstreetmap.org", "search"), ("routing.openstreetmap.de", "routes"), ("api.tomtom.com", "traffic"),
        ] {
            #expect(page.contacts.contains { $0.host == host && $0.purpose == purpose }, "\(host)")
            #expect(page.text.contains(host))
        }
        #expect(page.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func `a server that the environment puts in place of another is the one that is listed`() throws {
        let page = try PrivacyPage(SourceCatalog(environment: ["RHUMB_OPENFREEMAP_URL": "http://127.0.0.1:8080"]))
        #expect(page.contacts.contains { $0.host == "127.0.0.1" && $0.source == "openfreemap" })
        #expect(!page.contacts.contains { $0.host == "tiles.openfreemap.org" && $0.source == "openfreemap" })
    }
}
