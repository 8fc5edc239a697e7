public import RhumbGeo

extension TileID {
    /// The quadkey: a digit for each zoom from the coarsest, with the bit of x plus twice the bit of y.
    public var quadkey: String {
        var digits = ""
        for bit in (0..<zoom).reversed() {
            let east = (x >> bit) & 1
            let south = (y >> bit) & 1
            digits += "\(east + 2 * south)"
        }
        return digits
    }

    /// The western, southern, eastern and northern edge in metres of EPSG:3857, joined by commas, to the
    /// micrometre.
    public var metreBox: String {
        let world = 40_075_016.685578488
        let box = box
        func metres(_ share: Double) -> Double { ((share - 0.5) * world * 1e6).rounded() / 1e6 }
        let edges = [metres(box.minX), -metres(box.maxY), metres(box.maxX), -metres(box.minY)]
        return edges.map { $0 == Double(Int($0)) ? "\(Int($0))" : "\($0)" }.joined(separator: ",")
    }
}
