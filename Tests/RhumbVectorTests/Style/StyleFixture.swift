import RhumbCore
import RhumbTestSupport
import Testing

/// Styles and contexts for tests.
enum StyleFixture {
    /// Returns a style with one vector source "v" and the layers.
    static func style(_ layers: [JSON]) throws -> Style {
        try Style(["version": 8, "sources": ["v": ["type": "vector"]], "layers": .array(layers)])
    }

    /// Returns a style with one layer over the tile layer "l".
    static func layer(
        _ type: String = "line", filter: JSON = nil, paint: JSON = [:], layout: JSON = [:]
    ) throws -> Style {
        try style([
            [
                "id": "a", "type": .string(type), "source": "v", "source-layer": "l", "filter": filter,
                "paint": paint, "layout": layout,
            ]
        ])
    }

    /// Returns a context that has entered one feature.
    static func context(
        _ style: Style, zoom: Double = 0, _ attributes: [(String, VectorValue)] = [],
        kind: VectorFeature.Kind = .line, id: UInt64? = nil
    ) throws -> StyleContext {
        let fixture = VectorTileFixture([("l", [.init(kind, [9, 0, 0], attributes, id: id)])])
        let layer = try #require(try VectorTile(fixture.bytes).layer(named: "l"))
        var context = StyleContext(style, zoom: zoom)
        context.enter(layer)
        let isEntered = context.enter(layer.features[0])
        try #require(isEntered)
        return context
    }

    /// Returns the value of an expression as text.
    static func text(
        _ expression: JSON, zoom: Double = 0, _ attributes: [(String, VectorValue)] = []
    ) throws -> String? {
        let style = try layer("symbol", layout: ["text-field": expression])
        var context = try context(style, zoom: zoom, attributes, id: 7)
        return style.layers.first?.text(.textField, &context)
    }
}
