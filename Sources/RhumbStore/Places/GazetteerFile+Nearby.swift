internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// Searches for places by location.
extension GazetteerFile {
    /// The maximum distance in metres of a place that counts as near.
    private static let farthest = 2_000_000.0

    /// Returns the nearest settlement of at least the given importance.
    func nearest(
        to point: Coordinate, minimumImportance: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing? {
        var best = (metres: GazetteerFile.farthest, number: 0, chunk: 0)
        let order = chunks.indices.filter { chunks[$0].ceiling >= minimumImportance }
            .map { (least: chunks[$0].metres(from: point), chunk: $0) }
            .sorted { $0.least < $1.least }
        for (least, chunk) in order {
            if least >= best.metres { break }
            let numbers = try numbers(ofChunk: chunk)
            for offset in numbers.kinds.indices {
                guard numbers.kinds[offset].isSettlement, numbers.importances[offset] >= minimumImportance
                else { continue }
                let metres = point.sphericalMetres(to: numbers.coordinate(offset))
                if metres < best.metres { best = (metres, chunks[chunk].first + offset, chunk) }
            }
        }
        guard best.number > 0 else { return nil }
        return PlaceBearing(point, from: try place(best.number, inChunk: best.chunk))
    }

    /// Returns the most important places in a box.
    /// - Parameter kinds: The kinds of the places; nil for all.
    func places(
        of kinds: Set<NamedPlace.Kind>? = nil, in bounds: Bounds, minimumImportance: Double, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        var hits: [Hit] = [], least = -Double.infinity
        let limit = max(limit, 0)
        for index in chunksByCeiling {
            guard chunks[index].ceiling >= max(minimumImportance, least) else { break }
            guard chunks[index].overlaps(bounds) else { continue }
            let numbers = try numbers(ofChunk: index)
            for offset in numbers.kinds.indices where numbers.importances[offset] >= minimumImportance {
                if kinds?.contains(numbers.kinds[offset]) ?? true, bounds.contains(numbers.coordinate(offset))
                {
                    let number = chunks[index].first + offset
                    hits.append(Hit(importance: numbers.importances[offset], number: number, chunk: index))
                }
            }
            if hits.count >= limit {
                hits.sort { ($1.importance, $0.number) < ($0.importance, $1.number) }
                hits.removeLast(hits.count - limit)
                least = hits.last?.importance ?? .infinity
            }
        }
        hits.sort { ($1.importance, $0.number) < ($0.importance, $1.number) }
        // Reads the places in file order, so that the names of each chunk are unpacked only once.
        var places: [Int: NamedPlace] = [:]
        for hit in hits.sorted(by: { $0.number < $1.number }) {
            places[hit.number] = try place(hit.number, inChunk: hit.chunk)
        }
        return hits.compactMap { places[$0.number] }
    }

    private struct Hit {
        let importance: Double
        let number: Int
        let chunk: Int
    }
}

extension PlaceChunk {
    /// Returns the distance of a point from the chunk's box, in degrees along the farther axis.
    func degrees(from point: Coordinate) -> Double {
        max(northGap(point), eastGap(point) * cos(point.latitude.radians))
    }

    /// Returns a lower bound for the distance in metres between a point and any place of the chunk.
    func metres(from point: Coordinate) -> Double {
        let east = min(eastGap(point), 90).radians
        let side = asin(min(cos(point.latitude.radians) * sin(east), 1))
        return max(northGap(point).radians, side) * Coordinate.meanEarthRadius
    }

    private func northGap(_ point: Coordinate) -> Double {
        max(box.south - point.latitude, point.latitude - box.north, 0)
    }

    private func eastGap(_ point: Coordinate) -> Double {
        if point.longitude >= box.west && point.longitude <= box.east { return 0 }
        return min(
            abs(Coordinate.wrapped(longitude: box.west - point.longitude)),
            abs(Coordinate.wrapped(longitude: point.longitude - box.east)))
    }

    func overlaps(_ bounds: Bounds) -> Bool {
        guard box.south <= bounds.north, box.north >= bounds.south else { return false }
        if bounds.crossesAntimeridian { return box.east >= bounds.west || box.west <= bounds.east }
        return box.west <= bounds.east && box.east >= bounds.west
    }
}
