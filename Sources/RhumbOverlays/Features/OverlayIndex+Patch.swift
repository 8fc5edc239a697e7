internal import RhumbCells
internal import RhumbGeo

/// Creation of patches.
extension OverlayIndex {
    func patch(_ cells: CellBox, _ lattice: CellLattice) -> OverlayPatch {
        let ground = lattice.ground(of: cells)
        var patch = OverlayPatch()
        addPoints(to: &patch, cells, ground, lattice)
        guard hasShapes else { return patch }
        let shapes = shapes(touching: ground)
        addSigns(of: shapes, to: &patch, cells, ground, lattice)
        patch.named = Array(
            shapes.lazy.filter { !self.features[$0.slot].name.isEmpty }.prefix(OverlayPatch.nameLimit))
        return patch
    }

    // MARK: Points

    /// A cluster of points, represented by one of them.
    private struct Cluster {
        let slot: Int, count: Int
        let column: Int, row: Int

        init(slot: Int, count: Int, column: Int, row: Int) {
            self.slot = slot
            self.count = count
            self.column = column
            self.row = row
        }

        init(_ mark: OverlayPatch.Mark) {
            self.init(slot: mark.slot, count: mark.count, column: mark.column, row: mark.row)
        }
    }

    private func addPoints(
        to patch: inout OverlayPatch, _ cells: CellBox, _ ground: WorldBox, _ lattice: CellLattice
    ) {
        let blockColumns = OverlayPatch.blockColumns, blockRows = OverlayPatch.blockRows
        if let single = clusters(in: cells, ground, lattice, grain: 0.5, limit: cells.count * 4) {
            let marks = marks(of: single, in: cells, 1, 1)
            patch.marks = marks
            patch.blocks = self.marks(of: marks.map(Cluster.init), in: cells, blockColumns, blockRows)
        } else {
            let many = clusters(in: cells, ground, lattice, grain: Double(blockRows) / 2, limit: .max) ?? []
            patch.blocks = marks(of: many, in: cells, blockColumns, blockRows)
        }
    }

    /// - Parameter grain: Size of a cluster, in columns.
    /// - Returns: nil if there are more clusters than the limit.
    private func clusters(
        in cells: CellBox, _ ground: WorldBox, _ lattice: CellLattice, grain: Double, limit: Int
    ) -> [Cluster]? {
        var found: [Cluster] = []
        for turn in Int(ground.minX.rounded(.down))...Int(ground.maxX.rounded(.down)) {
            let low = max(ground.minX - Double(turn), 0), high = min(ground.maxX - Double(turn), 1)
            guard low <= high, ground.maxY >= 0, ground.minY <= 1 else { continue }
            let part = WorldBox(minX: low, minY: max(ground.minY, 0), maxX: high, maxY: min(ground.maxY, 1))
            guard let more = points(in: part, grain: grain / lattice.across, limit: limit) else { return nil }
            for (slot, count) in more {
                guard case .point(let point) = features[slot].shape else { continue }
                let cell = lattice.cell(of: SIMD2(point.wrapped.x + Double(turn), point.y))
                guard cells.contains(column: cell.column, row: cell.row) else { continue }
                found.append(Cluster(slot: slot, count: count, column: cell.column, row: cell.row))
            }
        }
        return found
    }

    /// Merges the clusters in each block of cells, and returns them row by row.
    private func marks(
        of clusters: [Cluster], in cells: CellBox, _ columns: Int, _ rows: Int
    ) -> [OverlayPatch.Mark] {
        let across = cells.columns.count / columns
        var marks = [OverlayPatch.Mark?](repeating: nil, count: across * cells.rows.count / rows)
        for one in clusters {
            let at =
                (one.row - cells.rows.lowerBound) / rows * across + (one.column - cells.columns.lowerBound)
                / columns
            let cell = CellBox(columns: one.column..<(one.column + 1), rows: one.row..<(one.row + 1))
            guard var mark = marks[at] else {
                marks[at] = OverlayPatch.Mark(
                    cells: cell, column: one.column, row: one.row, slot: one.slot, count: one.count)
                continue
            }
            mark.cells = mark.cells.joined(with: cell)
            mark.count = mark.count + one.count
            marks[at] = mark
        }
        return marks.compactMap(\.self)
    }

    // MARK: Tracks

    private func addSigns(
        of shapes: [(slot: Int, turns: Double)], to patch: inout OverlayPatch, _ cells: CellBox,
        _ ground: WorldBox, _ lattice: CellLattice
    ) {
        var taken: Set<SIMD2<Int>> = []
        for (slot, turns) in shapes.lazy.filter({ self.features[$0.slot].isTrack }).prefix(
            OverlayPatch.trackLimit)
        {
            let here = WorldBox(
                minX: ground.minX - turns, minY: ground.minY, maxX: ground.maxX - turns, maxY: ground.maxY)
            for (kind, place) in Self.signs(of: features[slot].paths, grain: 1 / lattice.across, on: here) {
                let cell = lattice.cell(of: SIMD2(place.x + turns, place.y))
                guard cells.contains(column: cell.column, row: cell.row),
                    taken.insert(SIMD2(cell.column, cell.row)).inserted
                else { continue }
                patch.signs.append(.init(kind: kind, column: cell.column, row: cell.row))
            }
        }
    }

    private static func signs(
        of paths: [OverlayPath], grain: Double, on ground: WorldBox
    ) -> [(OverlayPatch.Sign.Kind, SIMD2<Double>)] {
        var signs: [(OverlayPatch.Sign.Kind, SIMD2<Double>)] = []
        if let start = paths.first?.points.first, let end = paths.last?.points.last {
            signs += [(.start, start), (.end, end)]
        }
        for path in paths {
            signs += path.arrows(grain: grain, on: ground).map { (.arrow($0.heading), $0.place) }
        }
        return signs
    }
}
