import RhumbBase
import Testing

struct ArchiveContainerTests {
    @Test func `every suffix names its container, ignoring case`() {
        for container in ArchiveContainer.allCases {
            for suffix in container.suffixes {
                #expect(ArchiveContainer(path: "/maps/a.b\(suffix.uppercased())") == container)
                #expect(ArchiveContainer(path: "a\(suffix).part") == nil)
            }
            #expect(!container.name.isEmpty)
        }
        #expect(ArchiveContainer(path: "pmtiles") == nil && ArchiveContainer(path: "") == nil)
    }

    @Test(arguments: [
        ("pmtiles://https://h/a", "pmtiles://", "https://h/a"),
        ("PMTiles:///a.pmtiles", "PMTiles://", "/a.pmtiles"),
        ("mbtiles://a.mbtiles", "mbtiles://", "a.mbtiles"), ("https://h/a", "", "https://h/a"), ("", "", ""),
    ])
    func `the scheme of an archive is split from its address`(address: String, scheme: String, rest: String) {
        let parts = ArchiveContainer.splitScheme(address)
        #expect(parts.scheme == scheme && parts.rest == rest)
    }
}
