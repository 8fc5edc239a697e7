import Rhumb
import RhumbOpening
import Testing

struct StandardStyleTests {
    @Test(arguments: MapTheme.allCases, ColorDepth.allCases)
    func `the style of one schema has the layers that draw it and the background`(
        theme: MapTheme, depth: ColorDepth
    ) throws {
        let whole = try Style.standard(theme, depth)
        for schema in TileSchema.allCases {
            let part = try Style.standard(theme, depth, for: schema)
            let wanted = whole.layers.filter { $0.source == nil || $0.source == schema.rawValue }
            #expect(part.layers.map(\.id) == wanted.map(\.id))
            #expect(part.layers.map(\.subject) == wanted.map(\.subject))
            #expect(part.name == whole.name)
            #expect(Set(part.findings).isSubset(of: whole.findings))
        }
    }
}
