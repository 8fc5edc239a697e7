public import RhumbCore

/// A map with water everywhere, and styles that colour it.
public struct TownFixture {
    private let folder = TemporaryFolder()
    /// The path of the archive.
    public let town: String

    public init() {
        let water = VectorTileFixture([
            ("water", [.init(.polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])])
        ])
        var archive = PMTilesFixture([(.world, water.bytes)])
        archive.metadata = Array(
            #"{"name":"Town","vector_layers":[{"id":"water"},{"id":"transportation"}]}"#.utf8)
        archive.patches = [(99, 1)]
        town = folder.write(archive.bytes, to: "town.pmtiles")
    }

    public static func style(_ colour: String) -> [UInt8] {
        Array(
            #"""
            {"version":8,"sources":{"openmaptiles":{"type":"vector","url":"https://x.example/t.json"}},"layers":[
             {"id":"w","type":"fill","source":"openmaptiles","source-layer":"water","paint":{"fill-color":"\#(colour)"}}]}
            """#.utf8)
    }

    /// Returns true if the middle of the map is drawn in a colour, within a cell's rounding error.
    public static func isDrawn(_ colour: RGB, _ screen: CellGrid) -> Bool {
        guard case .rgb(let paper) = screen[10, 30].paper.kind else { return false }
        return zip([paper.red, paper.green, paper.blue], [colour.red, colour.green, colour.blue]).allSatisfy {
            abs(Int($0) - Int($1)) < 12
        }
    }
}
