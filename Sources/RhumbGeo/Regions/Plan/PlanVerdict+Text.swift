public import RhumbBase

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
