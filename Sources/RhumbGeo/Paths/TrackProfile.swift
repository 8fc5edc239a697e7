internal import RhumbBase

/// The heights along a track, by distance or by time.
public struct TrackProfile: Sendable {
    /// The quantity on the axis.
    public enum Axis: Sendable { case distance, time }

    /// The track, with its parts joined.
    public let path: OverlayPath
    /// The quantity on the axis.
    public let axis: Axis
    /// The position of each point on the axis, in metres or seconds from the start, non-decreasing.
    private let positions: [Double]

    /// Creates a profile.
    /// - Returns: nil for tracks without heights, or by time for tracks without times.
    public init?(_ paths: [OverlayPath], axis: Axis = .distance) {
        guard let path = Self.joined(paths), path.points.count > 1, !path.heights.isEmpty,
            axis == .distance || !path.times.isEmpty
        else { return nil }
        self.path = path
        self.axis = axis
        positions = axis == .distance ? Self.distances(of: path) : Self.seconds(of: path)
    }

    private static func joined(_ paths: [OverlayPath]) -> OverlayPath? {
        guard paths.count > 1 else { return paths.first }
        func all<Value>(_ values: KeyPath<OverlayPath, [Value]>, _ none: Value) -> [Value] {
            paths.flatMap {
                $0[keyPath: values].isEmpty
                    ? Array(repeating: none, count: $0.points.count) : $0[keyPath: values]
            }
        }
        return OverlayPath(paths.flatMap(\.points), heights: all(\.heights, .nan), times: all(\.times, .nan))
    }

    private static func distances(of path: OverlayPath) -> [Double] {
        var positions = [0.0], last = path.coordinate(0)
        for at in path.points.indices.dropFirst() {
            let here = path.coordinate(at)
            positions.append(positions[at - 1] + last.metres(to: here))
            last = here
        }
        return positions
    }

    private static func seconds(of path: OverlayPath) -> [Double] {
        let start = path.times.first { !$0.isNaN } ?? 0
        var last = 0.0
        return path.times.map { time in
            if !time.isNaN { last = max(last, time - start) }
            return last
        }
    }

    /// The length of the axis, in metres or seconds.
    public var length: Double { positions.last ?? 0 }

    /// Returns the position of a point on the axis.
    public func position(of point: Int) -> Double { positions[point] }

    /// Returns the point nearest to a fraction of the axis, 0…1.
    public func point(at share: Double) -> Int {
        let wanted = share * length
        return positions.dropLast().partitioningIndex { $0 >= wanted }
    }

    /// The minimum and the maximum height; nil if no heights are known.
    public var heights: ClosedRange<Double>? {
        let heights = path.heights.lazy.filter { !$0.isNaN }
        guard let least = heights.min(), let most = heights.max() else { return nil }
        return Double(least)...Double(most)
    }

    /// Returns the mean heights in equal parts of the axis; nil if unknown.
    public func columns(_ count: Int) -> [Double?] {
        guard count > 0, length > 0 else { return [] }
        var sums = [Double](repeating: 0, count: count), counts = [Int](repeating: 0, count: count)
        for (at, height) in path.heights.enumerated() where !height.isNaN {
            let column = min(
                Int(clamping: (positions[at] / length * Double(count)).rounded(.down)), count - 1)
            sums[column] += Double(height)
            counts[column] += 1
        }
        var columns: [Double?] = zip(sums, counts).map { $1 > 0 ? $0 / Double($1) : nil }
        // Interpolates columns without a point.
        for at in columns.indices where columns[at] == nil {
            let point = point(at: (Double(at) + 0.5) / Double(count))
            let a = max(point - 1, 0), height = (path.heights[a], path.heights[point])
            let span = positions[point] - positions[a],
                share = span > 0 ? ((Double(at) + 0.5) / Double(count) * length - positions[a]) / span : 0
            if !height.0.isNaN, !height.1.isNaN {
                columns[at] = Double(height.0) + Double(height.1 - height.0) * share
            }
        }
        return columns
    }
}
