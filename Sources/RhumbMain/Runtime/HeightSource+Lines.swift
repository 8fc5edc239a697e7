internal import Rhumb
internal import RhumbBrowser

/// Heights along tracks and routes.
extension HeightSource {
    /// The heights along lines, and the reason why some are unknown.
    struct Lines: Sendable {
        /// One for each line; NaN where unknown. Empty lists without a source.
        let heights: [[Float]]
        /// The source; nil if there is none.
        let ground: ElevationModel?
        /// A clause with the reason why heights are unknown; nil if all are known, or without a source.
        let gapReason: String?
    }

    /// Returns the heights of the ground along lines on the Mercator square.
    /// - Throws: A sentence if the source can't be opened or has no heights.
    func heights(
        along lines: [[SIMD2<Double>]], under layers: [TileLayer] = []
    ) async throws(Notice.Problem) -> Lines {
        guard let ground = try await ground(under: layers, at: lines.flatMap(\.self)) else {
            return Lines(heights: lines.map { _ in [] }, ground: nil, gapReason: nil)
        }
        // The user chose to show this layer of heights, so its server may be contacted.
        let isShown = layers.contains { $0.info.name == ground.name && $0.isVisible }
        var found: [LineHeights] = []
        for line in lines {
            found.append(await ground.heights(along: line, requestsTiles: isShown || requestsTiles))
        }
        let reasons = found.compactMap { $0.gap.map { Self.reason($0, ground) } }
        return Lines(heights: found.map(\.metres), ground: ground, gapReason: reasons.first)
    }

    private static func reason(_ gap: LineHeights.Gap, _ ground: ElevationModel) -> String {
        let name = SafeText.sanitised(ground.name)
        switch gap {
        case .failed(let failure): return "\(Notice.Problem(failure))"
        case .notStored: return "\(name) has no elevation stored there"
        case .noData: return "\(name) has no elevation there"
        }
    }

    /// Returns heights along a route: from stored data if complete, or else from an engine, or else the
    /// incomplete stored ones.
    /// - Parameters:
    ///   - engines: Engines by name or address.
    ///   - report: Receives problems with the source, and the reason of incomplete heights.
    /// - Throws: `RouteFailure` if no height is known.
    func heights(
        along line: [Coordinate], under layers: [TileLayer] = [], by finder: RouteFinder, _ engines: [String],
        report: @Sendable (Notice.Problem) -> Void
    ) async throws(RouteFailure) -> AttributedHeights {
        var known: Lines?
        do throws(Notice.Problem) {
            known = try await heights(along: [OverlayPath(line).points], under: layers)
        } catch {
            report(error)
        }
        let stored = known.flatMap { known in
            known.ground.map {
                AttributedHeights(known.heights[0], by: $0.name, attribution: $0.attribution)
            }
        }
        if let stored, known?.gapReason == nil { return stored }
        do throws(RouteFailure) {
            return try await finder.heights(along: line, by: engines)
        } catch {
            guard error != .cancelled else { throw error }
            if let reason = known?.gapReason { report(Notice.Problem("Heights are incomplete: \(reason)")) }
            guard let stored, stored.metres.contains(where: { !$0.isNaN }) else { throw error }
            return stored
        }
    }
}
