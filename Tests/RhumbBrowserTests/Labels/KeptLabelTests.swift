import RhumbCore
import RhumbTestSupport
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

    @Test func `a layout fitted to one view after another is the same as one fitted to each`() {
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 5), columns: 80, rows: 24)
        let grid = LabelGrid(view), box = grid.box(of: view), column = 1 / grid.columns(of: 1)
        func label(_ text: String, _ anchor: VectorLabel.Anchor, _ order: Int) -> MapLabel? {
            MapLabel(
                VectorLabel(
                    text: text, anchor: anchor, rank: VectorLabel.Rank(layer: 0, order: order),
                    layer: "places"),
                of: .world, isUnicode: true)
        }
        let towns = (0..<8).map { number in
            label("Town \(number)", .point(SIMD2(0.5 + Double(number * 20 - 40) * column, 0.5)), number)
        }
        let river = label(
            "River", .line([SIMD2(0.5 - 60 * column, 0.5 + 8 * column), SIMD2(0.5 + 120 * column, 0.5)]), 8)
        let labels = (towns + [river]).compactMap(\.self)
        func layout() -> LabelLayout {
            LabelLayout(
                LabelLayout.Labels(others: labels), on: grid, in: box.grown(columns: 80, rows: 24),
                with: LabelObstacles(density: nil))
        }
        let here = LabelObstacles(view: box, density: nil)
        let aside = LabelObstacles(view: box.moved(columns: 60, rows: 0), density: nil)
        let covered = LabelObstacles(
            view: box,
            covered: [
                CellBox(
                    columns: box.columns.lowerBound..<(box.columns.lowerBound + 40), rows: box.rows)
            ], density: nil)
        let known = layout()
        for room in [here, aside, covered, here] {
            let placed = known.fitted(into: room, keeping: []).placed
            #expect(placed.contains { $0.text == "River" } && placed.contains { $0.text.hasPrefix("Town") })
            #expect(placed == layout().fitted(into: room, keeping: []).placed)
        }
    }
}
