import RhumbWeb
import Testing

/// Tests the names of sources in lists.
struct OriginNamesTests {
    private func origin(_ source: String, _ address: String, _ version: String = "") -> TileOrigin {
        TileOrigin(
            source: source, address: address, size: 256, edition: TileEdition(version: version))
    }

    @Test func `sources with one name are told apart by their addresses, without editions`() {
        let one = origin("host", "http://host/a", "\"17-2\""),
            two = origin("host", "http://host/b", "\"18-3\"")
        let names = OriginNames([one, two, origin("other", "http://other/c", "5")])
        #expect(names.name(of: one) == "host http://host/a" && names.name(of: two) == "host http://host/b")
        #expect(names.name(of: origin("other", "http://other/c", "5")) == "other")
    }

    @Test func `editions of one source are told apart`() {
        let one = origin("host", "http://host/a", "1"), two = origin("host", "http://host/a", "2")
        let names = OriginNames([one, two])
        #expect(names.name(of: one) != names.name(of: two))
    }
}
