internal import RhumbBase

/// The decision whether a planned region may be downloaded.
public enum PlanVerdict: Hashable, Sendable {
    case allowed
    /// The user must state that the providers of these sources permit it. Contains the addresses of their
    /// policies.
    case ask(sources: [String], policyURLs: [String])
    /// A source's policy forbids it.
    case denied(source: String, reason: String, policyURL: String?, alternative: String)
    /// The packs exceed the source's limit. `proposal` is the widest range of zooms that fits all limits; nil
    /// if there is none.
    case overPackLimit(source: String, needed: Int, left: Int, limit: Int, proposal: ZoomRange?)
    /// The disk may be too small for the tiles.
    case overDisk(needed: Int, free: Int, proposal: ZoomRange?)
    /// The region has more than `RegionPlan.tileLimit` tiles.
    case tooManyTiles(Int, proposal: ZoomRange?)
    /// No source has any of the tiles.
    case nothing

    /// True if the download may start, possibly after a confirmation.
    public var mayProceed: Bool {
        switch self {
        case .allowed, .ask: true
        case .denied, .overPackLimit, .overDisk, .tooManyTiles, .nothing: false
        }
    }

    init(_ limits: RegionPlan.Limits) {
        self =
            PlanVerdict.denial(limits.sources) ?? limits.tooManyTiles ?? limits.overPacks ?? limits.overDisk
            ?? PlanVerdict.question(limits.sources) ?? .allowed
        if limits.rows.allSatisfy({ $0.tiles == 0 }), mayProceed { self = .nothing }
    }

    private static func denial(_ sources: [PlanSource]) -> PlanVerdict? {
        for source in sources {
            guard case .denied(let reason, let policyURL, let alternative) = source.permission else {
                continue
            }
            return .denied(source: source.id, reason: reason, policyURL: policyURL, alternative: alternative)
        }
        return nil
    }

    private static func question(_ sources: [PlanSource]) -> PlanVerdict? {
        let asking = sources.compactMap { source -> (id: String, url: String?)? in
            guard case .ask(let url) = source.permission else { return nil }
            return (source.id, url)
        }
        func unique(_ texts: [String]) -> [String] {
            texts.enumerated().filter { !texts[..<$0.offset].contains($0.element) }.map(\.element)
        }
        return asking.isEmpty
            ? nil : .ask(sources: unique(asking.map(\.id)), policyURLs: unique(asking.compactMap(\.url)))
    }
}

extension RegionPlan {
    /// The limits of a plan, up to a highest zoom.
    struct Limits {
        let zooms: ZoomRange
        let packing: RegionTileSet.Packing
        let sources: [PlanSource]
        let rows: [Row]
        let freeDisk: Int?

        var tooManyTiles: PlanVerdict? {
            let count = tiles(upTo: zooms.highest)
            return count > RegionPlan.tileLimit ? .tooManyTiles(count, proposal: proposal) : nil
        }

        var overPacks: PlanVerdict? {
            for source in sources {
                guard let packs = source.packs, !fits(packs, upTo: zooms.highest) else { continue }
                return .overPackLimit(
                    source: source.id, needed: packs.added.total, left: packs.left, limit: packs.limit,
                    proposal: proposal)
            }
            return nil
        }

        var overDisk: PlanVerdict? {
            guard let freeDisk, bytes(upTo: zooms.highest) > freeDisk else { return nil }
            return .overDisk(needed: bytes(upTo: zooms.highest), free: freeDisk, proposal: proposal)
        }

        /// The widest range, from the same lowest zoom, that fits all limits.
        private var proposal: ZoomRange? {
            let highest = (zooms.lowest..<zooms.highest).last(where: fits)
            return highest.flatMap { try? ZoomRange(zooms.lowest, $0) }
        }

        private func fits(_ highest: Int) -> Bool {
            tiles(upTo: highest) <= RegionPlan.tileLimit && bytes(upTo: highest) <= freeDisk ?? .max
                && sources.allSatisfy { $0.packs.map { fits($0, upTo: highest) } ?? true }
        }

        private func fits(_ packs: PlanSource.PackUse, upTo highest: Int) -> Bool {
            let added = packs.added.rows.filter { $0.zoom <= highest }
            return added.reduce(0) { $0.saturatingAdd($1.count) } <= packs.left
        }

        private func rows(upTo highest: Int) -> [Row] {
            let last = packing == .exact ? highest : ZoomGroup(containing: highest).highest
            return rows.filter { $0.zoom <= last }
        }

        private func tiles(upTo highest: Int) -> Int {
            rows(upTo: highest).reduce(0) { $0.saturatingAdd($1.tiles) }
        }

        /// Returns the upper limit of the size on the disk in bytes.
        private func bytes(upTo highest: Int) -> Int {
            let size = rows(upTo: highest).reduce(ByteEstimate(bytes: 0, margin: 0)) { $0 + $1.storedSize }
            return size.bytes.saturatingAdd(size.margin)
        }
    }
}
