public import RhumbCore
internal import RhumbEngine

/// The comparison of the contents of tiles.
extension ArchiveDiff {
    /// The difference of one tile, or of several with the same two bodies.
    fileprivate struct Finding: Sendable {
        var sizes: (first: Int, second: Int)?
        var difference: Double?
        var features: [FeatureChange] = []
        var problem: String?
    }

    /// Compares the common tiles, and the features of all tiles that differ.
    mutating func collect(
        _ common: TileRuns, added: [Range<UInt64>], removed: [Range<UInt64>], _ first: ArchiveInput,
        _ second: ArchiveInput, _ options: Options
    ) throws {
        try TileComparison(first, second).run(common) { pair in
            try ArchiveDiff.finding(pair, first, second, options)
        } collect: { ids, finding in
            for id in ids { add(id, finding, options) }
        }
        if options.comparesFeatures {
            func wanted(_ runs: [Range<UInt64>]) -> [Range<UInt64>] {
                guard let zoom = options.shownZoom else { return runs }
                return runs.map { $0.clamped(to: TileRuns.ids(zoom: zoom)) }.filter { !$0.isEmpty }
            }
            try addFeatures(of: wanted(added), in: second, isNew: true, options)
            try addFeatures(of: wanted(removed), in: first, isNew: false, options)
        }
        sortLists()
    }

    private static func finding(
        _ pair: TileComparison.Pair, _ first: ArchiveInput, _ second: ArchiveInput, _ options: Options
    ) throws -> Finding? {
        let tile = pair.tile
        let old = try first.plain(pair.first, tile), new = try second.plain(pair.second, tile)
        guard old != new else { return nil }
        var finding = Finding()
        finding.sizes = (old.count, new.count)
        if options.comparesFeatures {
            let isShown = options.shownZoom.map { $0 == tile.zoom } ?? true
            if isShown { finding.compare(old, new, tile, options) }
        } else if let decode = options.decode, TileKind(of: old) != .vector, let a = decode(old),
            let b = decode(new)
        {
            finding.difference = a.meanDistance(to: b)
        }
        return finding
    }

    private mutating func addFeatures(
        of runs: [Range<UInt64>], in input: ArchiveInput, isNew: Bool, _ options: Options
    ) throws {
        var batch: [(tile: TileID, stored: [UInt8])] = []
        func flush(_ diff: inout ArchiveDiff) {
            let findings = batch.concurrentlyMapped { tile, stored in
                var finding = Finding()
                do {
                    let plain = try input.plain(stored, tile)
                    finding.compare(isNew ? nil : plain, isNew ? plain : nil, tile, options)
                } catch {
                    finding.problem = "\(error)"
                }
                return finding
            }
            for finding in findings { diff.add(finding, options) }
            batch = []
        }
        for run in runs {
            for id in run {
                try Task.checkCancellation()
                guard let tile = TileID(hilbertID: id) else { continue }
                batch.append((tile, try input.stored(tile)))
                if batch.count >= 256 { flush(&self) }
            }
        }
        flush(&self)
    }

    private mutating func add(_ id: UInt64, _ finding: Finding, _ options: Options) {
        guard let tile = TileID(hilbertID: id), let sizes = finding.sizes,
            let at = zooms.firstIndex(where: { $0.zoom == tile.zoom })
        else { return }
        zooms[at].changed += 1
        if changes.count < options.limit {
            changes.append(
                TileChange(
                    tile: tile, firstBytes: sizes.first, secondBytes: sizes.second,
                    difference: finding.difference))
        }
        var own = finding
        if finding.features.first?.tile != tile { own.features = finding.features.map { $0.moved(to: tile) } }
        add(own, options)
    }

    private mutating func add(_ finding: Finding, _ options: Options) {
        if let problem = finding.problem { problems.add(problem) }
        for change in finding.features {
            let at =
                layers?.firstIndex { $0.name == change.layer }
                ?? {
                    layers?.append(Layer(name: change.layer))
                    return (layers?.count ?? 1) - 1
                }()
            layers?[at].counts[change.kind, default: 0] += 1
            if featureCount(change.kind) <= options.limit { featureChanges.append(change) }
        }
    }

    private mutating func sortLists() {
        layers?.sort { $0.name < $1.name }
        changes.sort { $0.tile.hilbertID < $1.tile.hilbertID }
    }
}

extension ArchiveDiff {
    /// Returns the number of features of a kind that differ; 0 if features are not compared.
    public func featureCount(_ kind: LayerDifference.Kind) -> Int {
        (layers ?? []).reduce(0) { $0 + ($1.counts[kind] ?? 0) }
    }
}

extension ArchiveDiff.Finding {
    /// Compares the features of two bodies.
    /// - Parameters:
    ///   - old: The decompressed body in the first archive; nil if it lacks the tile.
    ///   - new: The decompressed body in the second archive; nil if it lacks the tile.
    fileprivate mutating func compare(
        _ old: [UInt8]?, _ new: [UInt8]?, _ tile: TileID, _ options: ArchiveDiff.Options
    ) {
        do throws(VectorTileFailure) {
            let first = try old.map { bytes throws(VectorTileFailure) in try VectorTile(bytes) }
            let second = try new.map { bytes throws(VectorTileFailure) in try VectorTile(bytes) }
            features = try VectorTile.differences(first, second).flatMap { layer in
                layer.features.map {
                    ArchiveDiff.FeatureChange($0, of: layer, in: tile, hasShape: options.shownZoom != nil)
                }
            }
        } catch {
            problem = "tile \(tile): \(error)"
        }
    }
}

extension ArchiveDiff.FeatureChange {
    fileprivate init(
        _ feature: LayerDifference.Feature, of layer: LayerDifference, in tile: TileID, hasShape: Bool
    ) {
        let newest = feature.second.map { ($0, layer.second) } ?? feature.first.map { ($0, layer.first) }
        var name: String?, shape: TileShape?
        if let (content, origin) = newest, let origin {
            if case .string(let text)? = origin.attributes(of: content)?["name"] { name = text }
            if hasShape { shape = TileShape(of: content, in: origin) }
        }
        self.init(
            tile: tile, layer: layer.name, kind: feature.kind, id: feature.id, name: name,
            fields: feature.fields, hasOtherShape: feature.hasOtherShape, shape: shape)
    }

    /// Returns the same difference in another tile with the same bodies.
    fileprivate func moved(to tile: TileID) -> Self {
        Self(
            tile: tile, layer: layer, kind: kind, id: id, name: name, fields: fields,
            hasOtherShape: hasOtherShape, shape: shape)
    }
}
