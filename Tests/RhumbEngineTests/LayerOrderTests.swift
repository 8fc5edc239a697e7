import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct LayerOrderTests {
    private let source = ScriptedSource { tile, _ in .answer(.flat(tile)) }

    private func layer(_ id: String, _ role: LayerRole, _ zIndex: Int = 0) -> TileLayer {
        var layer = TileLayer.test(source, id: id)
        layer.role = role
        layer.zIndex = zIndex
        return layer
    }

    private func drawn(_ layers: [TileLayer]) -> [TileLayer.ID] {
        TileBoard().scene(of: .small(10, 50, zoom: 5), layers: layers).layers.map(\.layer.id)
    }

    @Test func `roles and z-indices determine the drawing order, regardless of the order of layers`() {
        let roles = LayerRole.allCases.flatMap { role in
            [-3, 0, 7].map { layer("\(role.rawValue).\($0)", role, $0) }
        }
        var random = SplitMix(seed: 11)
        for _ in 0..<50 { #expect(drawn(roles.shuffled(using: &random)) == roles.map(\.id)) }
    }

    @Test func `layers with the same role and z-index keep the order in which they were passed`() {
        let layers = (0..<40).map { layer("\($0)", $0.isMultiple(of: 2) ? .hybridOverlay : .rasterBase) }
        let ids = layers.map(\.id)
        #expect(
            drawn(layers) == ids.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
                + ids.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
    }

    @Test func `a style's mandatory layers are drawn over the map, position over accuracy over routes`() {
        let sets = MandatoryLayerSet.allCases.map { layer($0.rawValue, $0.role) }
        let map = [LayerRole.vectorBase, .rasterBase, .hybridOverlay, .trafficFlow, .trafficIncidents].map {
            layer("map", $0)
        }
        var random = SplitMix(seed: 4)
        for _ in 0..<20 {
            let ids = drawn((sets + map).shuffled(using: &random))
            let routes: Set = [
                "tomtom-active-route", "tomtom-inactive-route", "tomtom-start-route", "tomtom-end-route",
            ]
            #expect(Set(ids.dropFirst(5).prefix(4)) == routes)
            #expect(ids.suffix(3) == ["tomtom-gpsradius", "tomtom-position", "tomtom-chevron"])
        }
    }
}
