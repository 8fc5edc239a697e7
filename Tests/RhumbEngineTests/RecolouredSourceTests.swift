import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct RecolouredSourceTests {
    @Test func `colours of the table are exchanged and others stay`() throws {
        let tile = try #require(
            Raster(width: 2, height: 1, pixels: [1, 2, 3, 255, 9, 9, 9, 255]))
        let source = RecolouredSource(
            ScriptedSource { _, _ in .answer(.bitmap(.raster(tile))) }, decoder: ThreeByteDecoder(),
            table: [RGB(0x010203): RGB(0x0A0B0C)])
        let expected = Raster(width: 2, height: 1, pixels: [10, 11, 12, 255, 9, 9, 9, 255])
        #expect(try source.tile(.world) == expected.map { .bitmap(.raster($0)) })
    }

    @Test func `an absent tile stays absent and bad bytes name the tile`() throws {
        let absent = RecolouredSource(
            ScriptedSource { _, _ in .answer(.absent) }, decoder: ThreeByteDecoder(), table: [:])
        #expect(try absent.tile(.world) == .absent)
        let bad = RecolouredSource(
            ScriptedSource { _, _ in .answer(.bitmap(.encoded([1]))) }, decoder: ThreeByteDecoder(),
            table: [:])
        #expect(throws: TileFailure.self) { try bad.tile(.world) }
    }
}
