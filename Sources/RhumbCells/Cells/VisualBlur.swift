internal import Glibc

/// The appearance of a cell from a distance, where ink and paper blur into colours that the palette lacks.
///
/// The error of a cell is the mean of its squared errors when seen sharp and when seen blurred. Neighbouring
/// cells mostly have similar errors, so for the blur a cell is its own neighbour on all sides. Its appearance
/// then depends on nothing else.
struct VisualBlur {
    /// The weight of the blurred cell relative to the sharp one, at least 0.
    let weight: Float

    /// The blurred cell's share of the error, 0…1.
    var share: Float { weight / (1 + weight) }

    /// The blur's standard deviation, in widths and heights of a cell twice as high as wide.
    private static let blurAcross = 1.5 / 8, blurDown = 1.5 / 16

    /// Returns how strongly each pair of sub-cells in an even lattice blends when blurred, row by row. A
    /// value is the error that one colour step in each of the two sub-cells has in common. All values add up
    /// to 1, those of one sub-cell to its area.
    func kinship(columns: Int, rows: Int) -> [[Float]] {
        kinship(across: CellSubdivision(parts: [columns]), down: CellSubdivision(parts: [rows]))
    }

    /// Returns how strongly each pair of sub-cells blends when blurred, in any lattice.
    func kinship(across: CellSubdivision, down: CellSubdivision) -> [[Float]] {
        let sides = VisualBlur.kinship(across, blur: VisualBlur.blurAcross)
        let strips = VisualBlur.kinship(down, blur: VisualBlur.blurDown)
        let parts = strips.count * sides.count
        return (0..<parts).map { one in
            (0..<parts).map { other in
                let strip = strips[one / sides.count][other / sides.count]
                return Float(strip * sides[one % sides.count][other % sides.count])
            }
        }
    }

    /// Returns how strongly pairs of parts blend along one axis.
    private static func kinship(_ cut: CellSubdivision, blur: Double) -> [[Double]] {
        let edges = cut.edges.map { Double($0) / Double(FixedPointRect.one) }
        let boxes = zip(edges, edges.dropFirst()).map { $0..<$1 }
        return boxes.map { one in boxes.map { common(one, $0, blur: blur) } }
    }

    /// Returns the overlap of two blurred boxes that repeat in every cell, by their Fourier series.
    private static func common(_ one: Range<Double>, _ other: Range<Double>, blur: Double) -> Double {
        let widths = (one.upperBound - one.lowerBound, other.upperBound - other.lowerBound)
        let apart = (one.lowerBound + one.upperBound - other.lowerBound - other.upperBound) / 2
        var sum = widths.0 * widths.1
        for wave in 1...12 {
            let turn = Double(wave) * .pi
            let heights = sin(turn * widths.0) * sin(turn * widths.1) / (turn * turn)
            let damping = exp(-4 * turn * turn * blur * blur)
            sum += 2 * heights * cos(2 * turn * apart) * damping
        }
        return sum
    }
}

/// The mixture for each part of a cell's lattice, which makes sums over parts match the perceived colours.
struct SubcellBlend: Sendable {
    /// The weights, parts × parts, for parts that hold colour × area.
    let weights: [Float]

    init(_ eye: VisualBlur, across: CellSubdivision, down: CellSubdivision) {
        let kinship = eye.kinship(across: across, down: down)
        weights = kinship.indices.flatMap { one in
            kinship.indices.map { other in
                let area = down.share(other / across.count) * across.share(other % across.count)
                let far = kinship[one][other] / area * eye.share
                return far + (one == other ? 1 - eye.share : 0)
            }
        }
    }
}
