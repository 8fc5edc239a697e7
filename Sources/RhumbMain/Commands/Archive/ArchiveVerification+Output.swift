internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Faults as text and as JSON.
extension ArchiveVerification {
    /// True if there are no faults, and all requested checks were possible.
    var isSound: Bool {
        if case .refused? = unchecked { return false }
        return faultCount == 0
    }

    /// The numbers of tiles and faults.
    var summary: String {
        AmountText.count(tileCount, "tile") + ", " + faultText
    }

    private var faultText: String { faultCount == 0 ? "no faults" : AmountText.count(faultCount, "fault") }

    /// The faults as lines of text, 80 columns wide and sanitised.
    var lines: [String] {
        let note: String
        switch unchecked {
        case nil: note = "All checks: \(faultText)."
        case .notRequested:
            note =
                "Header, metadata and directories: \(faultText). Compression, formats, layers and features of the "
                + "tiles were not checked; --check checks them."
        case .refused(let reason): note = "The contents of the tiles were not checked: \(reason)."
        }
        return ["", HelpText.wrap(note, indent: 0)] + groups.flatMap(\.lines)
    }

    /// The members of the faults in JSON.
    var members: KeyValuePairs<String, JSON> {
        [
            "contentsChecked": .bool(unchecked == nil), "faultCount": .integer(faultCount),
            "faults": .array(groups.map(\.json)),
        ]
    }

    /// Returns the JSON of a repaired copy.
    /// - Parameter omitted: The number of parts that it lacks.
    func json(of path: String, omitted: Int) -> JSON {
        let start: JSON = ["file": .string(path), "tiles": .integer(tileCount), "omitted": .integer(omitted)]
        return start.adding(members)
    }
}

extension ArchiveVerification.Group {
    fileprivate var lines: [String] {
        let head = "\(kind.rawValue): " + AmountText.count(count) + (kind.isRepairable ? ", repairable" : "")
        let width = faults.map(\.locationText.count).max() ?? 0
        let rows = faults.map { fault in
            let location = fault.locationText
            let text = HelpText.wrap(fault.text, indent: width + (width == 0 ? 2 : 4))
            return "  " + location + text.dropFirst(location.count + 2)
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
    fileprivate var locationText: String {
        switch location {
        case .archive: ""
        case .tile(let tile): "\(tile)"
        case .byte(let offset): "byte \(offset)"
        }
    }

    fileprivate var text: String {
        guard case .tile = location, count > 1 else { return problem }
        return problem + " (\(AmountText.count(count, "tile")))"
    }

    fileprivate var json: JSON {
        var tile = JSON.null, byte = JSON.null
        switch location {
        case .archive: break
        case .tile(let id): tile = .string("\(id)")
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
        case .layers: "See --fields. --repair lists the layers and fields of the tiles."
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
