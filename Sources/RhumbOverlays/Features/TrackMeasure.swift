internal import RhumbBase
internal import RhumbCells
internal import RhumbGeo
internal import RhumbVector

/// A quantity that varies along a track and can colour its line.
enum TrackMeasure: Sendable {
    case speed, height, time

    /// Parses a user's word; nil for an unknown one.
    init?(_ word: String) {
        switch word.lowercased() {
        case "speed": self = .speed
        case "height", "ele", "elevation", "altitude": self = .height
        case "time": self = .time
        default: return nil
        }
    }

    var title: String {
        switch self {
        case .speed: "speed, km/h"
        case .height: "height, m"
        case .time: "time, UTC"
        }
    }

    /// Maximum number of coloured parts of a track.
    private static let partLimit = 2000
    /// Time in seconds over which speeds are averaged; shorter times give noise.
    private static let speedSpan = 5.0

    /// Splits a track into parts with their point indices and values, NaN if unknown. Empty if the track has
    /// no such data.
    func parts(of path: OverlayPath) -> [(points: ClosedRange<Int>, value: Double)] {
        guard path.points.count > 1, !(self == .height ? path.heights.isEmpty : path.times.isEmpty) else {
            return []
        }
        let last = path.points.count - 1, step = last / Self.partLimit + 1
        return stride(from: 0, to: last, by: step).map { start in
            let part = start...min(start + step, last)
            return (part, value(of: path, part))
        }
    }

    private func value(of path: OverlayPath, _ part: ClosedRange<Int>) -> Double {
        switch self {
        case .speed: return speed(of: path, part)
        case .height: return Self.mean(path.heights[part].lazy.map(Double.init))
        case .time: return Self.mean(path.times[part])
        }
    }

    private static func mean(_ values: some Sequence<Double>) -> Double {
        var sum = 0.0, count = 0.0
        for value in values where !value.isNaN { (sum, count) = (sum + value, count + 1) }
        return count > 0 ? sum / count : .nan
    }

    private func speed(of path: OverlayPath, _ part: ClosedRange<Int>) -> Double {
        var low = part.lowerBound, high = part.upperBound
        let times = path.times
        // Stops at points without a time, so that they never count as standing still.
        while times[high] - times[low] < Self.speedSpan, low > 0 || high < times.count - 1 {
            let isWider = (low > 0 && !times[low - 1].isNaN, high < times.count - 1 && !times[high + 1].isNaN)
            guard isWider.0 || isWider.1 else { break }
            if isWider.0 { low -= 1 }
            if isWider.1 { high += 1 }
        }
        let seconds = times[high] - times[low]
        guard seconds > 0 else { return .nan }
        var metres = 0.0
        for at in low..<high { metres += path.coordinate(at).metres(to: path.coordinate(at + 1)) }
        return metres / seconds * 3.6
    }

    /// Returns the text of a time of day for the legend.
    /// - Parameter span: Seconds between the earliest and the latest time.
    static func clock(_ value: Double, span: Double) -> String {
        let moment = UnixSeconds(Int64(clamping: value)),
            clock = TrackStatistics.clock(value - (value / 86_400).rounded(.down) * 86_400)
        return span > 86_400 ? "\(moment.day) \(clock.prefix { $0 != ":" })h" : clock
    }
}

extension OverlayStyling {
    /// Colours tracks along their lines; nil if no track has the data.
    func colouredTracks(of features: OverlayFeatureList) -> Styled? {
        guard let measure = TrackMeasure(field) else { return nil }
        let parts = features.map { $0.kind == .line ? $0.paths.map { measure.parts(of: $0) } : [] }
        let values = parts.joined().joined().map(\.value).filter { !$0.isNaN }.sorted()
        guard let least = values.first, let greatest = values.last else { return nil }
        let scale = Self.steps(
            values, measure == .time ? { TrackMeasure.clock($0, span: greatest - least) } : nil)
        var styles: [UInt32: OverlayStyle] = [:], drawn = OverlayFeatureList()
        for (feature, parts) in zip(features, parts) {
            drawn.append(feature)
            for (path, parts) in zip(feature.paths, parts) {
                for (ink, line) in Self.runs(of: path, parts, scale.ink) {
                    let style =
                        styles[ink.hex]
                        ?? OverlayStyle(ink: ink, width: feature.style?.width, hasCasing: false)
                    styles[ink.hex] = style
                    drawn.append(OverlayFeature(.line([line]), style: style))
                }
            }
        }
        return Styled(
            features: features, drawn: drawn,
            legend: OverlayLegend(title: measure.title, entries: scale.entries))
    }

    /// Joins consecutive parts of the same colour.
    private static func runs(
        of path: OverlayPath, _ parts: [(points: ClosedRange<Int>, value: Double)], _ ink: (Double) -> RGB
    ) -> [(RGB, OverlayPath)] {
        var runs: [(ink: RGB, points: ClosedRange<Int>)] = []
        for part in parts {
            let colour = part.value.isNaN ? others : ink(part.value)
            if let last = runs.last, last.ink == colour {
                runs[runs.count - 1].points = last.points.lowerBound...part.points.upperBound
            } else {
                runs.append((colour, part.points))
            }
        }
        return runs.map { ($0.ink, OverlayPath(Array(path.points[$0.points]))) }
    }
}
