internal import RhumbCore
internal import Synchronization

/// The labels that have an anchor within a box of cells, most important first. The others of a layout, which
/// covers several views, need not be considered.
struct LabelAnchors: Sendable {
    /// A label with its anchor, in cells of the grid.
    struct Anchored: Sendable {
        let label: MapLabel
        let anchor: Anchor
    }

    enum Anchor: Sendable {
        case point(SIMD2<Double>)
        /// The positions along a line, best first.
        case line([LineLabelPlacement.Slot])
    }

    let box: CellBox
    let all: [Anchored]

    init(of labels: [MapLabel], on grid: LabelGrid, in box: CellBox) {
        self.box = box
        all = labels.indices.compactMap { at in
            Anchor(of: labels[at], on: grid, in: box).map {
                Anchored(label: labels[at], anchor: $0)
            }
        }
    }

    /// The labels with an anchor in the last view. They are the same while panels and marks change, as they
    /// do with each letter of a search.
    final class Memory: Sendable {
        private let last = Mutex<LabelAnchors?>(nil)

        /// Returns the labels with an anchor in a view.
        /// - Parameter grid: The grid of the layout that this memory belongs to.
        func anchors(of labels: [MapLabel], on grid: LabelGrid, in view: CellBox) -> LabelAnchors {
            if let cached = last.withLock({ $0 }), cached.box == view { return cached }
            let new = LabelAnchors(of: labels, on: grid, in: view)
            last.withLock { $0 = new }
            return new
        }
    }
}

extension LabelAnchors.Anchor {
    /// The least length in cells of an island whose name is in its middle.
    private static let leastIsland = 2.0

    /// Creates the anchor of a label; nil if it has none within a box.
    fileprivate init?(of label: MapLabel, on grid: LabelGrid, in box: CellBox) {
        switch label.anchor {
        case .point(let point):
            let position = grid.position(of: point)
            guard LineLabelExtent(position).meets(box) else { return nil }
            self = .point(position)
        case .line(let line):
            guard let reach = grid.reach(of: line) else { return nil }
            guard LineLabelPlacement.mayExist(on: reach, width: label.width, in: box) else {
                // The name of an island smaller than it is in its middle.
                let middle = (reach.least + reach.greatest) / 2
                guard label.isIsland, reach.length >= Self.leastIsland, LineLabelExtent(middle).meets(box)
                else { return nil }
                self = .point(middle)
                return
            }
            let slots = LineLabelPlacement(
                grid.positions(of: line), width: label.width, in: box, isArea: label.isArea
            ).slots
            guard !slots.isEmpty else { return nil }
            self = .line(slots)
        }
    }
}
