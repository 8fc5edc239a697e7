internal import RhumbCore

/// The heights of the ground along a line.
public struct LineHeights: Sendable {
    /// Metres above sea level, one for each point; NaN if unknown.
    public let metres: [Float]
    /// The reason why some are unknown; nil if all are known.
    public let gap: Gap?

    /// The reason why heights are unknown.
    public enum Gap: Sendable {
        /// The request of a tile failed, or the tile is damaged.
        case failed(TileFailure)
        /// The server has tiles there that aren't stored.
        case notStored
        /// The source has no data there.
        case noData
    }
}

extension ElevationModel {
    /// Returns the heights along a line.
    /// - Parameters:
    ///   - line: Positions on the Mercator square.
    ///   - requestsTiles: If true, tiles that aren't stored are requested from the server.
    public func heights(along line: [SIMD2<Double>], requestsTiles: Bool) async -> LineHeights {
        let failures = requestsTiles ? await load(for: line) : [], metres = heights(at: line)
        let bare = zip(line, metres).filter { $1.isNaN }.map(\.0)
        return LineHeights(metres: metres, gap: bare.isEmpty ? nil : gap(at: bare, of: line, failures))
    }

    /// Returns the reason why positions of a line have no heights. Failures take precedence.
    private func gap(
        at places: [SIMD2<Double>], of line: [SIMD2<Double>], _ failures: [TileFailure]
    ) -> LineHeights.Gap {
        if let failure = failures.first { return .failed(failure) }
        let zoom = zoom(for: line)
        var gap = LineHeights.Gap.noData
        for tile in Set(places.map { Self.tile($0, zoom) }) {
            do throws(TileFailure) {
                if case .remote = try stored(tile) { gap = .notStored }
            } catch {
                return .failed(error)
            }
        }
        return gap
    }
}
