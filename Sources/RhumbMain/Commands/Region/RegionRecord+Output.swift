internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

extension RegionRecord {
    /// The region as JSON, for lists and scripts.
    var summary: JSON {
        [
            "id": .string(id), "name": .string(name), "state": .string(stateWord),
            "reason": .string(explanation),
            "tiles": .integer(tiles), "absent": .integer(absent), "planned": .integer(planned),
            "settled": .integer(settled), "failed": .integer(failed), "removed": .integer(removed.count),
            "bytes": .integer(bytes),
            "createdAt": .time(created), "changedAt": .time(changed), "definition": definition?.json ?? .null,
            "package": package.map { name in
                [
                    "catalog": .string(name.catalog), "id": .string(name.package),
                    "edition": packageEdition.map { .string("\($0)") } ?? .null,
                ]
            } ?? .null,
            "parts": .array(
                active.map { part in
                    [
                        "source": .string(part.origin.key), "edition": .string("\(part.origin.edition)"),
                        "planned": .integer(part.planned), "tiles": .integer(part.tiles),
                        "done": .integer(part.done), "absent": .integer(part.stored.absent),
                        "failed": .integer(part.failed), "reused": .integer(part.reused),
                        "unchanged": .integer(part.unchanged), "bytes": .integer(part.stored.bytes),
                        "requests": .integer(part.requests),
                        "tilesPerRequest": part.tilesPerRequest.map { .number($0) } ?? .null,
                    ]
                }),
            "resources": resources.json,
        ]
    }

    /// Returns the command that changes the region, or the packages if it is one.
    func command(_ verb: String) -> String {
        guard package != nil else {
            return verb == "repair"
                ? "rhumb region check \(id.shellQuoted) --repair" : "rhumb region \(verb) \(id.shellQuoted)"
        }
        return verb == "update" ? "rhumb update apply" : "rhumb package \(verb)"
    }

    /// True if an import of the region was interrupted, or runs.
    var isImportUnfinished: Bool { reason == Regions.unfinishedImport }

    /// The commands that get missing tiles.
    var remedyForMissing: String {
        let repair = command("repair")
        return isImportUnfinished
            ? "the same rhumb area import or rhumb region import again, or \(repair) for the source's tiles"
            : repair
    }

    /// A sentence about an update that stopped before its end; nil if there is none.
    var unfinishedUpdate: String? {
        guard isUpdating, state != .completeWithGaps else { return nil }
        return "an update is unfinished; \(AmountText.count(tiles, "tile")) stay in use"
    }

    /// The region as lines of text.
    var lines: [String] {
        let interrupted = "  interrupted; to resume it: \(command("resume"))"
        let state = "  \(stateWord)" + (explanation.isEmpty ? "" : ": \(explanation)")
        var lines = ["\(id): \(title)", isInterrupted ? interrupted : state]
        let zooms =
            if let mapZooms, let heightZooms { "\(mapZooms), heights \(heightZooms)" } else {
                definition?.zoomText
            }
        if let zooms { lines.append("  zooms \(zooms.replacing("-", with: "–"))") }
        lines.append("  \(resources.sizes)")
        let names = OriginNames(active.map(\.origin))
        for part in active {
            let counts = [
                (part.done, "fetched"), (part.reused, "already stored"), (part.unchanged, "unchanged"),
                (part.absent, "absent"),
                (part.failed, "failed"),
            ].filter { $0.0 > 0 }.map { "\(AmountText.count($0.0)) \($0.1)" }
            lines.append(
                "  \(names.name(of: part.origin)): "
                    + "\(AmountText.count(part.tiles)) of \(AmountText.count(part.planned, "tile")), \(AmountText.bytes(part.stored.bytes))"
                    + (counts.isEmpty ? "" : " (\(counts.joined(separator: ", ")))"))
            if let zooms = part.omittedZooms(of: definition) { lines.append("    without zooms \(zooms)") }
            if let rate = part.tilesPerRequest, rate > 1 {
                lines.append("    \(AmountText.count(part.requests, "request")), \(rate) tiles each")
            }
        }
        return lines
    }
}

extension RegionSourceRecord {
    /// Returns the zooms of the region for which the source has no pictures, such as "8–12"; nil if there are
    /// none. Vector tiles and heights are drawn at deeper zooms, too.
    fileprivate func omittedZooms(of region: RegionDefinition?) -> String? {
        guard let region, region.tilesets.isEmpty, let source = definition, !source.holdsVectorTiles,
            source.elevation == nil
        else { return nil }
        let omitted = region.zooms.zooms.filter { !source.zooms.contains($0) }
        let ranges = [
            omitted.filter { $0 < source.zooms.lowerBound }, omitted.filter { $0 > source.zooms.upperBound },
        ]
        let texts = ranges.compactMap { range -> String? in
            guard let first = range.first, let last = range.last else { return nil }
            return first == last ? "\(first)" : "\(first)–\(last)"
        }
        return texts.isEmpty ? nil : texts.joined(separator: " and ")
    }

    /// The number of received and revalidated tiles per request, rounded to a tenth; nil if there were no
    /// requests.
    fileprivate var tilesPerRequest: Double? {
        requests > 0 ? (Double(loaded + unchanged) / Double(requests)).rounded(1) : nil
    }
}

extension RegionResources {
    /// The bytes on disk and those transferred, such as "1.2 MB on disk, 900 kB downloaded".
    var sizes: String {
        "\(AmountText.bytes(completedBytes)) on disk, \(AmountText.bytes(loadedBytes)) downloaded"
    }

    var json: JSON {
        [
            "required": .integer(required), "completed": .integer(completed),
            "completedBytes": .integer(completedBytes),
            "loaded": .integer(loaded), "loadedBytes": .integer(loadedBytes), "errored": .integer(errored),
        ]
    }
}
