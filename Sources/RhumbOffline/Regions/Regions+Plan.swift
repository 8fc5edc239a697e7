public import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// Planning the cost of a region, and checking limits and policies.
extension Regions {
    /// Returns the cost of a region.
    /// - Parameter isPermitted: True if the user confirms that the provider allows the download.
    /// - Throws: `RegionStoreFailure`
    public func plan(
        _ definition: RegionDefinition, _ sources: [RegionSource], isPermitted: Bool = false
    ) throws(RegionStoreFailure) -> RegionPlan {
        var planned: [PlanSource] = []
        let names = OriginNames(sources.map(\.origin))
        for source in sources {
            var part = try planSource(definition, source, isPermitted)
            // A style has several sources under its own name. All other reports call sources of addresses by
            // their host.
            let isOneOfMany = sources.count { $0.specifier == source.specifier } > 1
            if isOneOfMany || source.specifier != source.origin.source {
                part.name = names.name(of: source.origin)
            }
            if isOneOfMany { part.id += " (\(part.name))" }
            planned.append(part)
        }
        let heights = Set(sources.filter { $0.definition.elevation != nil }.map(\.origin.key))
        return RegionPlan(
            zooms: definition.zooms(without: heights), packing: definition.packing, sources: planned,
            freeDisk: freeDisk)
    }

    /// Checks a region against the policies, the pack limits and the tile limit. Allows a source without
    /// tiles in the area.
    /// - Parameter isPermitted: Returns true for a source whose provider's permission the user has confirmed.
    /// - Throws: `RegionStoreFailure.refused`
    func requireRoom(
        for definition: RegionDefinition, _ sources: [RegionSource], isPermitted: (RegionSource) -> Bool
    ) throws(RegionStoreFailure) {
        var planned: [PlanSource] = []
        for source in sources {
            let policy = source.supply.policy
            planned.append(
                PlanSource(
                    id: source.specifier, name: source.layer.info.name,
                    counts: source.cover(definition).counts(),
                    permission: policy.permission(isPermitted(source)), packs: try packUse(definition, source)
                ))
        }
        let plan = RegionPlan(zooms: definition.zooms, packing: definition.packing, sources: planned)
        guard plan.verdict == .allowed || plan.verdict == .nothing else { throw .refused(plan.verdict) }
    }

    /// Checks that no provider denies downloads.
    /// - Throws: `RegionStoreFailure.refused`
    func requireNoDenial(of sources: [RegionSource]) throws(RegionStoreFailure) {
        guard let source = sources.first(where: { $0.supply.policy.offline == .denied }),
            case .denied(let reason, let policyURL, let alternative) = source.supply.policy.permission(false)
        else { return }
        throw .refused(
            .denied(source: source.specifier, reason: reason, policyURL: policyURL, alternative: alternative))
    }

    private func planSource(
        _ definition: RegionDefinition, _ source: RegionSource, _ isPermitted: Bool
    ) throws(RegionStoreFailure) -> PlanSource {
        let cover = source.cover(definition)
        var planned = PlanSource(
            id: source.specifier, name: source.layer.info.name, counts: cover.counts(),
            samples: try samples(of: source),
            requestsPerSecond: source.supply.policy.requestsPerSecond,
            permission: source.supply.policy.permission(isPermitted),
            packs: try packUse(definition, source))
        planned.usualTile = source.usualTile
        planned.packSurplus = source.packSurplus(definition, counts: planned.counts)
        planned.groups = try groups(definition, source)
        planned.storedRatio = source.supply.storedRatio
        if let zooms = source.supply.unreadableZooms, zooms.overlaps(definition.zooms(of: source.origin.key))
        {
            planned.notes.append(
                "\(planned.name): zooms \(zooms.lowerBound) to \(zooms.upperBound) are left out, because the "
                    + "file has no overviews for them; the provider can add them with gdaladdo")
        }
        planned.notes += source.omissions(from: definition.zooms(of: source.origin.key))
        let now = clock.date()
        for (zoom, count) in planned.counts.rows where count <= Regions.countedLimit {
            let cached =
                cache?.freshTiles(origin: source.origin, zoom: zoom, at: now) { tile in
                    cover.contains(tile) && !store.has(.tile(origin: source.origin, tile))
                } ?? 0
            planned.cached[zoom] = cached
            planned.stored[zoom] =
                try store.freshCount(origin: source.origin, zoom: zoom, at: now) { cover.contains($0) }
                + cached
        }
        return planned
    }

