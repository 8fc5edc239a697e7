import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Compares the tiles that another program, freestiler of the Python registry, writes in both formats.
struct MapLibreWriterTests {
    private static let script = """
        import random, sys, freestiler, geopandas
        random.seed(43)
        def near(): return [11.2 + random.random() / 10, 43.7 + random.random() / 10]
        features = []
        for number in range(400):
            at, kind = near(), number % 3
            if kind == 0: shape = {"type": "Point", "coordinates": at}
            elif kind == 1: shape = {"type": "LineString", "coordinates": [at, near(), near()]}
            else:
                x, y, d = at[0], at[1], 0.004 + random.random() / 100
                ring = [[x, y], [x + d, y], [x + d, y + d], [x, y + d], [x, y]]
                shape = {"type": "Polygon", "coordinates": [ring]}
            features.append({"type": "Feature", "geometry": shape, "properties": {
                "number": number - 200, "ratio": number / 7, "flag": number % 2 == 0,
                "name": None if number % 5 == 0 else "Via Nr. %d" % (number % 60)}})
        layers = {name: geopandas.GeoDataFrame.from_features(features[kind::3], crs=4326)
            for kind, name in enumerate(("points", "lines", "areas"))}
        for form in ("mvt", "mlt"):
            freestiler.freestile(layers, sys.argv[1] + "/" + form + ".pmtiles", tile_format=form,
                min_zoom=8, max_zoom=13, quiet=True)
        """

    /// A feature without its id, because freestiler 0.3.0 writes differences of ids without ZigZag encoding.
    private struct Feature: Equatable {
        let layer: String
        let kind: VectorFeature.Kind
        let attributes: [String: VectorValue]
        let geometry: VectorGeometry
    }

    private func features(of tile: TileID, in archive: PMTilesArchive) throws -> [Feature] {
        let stored = try #require(try archive.storedBody(tile))
        let content = try VectorTile(TileBody.unwrapped(stored, "", in: "", archive.compression))
        var features: [Feature] = [], reader = GeometryReader()
        for index in content.layerNames.indices {
            let layer = try content.layer(at: index)
            for feature in layer.features {
                let isRead = reader.read(feature, of: layer)
                #expect(isRead)
                features.append(
                    Feature(
                        layer: layer.name, kind: feature.kind,
                        attributes: try #require(layer.attributes(of: feature)), geometry: reader.geometry))
            }
        }
        return features
    }

    @Test func `MapLibre Tiles of freestiler have the features of its Mapbox Vector Tiles`() async throws {
        guard await PythonOracle.has("freestiler", "geopandas") else {
            print("notice: freestiler is not installed; its MapLibre Tiles are not compared")
            return
        }
        let folder = TemporaryFolder()
        let run = await PythonOracle.run(Self.script, folder.path)
        try #require(run.status == 0, "\(run.errors.suffix(400))")
        let messages = try PMTilesArchive(folder.path + "/mvt.pmtiles")
        let columns = try PMTilesArchive(folder.path + "/mlt.pmtiles")
        #expect(columns.declaredContent.kind == .mapLibre)
        var tiles: [TileID] = [], count = 0
        try messages.eachTile { tiles.append($0) }
        for tile in tiles {
            let found = try features(of: tile, in: columns)
            #expect(found == (try features(of: tile, in: messages)), "\(tile)")
            count += found.count
        }
        #expect(tiles.count > 30 && count > 4000)
    }
}
