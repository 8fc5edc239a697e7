public import RhumbCore

extension ArchiveInspection {
    /// The result as JSON. Sizes are in bytes, bounds in degrees (west, south, east, north), and tiles are
    /// written as "z/x/y". The faults are not included.
    public var json: JSON {
        [
            "file": .string(file), "format": .string(format), "name": .string(name),
            "attribution": .string(attribution),
            "declared": [
                "kind": declaredKind.map { .string($0.rawValue) } ?? .null, "zooms": json(declaredZooms),
                "bounds": json(declaredBounds),
            ],
            "found": [
                "zooms": json(zooms.first.flatMap { first in zooms.last.map { first.zoom...$0.zoom } }),
                "bounds": json(foundBounds), "missingZooms": .array(missingZooms.map(JSON.integer)),
            ],
            "tiles": .integer(tileCount), "bytes": .integer(byteCount),
            "zooms": .array(zooms.map(\.json)), "bodies": bodies.json,
            "kinds": .array(kinds.map { ["kind": .string($0.kind.rawValue), "tiles": .integer($0.tiles)] }),
            "sizes": .array(
                sizes.map {
                    ["width": .integer($0.width), "height": .integer($0.height), "tiles": .integer($0.tiles)]
                }),
            "blankTiles": blankTiles.map(JSON.integer) ?? .null,
            "oversizedTiles": .integer(oversizedTiles),
            "largest": .array(largest.map { ["tile": .string("\($0.tile)"), "bytes": .integer($0.bytes)] }),
            "metadata": metadata,
        ]
    }

    private func json(_ zooms: ClosedRange<Int>?) -> JSON {
        zooms.map { [.integer($0.lowerBound), .integer($0.upperBound)] } ?? .null
    }

    private func json(_ bounds: Bounds?) -> JSON {
        bounds.map { .array([$0.west, $0.south, $0.east, $0.north].map(JSON.number)) } ?? .null
    }
}

extension ArchiveInspection.BodyFigures {
    fileprivate var json: JSON {
        [
            "distinct": json(distinct), "distinctBytes": json(distinctBytes),
            "stored": .integer(stored), "storedBytes": .integer(storedBytes),
            "repeats": json(repeats), "savedBytes": .integer(savedBytes),
            "wastedBytes": json(wastedBytes),
        ]
    }

    private func json(_ count: Int?) -> JSON { count.map(JSON.integer) ?? .null }
}

extension ZoomStatistics {
    fileprivate var json: JSON {
        [
            "zoom": .integer(zoom), "tiles": .integer(tiles), "bytes": .integer(bytes),
            "smallest": .integer(smallest), "average": .integer(average), "largest": .integer(largest),
            "largestTile": .string("\(largestTile)"),
            "columns": [.integer(columns.lowerBound), .integer(columns.upperBound)],
            "rows": [.integer(rows.lowerBound), .integer(rows.upperBound)],
            "holes": .integer(holes), "holeExamples": json(holeExamples),
            "orphans": .integer(orphans), "orphanExamples": json(orphanExamples),
        ]
    }

    private func json(_ tiles: [TileID]) -> JSON { .array(tiles.map { .string("\($0)") }) }
}
