import RhumbCore
import Testing

@testable import RhumbBrowser

struct KeptLabelTests {
    private func label(_ text: String, row: Int, column: Int) -> LabelLayout.Placed {
        LabelLayout.Placed(
            text: text, key: text.lowercased(), ink: .plain, isBold: false, row: row,
            columns: column..<(column + text.count), sign: nil)
    }

    @Test func `labels of another layout keep their positions unless they would overlap`() {
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 5), columns: 80, rows: 24)
        let grid = LabelGrid(view)
        let kept = [
            label("Alpha", row: 5, column: 10), label("Beta", row: 5, column: 12),
            label("Gamma", row: 9, column: 12),
        ]
        let layout = LabelLayout(
            LabelLayout.Labels(others: []), on: grid, in: grid.box(of: view),
            with: LabelObstacles(density: nil), keeping: kept)
        #expect(layout.placed.map(\.text) == ["Alpha", "Gamma"])
    }
}
