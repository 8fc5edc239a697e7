import RhumbCore
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

struct GeoTIFFLocationTests {
    private let folder = TemporaryFolder()

    private func archive(_ fixture: GeoTIFFFixture) throws -> GeoTIFFArchive {
        try GeoTIFFArchive(folder.write(fixture.bytes, to: "a.tif"), name: "ortho")
    }

    @Test func `a picture near a pole is reported as beyond the map, and not as misplaced`() throws {
        var fixture = GeoTIFFFixture()
        fixture.code = 4326
        fixture.location = (west: 0, north: 89, pixel: 3.0 / 256)
        let failure = #expect(throws: ArchiveFailure.self) { try archive(fixture) }
        #expect(failure?.problem.contains("nearer to a pole than 85.05°") == true)
        fixture.location = (west: 0, north: 2000, pixel: 3.0 / 256)
        let misplaced = #expect(throws: ArchiveFailure.self) { try archive(fixture) }
        #expect(misplaced?.problem.contains("not on the Earth") == true)
    }
}
