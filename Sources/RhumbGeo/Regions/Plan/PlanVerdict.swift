public import RhumbBase

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

extension PlanVerdict {
    /// The verdict as a word for scripts: "allowed", "ask", "denied", "overPackLimit", "overDisk",
    /// "tooManyTiles", "nothing".
    public var word: String {
        switch self {
        case .allowed: "allowed"
        case .ask: "ask"
        case .denied: "denied"
        case .overPackLimit: "overPackLimit"
        case .overDisk: "overDisk"
        case .tooManyTiles: "tooManyTiles"
        case .nothing: "nothing"
        }
    }

    /// Sanitised sentences about the verdict and the next step.
    public var lines: [String] {
        switch self {
        case .allowed: return ["allowed"]
        case .ask(let sources, let urls):
            let names = sources.map { SafeText.sanitised($0) }.joined(separator: ", ")
            let question = "only with the permission of the provider of \(names); read its terms first"
            return [question] + urls.map { SafeText.sanitised($0) }
        case .denied(let source, let reason, let url, let alternative):
            let texts = ["not allowed by the policy of \(source): \(reason)", url ?? "", alternative]
            return texts.map { SafeText.sanitised($0) }.filter { !$0.isEmpty }
        case .overPackLimit(let source, let needed, let left, let limit, _):
            let needed = "\(AmountText.count(needed)) packs of \(SafeText.sanitised(source)) needed"
            return [needed + ", \(AmountText.count(left)) of \(AmountText.count(limit)) left", advice]
        case .overDisk(let needed, let free, _):
            let amounts = "up to \(AmountText.bytes(needed)) needed, \(AmountText.bytes(free)) free on disk"
            return [amounts, advice]
        case .tooManyTiles(let count, _):
            let advice =
                proposal.map { "zooms \($0) would fit; choose those, or a smaller area" }
                ?? "choose a smaller area"
            return [
                "\(AmountText.count(count)) tiles exceed the limit of \(AmountText.count(RegionPlan.tileLimit))",
                advice,
            ]
        case .nothing: return ["no source has tiles there; choose other zooms or another area"]
        }
    }

    /// The proposed range of zooms; nil if there is none, or none is needed.
    public var proposal: ZoomRange? {
        switch self {
        case .overPackLimit(_, _, _, _, let proposal), .overDisk(_, _, let proposal),
            .tooManyTiles(_, let proposal):
            proposal
        case .allowed, .ask, .denied, .nothing: nil
        }
    }

    /// The remedy that a program can offer.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .ask: .sayPermitted
        case .denied: .listDownloadableSources
        case .overPackLimit, .overDisk: .listRegions
        case .allowed, .tooManyTiles, .nothing: nil
        }
    }

    private var advice: String {
        proposal.map { "zooms \($0) would fit; choose those or a smaller area, or remove a region" }
            ?? "choose a smaller area, or remove a region"
    }

    /// The verdict as JSON.
    public var json: JSON {
        var members = JSONObject()
        members["word"] = .string(word)
        members["text"] = .array(lines.map { .string($0) })
        members["mayProceed"] = .bool(mayProceed)
        members["proposal"] = proposal.map { [.integer($0.lowest), .integer($0.highest)] }
        return .object(members)
    }
}
