public import RhumbCore
internal import RhumbEngine

/// The differences between two archives. Tiles are compared by their decompressed bodies, so that the format
/// and the compression do not count.
public struct ArchiveDiff: Equatable, Sendable {
    /// The numbers of tiles at a zoom.
    public struct Zoom: Equatable, Sendable {
        /// The zoom.
        public let zoom: Int
        /// The number of tiles in the first archive.
        public let firstTiles: Int
        /// The number of tiles in the second archive.
        public let secondTiles: Int
        /// The number of tiles that only the second archive has.
        public let added: Int
        /// The number of tiles that only the first archive has.
        public let removed: Int
        /// The number of tiles with different bodies.
        public internal(set) var changed = 0
    }

    /// A tile that differs.
    public struct TileChange: Equatable, Sendable {
        /// The tile.
        public let tile: TileID
        /// The size of its decompressed body in the first archive, in bytes.
        public let firstBytes: Int
        /// The size of its decompressed body in the second archive, in bytes.
        public let secondBytes: Int
        /// The mean distance of the pictures' colours in OKLab, 0…1; 1 is the distance of black and
        /// white; nil for vector tiles, for damaged pictures, for pictures of different sizes, and if
        /// pictures are not compared.
        public let difference: Double?
    }

    /// The numbers of features that differ in a layer of vector tiles. A feature counts once for each tile.
    public struct Layer: Equatable, Sendable {
        /// The name, not sanitised.
        public let name: String
        /// The numbers of features; kinds without features may be missing.
        public internal(set) var counts: [LayerDifference.Kind: Int] = [:]
    }

    /// A feature that differs.
    public struct FeatureChange: Equatable, Sendable {
        /// The tile.
        public let tile: TileID
        /// The name of the layer, not sanitised.
        public let layer: String
        /// The kind of difference.
        public let kind: LayerDifference.Kind
        /// The id; nil if there is none.
        public let id: UInt64?
        /// The usual name; nil if there is none. Not sanitised.
        public let name: String?
        /// The names of the attributes that differ, sorted and not sanitised; empty unless changed.
        public let fields: [String]
        /// True if the feature is changed and its shape differs.
        public let hasOtherShape: Bool
        /// The shape, of a removed feature as in the first archive; nil unless requested, and if damaged.
        public let shape: TileShape?
    }

    /// A member of the metadata that differs.
    public struct MetadataChange: Equatable, Sendable {
        /// The name of the member.
        public let name: String
        /// The value in the first archive; nil if absent.
        public let first: JSON?
        /// The value in the second archive; nil if absent.
        public let second: JSON?
    }

    /// The differences to find.
    public struct Options: Sendable {
        /// The maximum number of listed tiles, and of features, of each kind.
        public var limit = 10
        /// True to compare the features of vector tiles.
        public var comparesFeatures = false
        /// The only zoom at which features are compared and listed, with their shapes; nil for all zooms,
        /// without shapes.
        public var shownZoom: Int?
        /// Decodes pictures to compare their colours; nil to compare only bytes.
        public var decode: TileDecode?

        /// Creates the default options.
        public init() {}
    }

    /// The numbers of tiles, by zoom.
    public internal(set) var zooms: [Zoom] = []
    /// The first tiles that only the second archive has, low zooms first.
    public internal(set) var addedTiles: [TileID] = []
    /// The first tiles that only the first archive has, low zooms first.
    public internal(set) var removedTiles: [TileID] = []
    /// The first tiles with different bodies, low zooms first.
    public internal(set) var changes: [TileChange] = []
    /// The layers with features that differ, sorted by name; nil if features are not compared.
    public internal(set) var layers: [Layer]?
    /// The first features of each kind that differ, low zooms first.
    public internal(set) var featureChanges: [FeatureChange] = []
    /// The tiles whose features can't be compared.
    public internal(set) var problems = TileProblems()
    /// The differences of the metadata. Values derived from the tiles, such as the format, are not compared.
    public let metadata: [MetadataChange]

    /// True if tiles and metadata are equal.
    public var isEqual: Bool {
        metadata.isEmpty && zooms.allSatisfy { $0.added + $0.removed + $0.changed == 0 }
    }

    /// Compares two archives. Uses all cores, and 16 bytes of memory for each run of consecutive tiles.
    /// - Parameter limit: The maximum number of listed tiles of each kind.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, or `TileFailure` for a damaged tile;
    ///   `CancellationError` if the task is cancelled.
    public init(_ first: ArchiveInput, _ second: ArchiveInput, limit: Int = 10) throws {
        var options = Options()
        options.limit = limit
        try self.init(first, second, options)
    }

    /// Compares two archives with options.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, or `TileFailure` for a damaged tile;
    ///   `ArchiveFailure` if features are compared and the archives have no vector tiles; `CancellationError`
    ///   if the task is cancelled.
    public init(_ first: ArchiveInput, _ second: ArchiveInput, _ options: Options) throws {
        metadata = ArchiveMetadata(first.archive).changes(to: ArchiveMetadata(second.archive))
        if options.comparesFeatures {
            for input in [first, second] where !input.holdsVectorTiles {
                throw ArchiveFailure.noVectorTiles(input.path)
            }
            layers = []
        }
        var own = try first.tiles(), its = try second.tiles()
        try first.checkCount(of: own)
        try second.checkCount(of: its)
        own = try first.withoutBlank(own) { !its.contains($0) }
        its = try second.withoutBlank(its) { !own.contains($0) }
        let lowest = min(own.zooms?.lowerBound ?? 0, its.zooms?.lowerBound ?? 0)
        let highest = max(own.zooms?.upperBound ?? 0, its.zooms?.upperBound ?? 0)
        var common = TileRuns(), added: [Range<UInt64>] = [], removed: [Range<UInt64>] = []
        for zoom in lowest...highest {
            let new = its.missing(in: own, zoom: zoom), old = own.missing(in: its, zoom: zoom)
            let (firstTiles, secondTiles) = (own.count(zoom: zoom), its.count(zoom: zoom))
            guard firstTiles + secondTiles > 0 else { continue }
            zooms.append(
                Zoom(
                    zoom: zoom, firstTiles: firstTiles, secondTiles: secondTiles,
                    added: new.reduce(0) { $0 + $1.count }, removed: old.reduce(0) { $0 + $1.count }))
            addedTiles += ArchiveDiff.tiles(new, limit: options.limit - addedTiles.count)
            removedTiles += ArchiveDiff.tiles(old, limit: options.limit - removedTiles.count)
            for run in own.runs(zoom: zoom) { its.runs(within: run).forEach { common.insert($0) } }
            added += new
            removed += old
        }
        common.settle()
        try collect(common, added: added, removed: removed, first, second, options)
        for input in [first, second] { try input.checkUnchanged() }
    }

    private static func tiles(_ runs: [Range<UInt64>], limit: Int) -> [TileID] {
        Array(runs.lazy.joined().prefix(max(limit, 0)).compactMap { TileID(hilbertID: $0) })
    }
}

extension TileRuns {
    fileprivate func count(zoom: Int) -> Int { runs(zoom: zoom).reduce(0) { $0 + $1.count } }

    /// Returns the runs of a zoom that another set lacks.
    fileprivate func missing(in other: TileRuns, zoom: Int) -> [Range<UInt64>] {
        runs(zoom: zoom).flatMap { other.gaps(within: $0) }
    }
}

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
            name = origin.attributes(of: content).flatMap { values in
                VectorLayer.nameKeys.firstNonNil { values[$0] }?.text
            }
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
