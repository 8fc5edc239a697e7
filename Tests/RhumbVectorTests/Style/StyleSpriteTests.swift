import RhumbCore
import RhumbTestSupport
import Testing

struct StyleSpriteTests {
    private static func style(_ sprite: JSON) throws -> Style {
        try Style(["version": 8, "sources": [:], "layers": [], "sprite": sprite])
    }

    @Test func `a style has one sprite or several, whose images are distinguished`() throws {
        #expect(try Self.style("a/sprite").sprites.map(\.index) == ["a/sprite.json"])
        let listed: JSON = [["id": "default", "url": "a"], ["id": "more", "url": "b"], ["url": "c"], 7]
        let sprites = try Self.style(listed).sprites,
            dot = Raster(width: 1, height: 1, filledWith: RGB(0xFF0000))
        let index: JSON = ["x": ["x": 0, "y": 0, "width": 1, "height": 1]]
        #expect(sprites.map(\.image) == ["a.png", "b.png"])
        #expect(sprites.flatMap { $0.pictures(index: index, image: dot).keys } == ["x", "more:x"])
        #expect(try Self.style(7).sprites.isEmpty)
    }

    @Test(arguments: ["", #""sprite":"https://a.example/s","#])
    func `patterns of a style without a sprite are reported once`(sprite: String) throws {
        let layers = ["a", "b"].map {
            #"{"id":"\#($0)","type":"background","paint":{"background-pattern":"dots"}}"#
        }.joined(separator: ",")
        let text = #"{"version":8,"sources":{},\#(sprite)"layers":[\#(layers)]}"#
        let findings = try Style(JSON.parse(Array(text.utf8))).findings.map(\.description)
        #expect(findings == (sprite.isEmpty ? ["sprite: missing; patterns are not drawn"] : []))
    }

    @Test func `the mean of an image counts opaque pixels`() throws {
        let sprite = try #require(try Self.style("a").sprites.first)
        let image = try #require(
            Raster(
                width: 2, height: 2,
                pixels: [
                    200, 100, 0, 255, 7, 7, 7, 0, 100, 100, 0, 255, 9, 9, 9, 0,
                ]))
        let colours = sprite.pictures(
            index: [
                "all": ["x": 0, "y": 0, "width": 2, "height": 2],
                "clear": ["x": 1, "y": 0, "width": 1, "height": 2],
            ], image: image)
        #expect(
            colours["all"]?.mean.rgb == RGB(red: 150, green: 100, blue: 0)
                && colours["all"]?.mean.alpha == 0.5)
        #expect(colours["clear"]?.mean == .clear)
    }

    @Test(
        arguments: [
            7, ["x": 0], ["x": 0, "y": 0, "width": 3, "height": 1],
            ["x": 2, "y": 0, "width": 1, "height": 1],
            ["x": -1, "y": 0, "width": 1, "height": 1], ["x": 0, "y": 0, "width": 0, "height": 1],
            ["x": 0, "y": 0, "width": 9_223_372_036_854_775_807, "height": 9_223_372_036_854_775_807],
        ] as [JSON])
    func `invalid entries of the index are omitted`(entry: JSON) throws {
        let sprite = try #require(try Self.style("a").sprites.first)
        let colours = sprite.pictures(
            index: ["bad": entry, "good": ["x": 0, "y": 0, "width": 2, "height": 2]],
            image: Raster(width: 2, height: 2, filledWith: RGB(0x102030)))
        #expect(colours.mapValues(\.mean.rgb) == ["good": RGB(0x102030)])
    }
}
