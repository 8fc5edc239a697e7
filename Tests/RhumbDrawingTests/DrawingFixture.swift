import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbDrawing

/// Draws tiles from short descriptions.
enum DrawingFixture {
    static let tile = TileID.world.children[3].children[0].children[0]

    static func style(_ layers: [JSON]) throws -> Style {
        let background: JSON = [
            "id": "ground", "type": "background", "paint": ["background-color": "#204060"],
        ]
        return try Style([
            "version": 8, "sources": ["v": ["type": "vector"]], "layers": .array([background] + layers),
        ])
    }

    static func layer(
        _ id: String, _ type: String, _ paint: JSON, layout: JSON = [:], filter: JSON = nil,
        sourceLayer: String = "l"
    ) -> JSON {
        [
            "id": .string(id), "type": .string(type), "source": "v", "source-layer": .string(sourceLayer),
            "paint": paint, "layout": layout, "filter": filter,
        ]
    }

    /// Draws these features, in the whole of a tile or a part of it.
    static func draw(
        _ features: [VectorTileFixture.Feature], _ layers: [JSON], side: Int = 256, version: Int = 2,
        _ part: TilePart = TilePart(tile, deepest: 30), seen: PixelBox? = nil,
        images: [String: StyleImage] = [:]
    ) throws -> Raster {
        var fixture = VectorTileFixture([("l", features)])
        fixture.version = version
        let data = try VectorTile(fixture.bytes)
        var style = try style(layers)
        style.images = images
        let painter = VectorPainter(style, source: "v")
        let raster = painter.draw(part, side: side, seen: seen, names: data.layerNames) { name in
            data.layer(named: name, by: painter.use(ofLayer: name))
        }
        return try #require(raster)
    }
}

extension Raster {
    /// A pixel's colour, without its opacity.
    func colour(_ x: Int, _ y: Int) -> RGB {
        let at = (y * width + x) * 4
        return RGB(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
    }

    /// Returns the number of pixels in a row that differ from the background colour.
    func marks(inRow y: Int) -> Int { (0..<width).count { colour($0, y) != RGB(0x204060) } }
}
