import RhumbCore
import Testing

/// The examples are those of RFC 9211.
struct CacheStatusTests {
    private func entries(_ text: String) -> [CacheStatus.Entry] {
        CacheStatus(of: ["Cache-Status": text]).entries
    }

    @Test func `a hit states its remaining life`() throws {
        let entry = try #require(entries("ExampleCache; hit; ttl=376").first)
        #expect(entry.name == "ExampleCache" && entry.isHit && entry.remainingLife == 376)
        #expect(entries("ExampleCache; hit; ttl=-412").first?.remainingLife == -412)
    }

    @Test func `a forwarded request states the reason and the status`() throws {
        let entry = try #require(
            entries("ExampleCache; fwd=stale; fwd-status=304; stored; collapsed=?0").first)
        #expect(!entry.isHit && entry.forwardReason == "stale" && entry.forwardStatus == 304)
        #expect(entry.isStored && !entry.isCollapsed)
    }

    @Test func `several caches are read in the order of the response`() {
        let all = entries("OriginCache; hit; ttl=1100, \"CDN, Inc; Here\"; fwd=uri-miss; key=\"a;b,c\"")
        #expect(all.map(\.name) == ["OriginCache", "CDN, Inc; Here"])
        #expect(all.last?.forwardReason == "uri-miss")
    }

    @Test(arguments: ["", ",", ";;", "=", "\"", "a;ttl=x", "\"\";hit"])
    func `broken fields are read as far as possible`(text: String) {
        #expect(entries(text).allSatisfy { !$0.name.isEmpty && $0.remainingLife == nil })
    }
}
