internal import Rhumb

/// Statistics as JSON and as tab-separated values.
extension ArchiveStatistics {
    func json(of path: String, budget: Int?) -> JSON {
        let whole: JSON = [
            "file": .string(path), "tiles": .integer(tileCount), "readTiles": .integer(readCount),
            "distinctBodies": .integer(distinct), "distinctBytes": .integer(distinctBytes),
            "duplicates": .integer(duplicates), "bodiesRead": .bool(hasReadBodies),
        ]
        return whole.adding(stored.json("stored", readCount)).adding(unpacked(plain, readCount))
            .adding([
                "emptyTiles": .count(emptyCount), "weightedRequests": .count(weightedRequests),
                "requests": weightedRequests == nil ? .null : .integer(requests),
                "sentBytes": weightedRequests == nil ? .null : .integer(sentBytes),
                "histogram": .array(histogram.map(\.json)), "zooms": .array(zooms.map(json)),
                "layers": layers.map { .array($0.map(json)) } ?? .null,
                "fields": fields.map { .array($0.map(\.json)) } ?? .null,
                "largest": .array(largest.map { $0.json.adding(["requests": .count($0.requests)]) }),
                "budget": .count(budget),
                "overBudgetTiles": budget == nil ? .null : .integer(overBudgetCount),
                "overBudget": .array(overBudget.map(\.json)), "truncated": .bool(isTruncated),
                "problemCount": .integer(problems.count), "problems": .messages(problems.examples),
            ])
    }

    private func unpacked(_ sizes: Sizes, _ count: Int) -> KeyValuePairs<String, JSON> {
        hasReadBodies ? sizes.json("unpacked", count) : ["unpacked": .null]
    }

    private func json(_ zoom: Zoom) -> JSON {
        let hasWeights = weightedRequests != nil
        let json: JSON = [
            "zoom": .integer(zoom.zoom), "tiles": .integer(zoom.tiles), "readTiles": .integer(zoom.readCount),
            "distinctBodies": .integer(zoom.distinct),
            "requests": hasWeights ? .integer(zoom.requests) : .null,
            "sentBytes": hasWeights ? .integer(zoom.sentBytes) : .null,
        ]
        return json.adding(zoom.stored.json("stored", zoom.readCount))
            .adding(unpacked(zoom.plain, zoom.readCount))
    }

    private func json(_ layer: Layer) -> JSON {
        let size = layer.size, sizes = layer.sizes
        return [
            "name": .string(layer.name), "tiles": .integer(layer.tiles), "features": .integer(size.features),
            "vertices": .integer(size.vertices), "attributeBytes": .integer(size.attributeBytes),
            "bytes": .integer(size.bytes), "mean": .integer(sizes.mean(of: layer.tiles)),
            "largest": .integer(sizes.largest), "largestTile": .text(sizes.largestTile?.description),
            "sentBytes": weightedRequests == nil ? .null : .integer(layer.sentBytes),
        ]
    }

    /// The rows of the table as tab-separated values, with the names of the columns in the first line.
    /// Unknown values are empty.
    func tsv(_ rows: ArchiveInfoCommand.Rows) -> String {
        var lines: [[Any?]] = []
        switch rows {
        case .zoom:
            lines.append([
                "zoom", "tiles", "read_tiles", "distinct_bodies", "stored_bytes", "stored_largest",
                "stored_largest_tile", "unpacked_bytes", "unpacked_largest", "unpacked_largest_tile",
                "requests", "sent_bytes",
            ])
            for zoom in zooms {
                let plain = hasReadBodies ? zoom.plain : nil, stored = zoom.stored
                lines.append([
                    zoom.zoom, zoom.tiles, zoom.readCount, zoom.distinct, stored.total, stored.largest,
                    stored.largestTile, plain?.total, plain?.largest, plain?.largestTile,
                    weighted(zoom.requests), weighted(zoom.sentBytes),
                ])
            }
        case .layer:
            lines.append([
                "layer", "tiles", "features", "vertices", "attribute_bytes", "bytes", "largest",
                "largest_tile", "sent_bytes",
            ])
            for layer in layers ?? [] {
                let size = layer.size
                lines.append([
                    layer.name, layer.tiles, size.features, size.vertices, size.attributeBytes, size.bytes,
                    layer.sizes.largest, layer.sizes.largestTile, weighted(layer.sentBytes),
                ])
            }
        case .field:
            lines.append(["layer", "field", "tiles", "features", "distinct_values", "is_exact", "bytes"])
            for field in fields ?? [] {
                lines.append([
                    field.layer, field.name, field.tiles, field.features, field.values.count,
                    field.values.isExact, field.bytes,
                ])
            }
        case .tile:
            lines.append(["zoom", "column", "row", "stored_bytes", "unpacked_bytes", "requests"])
            for size in largest {
                let tile = size.tile
                lines.append([tile.zoom, tile.x, tile.y, size.stored, size.plain, size.requests])
            }
        }
        return lines.map { line in
            line.map { $0.map { SafeText.sanitised("\($0)") } ?? "" }.joined(separator: "\t") + "\n"
        }.joined()
    }

    private func weighted(_ number: Int) -> Int? { weightedRequests == nil ? nil : number }
}

extension ArchiveStatistics.Sizes {
    /// Returns the mean in bytes, rounded down; 0 without bodies.
    func mean(of count: Int) -> Int { count > 0 ? total / count : 0 }

    /// Returns an object with the sizes as the member of that name.
    fileprivate func json(_ name: String, _ count: Int) -> KeyValuePairs<String, JSON> {
        [
            name: [
                "bytes": .integer(total), "mean": .integer(mean(of: count)), "largest": .integer(largest),
                "largestTile": .text(largestTile?.description),
            ]
        ]
    }
}

extension ArchiveStatistics.Field {
    fileprivate var json: JSON {
        [
            "layer": .string(layer), "name": .string(name), "tiles": .integer(tiles),
            "features": .integer(features), "distinctValues": .integer(values.count),
            "isExact": .bool(values.isExact), "bytes": .integer(bytes),
        ]
    }
}

extension ArchiveStatistics.Bin {
    fileprivate var json: JSON {
        ["limit": .integer(limit), "tiles": .integer(tiles), "bytes": .integer(bytes)]
    }
}

extension ArchiveStatistics.TileSize {
    fileprivate var json: JSON {
        ["tile": .string("\(tile)"), "bytes": .integer(stored), "unpackedBytes": .count(plain)]
    }
}