    /// The maximum number of tiles of a zoom for which stored tiles are counted.
    private static let countedLimit = 2_000_000

    /// The maximum number of packs for which a refusal states the exact number of new ones.
    private static let countedPacks = 10_000

    /// Returns the number of packs that a region would add to those of a source; nil if packs are not
    /// limited.
    private func packUse(
        _ definition: RegionDefinition, _ source: RegionSource
    ) throws(RegionStoreFailure) -> PlanSource.PackUse? {
        guard let limit = source.supply.policy.packLimit else { return nil }
        let cover = source.packs(definition)
        var added = cover.counts()
        let used = try store.packCount(of: source.origin)
        if added.total <= Regions.countedPacks || added.total - used <= limit {
            // Packs of other regions are already counted.
            for pack in cover.packs() where try store.holds(pack, of: source.origin) {
                added[pack.top.zoom] -= 1
            }
        }
        return PlanSource.PackUse(limit: limit, used: used, added: added)
    }

    /// The number of free bytes on the disk of the region store; nil if unknown.
    var freeDisk: Int? { DiskSpace.bytes(beside: store.path) }
}

extension RegionSource {
    /// True if nothing states its zooms, because it is an address with braces.
    public var hasAssumedZooms: Bool { definition.kind == .tiles && specifier.contains("{") }

    /// The size of a tile of unknown size.
    fileprivate var usualTile: ByteEstimate {
        definition.holdsVectorTiles
            ? .usualTile()
            : .usualTile(side: layer.info.tileSize.rawValue, isHeights: definition.elevation != nil)
    }

    /// Returns sentences about the zooms of a region whose pictures the source doesn't have. Vector tiles and
    /// heights are drawn at deeper zooms, too.
    fileprivate func omissions(from asked: ClosedRange<Int>) -> [String] {
        guard !definition.holdsVectorTiles, definition.elevation == nil else { return [] }
        let has = layer.dataZooms, name = SafeText.sanitised(layer.info.name, limit: 80)
        func sentence(_ first: Int, _ last: Int, _ reason: String) -> String {
            let zooms = first == last ? "zoom \(first) is" : "zooms \(first) to \(last) are"
            return "\(name): \(zooms) left out, because \(reason)"
        }
        var sentences: [String] = []
        if asked.lowerBound < has.lowerBound, supply.unreadableZooms == nil {
            sentences.append(
                sentence(
                    asked.lowerBound, min(asked.upperBound, has.lowerBound - 1),
                    "the source begins at zoom \(has.lowerBound)"))
        }
        if asked.upperBound > has.upperBound {
            let reason =
                if hasAssumedZooms {
                    "its address states no zooms, and counts as one of zooms 0 to \(has.upperBound); add it as a "
                        + "source with \"maxzoom\""
                } else if layer.info.zooms.upperBound > has.upperBound {
                    "\(has.upperBound) is the deepest zoom that can be shown"
                } else {
                    "the source ends at zoom \(has.upperBound)"
                }
            sentences.append(sentence(max(asked.lowerBound, has.upperBound + 1), asked.upperBound, reason))
        }
        return sentences
    }

    /// Returns the difference in tiles between whole and exact packing; nil if there are too many to count.
    /// - Parameter counts: The counts with the definition's packing.
    fileprivate func packSurplus(_ definition: RegionDefinition, counts: TileCounts) -> Int? {
        var other = definition
        other.packing = definition.packing == .exact ? .wholePacks : .exact
        let others = cover(other).counts()
        return counts.isExact && others.isExact ? abs(others.total - counts.total) : nil
    }
}

extension SourcePolicy {
    fileprivate func permission(_ isPermitted: Bool) -> PlanSource.Permission {
        switch offline {
        case .allowed: .allowed
        case .ask: isPermitted ? .allowed : .ask(policyURL: policyURL)
        case .denied:
            .denied(
                reason: "its provider does not allow downloading areas", policyURL: policyURL,
                alternative: "use a source that allows it, your own server, or a PMTiles extract")
        }
    }
}
