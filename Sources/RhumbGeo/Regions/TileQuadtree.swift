/// The tiles that a shape touches, as a quadtree that is built during a walk. A tile knows which edges pass
/// through it, and whether it lies inside an area.
struct TileQuadtree: Sendable {
    let shape: FixedPointPolygon

    struct Node: Sendable {
        let zoom: Int
        let x: Int
        let y: Int
        /// The number of areas around the tile's north-western corner, moved slightly inwards.
        let winding: Int
        /// The edges that pass through the tile. If a touched tile has none, all its parts are touched.
        let edges: [Int32]

        var isTouched: Bool { !edges.isEmpty || winding > 0 }
        var isWhole: Bool { edges.isEmpty && winding > 0 }
        /// The tile with all its parts.
        var wholly: Node { Node(zoom: zoom, x: x, y: y, winding: 1, edges: []) }
        var tile: TileID { TileID(unchecked: zoom, x, y) }

        fileprivate var size: Int { FixedPointPolygon.side >> zoom }

        init(zoom: Int, x: Int, y: Int, winding: Int, edges: [Int32]) {
            self.zoom = zoom
            self.x = x
            self.y = y
            self.winding = winding
            self.edges = edges
        }

        /// Creates a tile with all its parts.
        init(_ tile: TileID) { self.init(zoom: tile.zoom, x: tile.x, y: tile.y, winding: 1, edges: []) }
    }

    init(_ geometry: RegionGeometry) { shape = FixedPointPolygon(geometry) }

    /// The tile of zoom 0.
    var root: Node {
        let far = shape.edges[..<shape.areaEdges].reduce(0) { $0 + $1.windingFromWest(atX: 0, y: 0) }
        return Node(zoom: 0, x: 0, y: 0, winding: far, edges: shape.edges.indices.map(Int32.init))
    }

    /// Returns the touched quarters.
    func children(of node: Node) -> [Node] {
        let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)]
        if node.edges.isEmpty {
            return quarters.map {
                Node(zoom: node.zoom + 1, x: 2 * node.x + $0.0, y: 2 * node.y + $0.1, winding: 1, edges: [])
            }
        }
        let windings = windings(of: node)
        return quarters.enumerated().compactMap { index, quarter in
            let child = child(of: node, quarter, winding: windings[index])
            return child.isTouched ? child : nil
        }
    }

    /// Returns the quarter of the node that contains a tile; nil if it is not touched.
    func child(of node: Node, towards tile: TileID) -> Node? {
        let shift = tile.zoom - node.zoom - 1
        let quadrant = ((tile.x >> shift) & 1, (tile.y >> shift) & 1)
        let winding = node.edges.isEmpty ? 1 : windings(of: node)[quadrant.0 + 2 * quadrant.1]
        let child = child(of: node, quadrant, winding: winding)
        return child.isTouched ? child : nil
    }

    private func child(of node: Node, _ quadrant: (x: Int, y: Int), winding: Int) -> Node {
        let half = node.size / 2
        let x0 = node.x * node.size + quadrant.x * half, y0 = node.y * node.size + quadrant.y * half
        let passing = node.edges.filter {
            shape.edges[Int($0)].passes(x0, y0, x0 + half, y0 + half)
        }
        return Node(
            zoom: node.zoom + 1, x: 2 * node.x + quadrant.x, y: 2 * node.y + quadrant.y, winding: winding,
            edges: passing)
    }

    /// Returns the winding numbers of the corners of the four quarters. Each edge crossed on the way there
    /// counts.
    private func windings(of node: Node) -> [Int] {
        let half = node.size / 2
        let x0 = node.x * node.size, y0 = node.y * node.size
        var east = 0
        var south = 0
        var southEast = 0
        for index in node.edges where index < shape.areaEdges {
            let edge = shape.edges[Int(index)]
            east += edge.windingAlongRow(y0, fromX: x0, toX: x0 + half)
            south += edge.windingAlongColumn(x0, fromY: y0, toY: y0 + half)
            southEast += edge.windingAlongColumn(x0 + half, fromY: y0, toY: y0 + half)
        }
        let corner = node.winding
        return [corner, corner + east, corner + south, corner + east + southEast]
    }
}
