@testable import RhumbOverlays
import RhumbCore
import Testing

/// Tests database geometries whose numbers are NaN or infinite.
struct WKBReaderTests {
    private func bytes(_ value: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }

    private func geometry(_ kind: UInt8, _ rest: [UInt8]) -> [UInt8] {
        [0x47, 0x50, 0, 1, 0, 0, 0, 0, 1, kind, 0, 0, 0] + rest
    }

    private func shapes(_ bytes: [UInt8], _ reference: WKBReader.Reference) throws -> [OverlayFeature.Shape] {
        var reader = WKBReader(bytes, reference)
        return try reader.geoPackageShapes()
    }

    @Test(arguments: [WKBReader.Reference.degrees, .mercator])
    func
        `a point without numbers is empty, and lines with such points and places beyond the world are refused`(
            reference: WKBReader.Reference
        ) throws
    {
        #expect(try shapes(geometry(1, bytes(.nan) + bytes(.nan)), reference).isEmpty)
        #expect(throws: WKBReader.Failure.self) {
            try shapes(geometry(1, bytes(22) + bytes(.nan)), reference)
        }
        #expect(throws: WKBReader.Failure.self) {
            try shapes(geometry(1, bytes(.infinity) + bytes(60)), reference)
        }
        #expect(throws: WKBReader.Failure.self) {
            try shapes(geometry(1, bytes(1e300) + bytes(60)), reference)
        }
        let corners: [Double] = [22, 60, .nan, .nan],
            line: [UInt8] = [2, 0, 0, 0] + corners.flatMap { bytes($0) }
        #expect(throws: WKBReader.Failure.self) { try shapes(geometry(2, line), reference) }
    }

    @Test func `an index accepts every valid place`() {
        for x in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(OverlayIndex([OverlayFeature(.point(WorldPoint(x: x, y: x)))]).features.count == 1)
        }
    }
}
