import Rhumb
import RhumbCore
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Checks of a region that was checked before.
struct SoundBodyTests {
    private static let spot = TileID.at(9, 256, 255)

    private func checked() async throws -> (RegionFixture, RegionRecord) {
        let box = try RegionFixture(), record = try await box.download(box.region())
        #expect(try box.regions.check(record).isWhole)
        return (box, record)
    }

    /// Damages the stored body of a tile on the disk.
    private func damage(_ box: RegionFixture) throws {
        let body = try #require(try box.body(Self.spot))
        let connection = try Connection(box.store.path, .readWrite)
        let text = body.prefix(100).map { String($0, radix: 16).leftPadded }.joined()
        let whole = body.map { String($0, radix: 16).leftPadded }.joined()
        try connection.execute("UPDATE bodies SET bytes = x'\(text)' WHERE bytes = x'\(whole)'", to: "damage")
    }

    @Test func `contents that a check found sound are not decoded again`() async throws {
        let (box, record) = try await checked()
        let kinds = Set(try box.texts("SELECT DISTINCT kind FROM sound_bodies"))
        #expect(kinds.count == 1)
        let kind = try #require(kinds.first)
        try damage(box)
        #expect(try box.regions.check(record).damaged.count == 1)
        // A damaged body that is taken for sound shows that it isn't decoded.
        let damaged = try #require(try box.body(Self.spot)), hash = RegionStore.contentHash(of: damaged)
        try box.execute(
            """
            UPDATE bodies SET hash = \(hash) WHERE id = (SELECT body FROM entries
                WHERE z = \(Self.spot.zoom) AND x = \(Self.spot.x) AND y = \(Self.spot.y))
            """)
        try box.execute(
            "INSERT OR IGNORE INTO sound_bodies VALUES (\(hash), '\(kind)')")
        #expect(try box.regions.check(record).isWhole)
    }

    @Test func `a body that changes on the disk is checked again`() async throws {
        let (box, record) = try await checked()
        try damage(box)
        #expect(try !box.regions.check(record).isWhole)
    }

    @Test func `the results of a check go with the bodies`() async throws {
        let (box, record) = try await checked()
        #expect(try box.texts("SELECT hash FROM sound_bodies").count > 0)
        _ = try box.regions.remove(record)
        let other = try await box.download(box.region("other", zooms: 9...9))
        _ = try box.regions.check(other)
        let left = try box.texts(
            "SELECT hash FROM sound_bodies WHERE hash NOT IN (SELECT hash FROM bodies)")
        #expect(left == [])
    }

    @Test func `a store without the results of a check, as of an older version, is checked`() async throws {
        let (box, record) = try await checked()
        try box.execute("DROP TABLE sound_bodies")
        #expect(try box.regions.check(record).isWhole)
    }
}

extension RegionFixture {
    fileprivate func execute(_ sql: String) throws {
        try Connection(store.path, .readWrite).execute(sql, to: "prepare a test")
    }

    fileprivate func texts(_ sql: String) throws -> [String] {
        let rows = try Connection(store.path, .readOnly).prepare(sql, to: "look")
        var texts: [String] = []
        while try rows.step() { texts.append(rows.text(0) ?? "") }
        return texts
    }
}

extension String {
    /// A hexadecimal number of two digits.
    fileprivate var leftPadded: String { count == 1 ? "0" + self : self }
}
