internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb verify`: reports the faults of an archive, and writes a repaired copy.
struct VerifyCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        guard invocation[.repair] || invocation[.output] == nil else {
            throw UsageError("verify: --output needs --repair")
        }
        return try await invocation.withArchive(invocation.operand ?? "") { input in
            invocation.noteSize(of: input)
            return try await verify(input)
        }
    }

    private func verify(_ input: ArchiveInput) async throws -> Int32 {
        let limit = invocation[.top] ?? 10
        guard invocation[.repair] else {
            return try report(
                await ArchiveWork.run("verifying") { Result(found: try Self.verified(input, limit)) })
        }
        let path = try invocation.requiredOutput()
        let work = try ArchiveCopy(of: input, to: path, isReplacing: invocation[.force])
        return try report(
            await ArchiveWork.run("repairing") {
                let found = try Self.verified(input, limit), omitted = try work.repair(found).omitted
                let copy = ArchiveInput(path, try TileProbes.open(path, isTMS: false))
                return Result(found: found, copy: (path, omitted, try Self.verified(copy, limit)))
            })
    }

    /// The faults of an archive and, after a repair, those of the copy.
    private struct Result: Sendable {
        let found: ArchiveVerification
        var copy: (path: String, omitted: Int, left: ArchiveVerification)?
    }

    private static func verified(_ input: ArchiveInput, _ limit: Int) throws -> ArchiveVerification {
        let found = try input.archive.verify(input.path, limit: limit, probe: TileProbes.header) {
            try? SniffingDecoder().decode($0, limits: .tile)
        }
        try input.checkUnchanged()
        return found
    }

    private func report(_ outcome: ArchiveWork.Outcome<Result>) throws -> Int32 {
        guard case .done(let result) = outcome else { return outcome.interruption }
        let found = result.found, path = invocation.operand ?? ""
        var lines = [SafeText.sanitised(path) + ": " + found.summary] + found.lines
        guard let (copyPath, omitted, left) = result.copy else {
            if found.groups.contains(where: \.kind.isRepairable) {
                lines += ["", "Fix the repairable faults in a copy: add --repair -o FILE"]
            }
            try invocation.print(lines, found.json(of: path))
            return found.isSound ? ExitStatus.done : ExitStatus.gaps
        }
        lines += ["", SafeText.sanitised(copyPath) + ": " + left.summary + " in the repaired copy"]
        if omitted > 0 { lines.append("  omitted: " + AmountText.count(omitted, "unreadable or empty part")) }
        let json = left.json(of: copyPath, omitted: omitted)
        try invocation.print(lines + left.lines, found.json(of: path, repaired: json))
        return left.isSound && omitted == 0 ? ExitStatus.done : ExitStatus.gaps
    }
}

extension ArchiveVerification {
    fileprivate var isSound: Bool { faultCount == 0 && unchecked == nil }

    fileprivate var summary: String {
        let faults = faultCount == 0 ? "no faults" : AmountText.count(faultCount, "fault")
        return AmountText.count(tileCount, "tile") + ", " + faults
    }

    /// The faults as lines of text, 80 columns wide and sanitised.
    fileprivate var lines: [String] {
        let notes = unchecked.map { ["", "The contents of the tiles were not checked: \($0)."] } ?? []
        return notes.map { HelpText.wrap($0, indent: 0) } + groups.flatMap(\.lines)
    }

    fileprivate func json(of path: String, omitted: Int? = nil, repaired: JSON = .null) -> JSON {
        [
            "file": .string(path), "tiles": .integer(tileCount), "contentsChecked": .bool(unchecked == nil),
            "faultCount": .integer(faultCount), "faults": .array(groups.map(\.json)),
            "omitted": .count(omitted), "repaired": repaired,
        ]
    }
}

extension ArchiveVerification.Group {
    fileprivate var lines: [String] {
        let head = "\(kind.rawValue): " + AmountText.count(count) + (kind.isRepairable ? ", repairable" : "")
        let width = faults.map(\.placeText.count).max() ?? 0
        let rows = faults.map { fault in
            let place = fault.placeText
            let text = HelpText.wrap(fault.text, indent: width + (width == 0 ? 2 : 4))
            return "  " + place + text.dropFirst(place.count + 2)
        }
        let more = count - faults.reduce(0) { $0.saturatingAdd($1.count) }
        return ["", head] + rows + (more > 0 ? ["  and \(AmountText.count(more)) more"] : [])
            + [HelpText.wrap("→ " + kind.remedy, indent: 2)]
    }

    fileprivate var json: JSON {
        [
            "kind": .string(kind.rawValue), "count": .integer(count), "repairable": .bool(kind.isRepairable),
            "remedy": .string(kind.remedy), "examples": .array(faults.map(\.json)),
        ]
    }
}

extension VerificationFault {
    fileprivate var placeText: String {
        switch place {
        case .archive: ""
        case .tile(let tile): "\(tile)"
        case .byte(let offset): "byte \(offset)"
        }
    }

    fileprivate var text: String {
        guard case .tile = place, count > 1 else { return problem }
        return problem + " (\(AmountText.count(count, "tile")))"
    }

    fileprivate var json: JSON {
        var tile = JSON.null, byte = JSON.null
        switch place {
        case .archive: break
        case .tile(let place): tile = .string("\(place)")
        case .byte(let offset): byte = .integer(Int(clamping: offset))
        }
        return ["tile": tile, "byte": byte, "count": .integer(count), "problem": .string(problem)]
    }
}

extension VerificationFault.Kind {
    fileprivate var remedy: String {
        switch self {
        case .header, .order, .clustering, .count, .zooms: "--repair writes a copy that is correct."
        case .directory:
            "Download or build the archive again. --repair keeps only the tiles that can be found."
        case .overlap: "Check the tiles named elsewhere. --repair stores each body separately."
        case .metadata: "Complete the metadata. --repair adds the values that follow from the tiles."
        case .bounds: "--repair computes the bounds from the tiles."
        case .layers: "See rhumb schema. --repair lists the layers and fields of the tiles."
        case .position, .empty: "--repair leaves these tiles out."
        case .duplicate: "--repair keeps the first tile of each position."
        case .unreadable, .compression, .content: "Build these tiles again, or copy them from a backup."
        case .format: "Rebuild the archive with tiles of one format."
        case .size: "Rebuild these tiles with the size of the others."
        case .winding: "Rebuild these tiles with outer rings clockwise, as MVT 2.1 requires."
        case .extent: "Rebuild these tiles with features clipped to a narrow buffer."
        }
    }
}
