internal import RhumbCore

/// The heights along a track as columns of blocks, beside an axis of heights.
struct ProfileBars {
    private let columns: [Double?]
    private let heights: ClosedRange<Double>
    private let rows: Int
    /// The share of the axis that the cursor marks, 0…1; nil for none.
    var cursor: Double?
    /// The other end of the highlighted section, 0…1; nil to highlight nothing.
    var mark: Double?
    /// The minimum range of the vertical axis in metres, so that level ground looks level.
    private static let leastSpan = 20.0

    /// - Parameters:
    ///   - columns: The height at each column; nil where unknown.
    ///   - heights: The lowest and the highest of them.
    init(columns: [Double?], _ heights: ClosedRange<Double>, rows: Int) {
        self.columns = columns
        self.heights = heights
        self.rows = rows
    }

    /// - Parameter columns: The width in columns, including the axis.
    /// - Returns: nil if no heights are known.
    init?(_ profile: TrackProfile?, columns: Int, rows: Int) {
        guard let profile, let heights = profile.heights else { return nil }
        self.init(columns: profile.columns(max(columns - Self.axisWidth(heights), 4)), heights, rows: rows)
    }

    private var span: Double { max(heights.upperBound - heights.lowerBound, Self.leastSpan) }

    /// Returns the width of the axis of heights in columns, including a gap.
    static func axisWidth(_ heights: ClosedRange<Double>) -> Int {
        let ends = [heights.lowerBound, max(heights.upperBound, heights.lowerBound + leastSpan)]
        return (ends.map { Self.words($0).width }.max() ?? 0) + 1
    }

    private static func words(_ height: Double) -> String { "\(PlaceFormat.fixed(height, 0)) m" }

    /// Returns a row of the axis, with heights at the top, at the bottom, and in the middle of an odd number
    /// of rows.
    private func axis(_ row: Int) -> [Cell] {
        let share = [0: 1, rows - 1: 0, rows % 2 == 1 ? rows / 2 : -1: 0.5][row]
        let words = share.map { Self.words(heights.lowerBound + span * $0) } ?? ""
        return (words.leftPadded(to: Self.axisWidth(heights) - 1) + " ").unicodeScalars.map {
            Cell($0, style: .dim)
        }
    }

    /// Returns the lines, topmost row first.
    func lines(_ browser: Browser) -> [PanelText.Line] {
        let isUnicode = browser.map.settings.isUnicode, steps = isUnicode ? 8 : 2
        func column(_ share: Double) -> Int { Int(clamping: share * Double(columns.count - 1)) }
        let part = mark.flatMap { mark in cursor.map { column(min(mark, $0))...column(max(mark, $0)) } }
        return (0..<rows).map { row in
            let cells = columns.enumerated().map { at, height in
                let full =
                    height.map {
                        Int(clamping: min(($0 - heights.lowerBound) / span, 1) * Double(rows * steps - 1)) + 1
                    } ?? 0
                var cell = Cell(
                    Self.bar(full - (rows - 1 - row) * steps, isUnicode), ink: browser.face.accent)
                if let part { cell.style = part.contains(at) ? .bold : .dim }
                if at == cursor.map(column) { cell.style.insert(.reverse) }
                return cell
            }
            return PanelText.Line(text: "", cells: axis(row) + cells)
        }
    }

    private static func bar(_ fill: Int, _ isUnicode: Bool) -> Unicode.Scalar {
        guard isUnicode else { return fill <= 0 ? " " : fill == 1 ? "." : ":" }
        let bars: [Unicode.Scalar] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return bars[min(max(fill, 0), 8)]
    }
}
