import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct LayerPanelTests {
    private func layer(_ id: String, _ role: LayerRole, _ zIndex: Int = 0) -> TileLayer {
        var layer = TileLayer.test(BlankSource(), id: id)
        layer.role = role
        layer.zIndex = zIndex
        return layer
    }

    @Test func `the panel lists layers from top to bottom, in any order of arrival`() {
        let layers = [layer("over", .hybridOverlay), layer("names", .labels), layer("base", .rasterBase)]
        var browser = Browser.test(layers: layers)
        #expect(browser.map.layers.map(\.id) == ["base", "over", "names"])
        _ = browser.update(.opened(.success([layer("routes", .routes)]), over: true), at: .zero)
        #expect(browser.map.layers.map(\.id) == ["base", "over", "routes", "names"])
        _ = browser.update(.opened(.success([layer("low", .hybridOverlay, -1)]), over: true), at: .zero)
        #expect(browser.map.layers.map(\.id) == ["base", "low", "over", "routes", "names"])
    }

    @Test func `the panel shows the zooms of the data, and features by their display names`() {
        var map = LabelledMap(LabelledSource(), columns: 120, rows: 40)
        map.press(.character("m"))
        let first = map.browser.screen.lines.joined(separator: "\n")
        #expect(first.contains("z0–14") && !first.contains("z0–19") && !first.contains("buildings"))
        map.press(.character("f"))
        let text = map.browser.screen.lines.joined(separator: "\n")
        #expect(text.contains("buildings and details") && text.contains("base map"))
        for feature in Feature.all where feature.name.contains(where: \.isUppercase) {
            #expect(!text.contains(feature.name))
        }
    }

    @Test func `layers moved in the panel exchange places and stay there`() {
        var browser = Browser.test(layers: [layer("base", .rasterBase), layer("over", .hybridOverlay, 3)])
        browser.type("m>")
        #expect(browser.map.layers.map(\.id) == ["over", "base"])
        let scene = TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers)
        #expect(scene.layers.map(\.layer.id) == ["over", "base"])
        _ = browser.update(
            .styled(.success(StyledLayers(.standard, .night, ["over": layer("over", .rasterBase)]))),
            at: .zero)
        #expect(browser.map.layers.map(\.id) == ["over", "base"])
        browser.type("<")
        #expect(browser.map.layers.map(\.id) == ["base", "over"])
        #expect(browser.map.layers.map(\.zIndex) == [0, 3])
    }
}
