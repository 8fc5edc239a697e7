internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb style …`: styles that are stored with their resources.
struct StylePackCommand {
    private let invocation: Invocation
    private let manager: OfflineManager

    static func run(_ verb: StylePackVerb, _ invocation: Invocation) async throws -> Int32 {
        try await invocation.withSession { session in
            try await StylePackCommand(invocation: invocation, manager: session.offline.stylePacks()).run(
                verb)
        }
    }

    private func run(_ verb: StylePackVerb) async throws -> Int32 {
        switch verb {
        case .add: return try await load([(operand, try invocation.metadata() ?? .null)])
        case .update: return try await update()
        case .list: try list()
        case .show: try print([manager.stylePack(for: operand)], isOne: true)
        case .remove: try remove()
        }
        return ExitStatus.done
    }

    private var operand: String { invocation.operand ?? "" }

    // MARK: Loading

    private func update() async throws -> Int32 {
        let packs = try invocation.operand.map { [try manager.stylePack(for: $0)] } ?? manager.allStylePacks()
        if packs.isEmpty { Output.note("rhumb: no styles installed") }
        let metadata = try invocation.metadata()
        return try await load(packs.map { ($0.location, metadata ?? $0.metadata) })
    }

    /// Loads the packs one after another. A failed pack doesn't stop the others.
    private func load(_ wanted: [(style: String, metadata: JSON)]) async throws -> Int32 {
        var packs: [StylePack] = []
        for (style, metadata) in wanted {
            var plan = manager.plan(style)
            plan.metadata = metadata
            plan.acceptsExpired = invocation[.acceptExpired]
            let end = try await plan.start().run()
            switch end.outcome {
            case .success(let pack): packs.append(pack)
            case .failure: if end.signal != nil { return end.exitStatus }
            }
        }
        if !packs.isEmpty { Output.note("rhumb: glyphs are not stored: the terminal's font is used") }
        if !packs.isEmpty || invocation.operand == nil { try print(packs, isOne: invocation.operand != nil) }
        guard packs.count == wanted.count else { return ExitStatus.failed }
        return packs.allSatisfy(\.missing.isEmpty) ? ExitStatus.done : ExitStatus.gaps
    }

    // MARK: Listing

    private func list() throws {
        let packs = try manager.allStylePacks()
        guard !invocation[.json] else { return try print(packs, isOne: false) }
        let rows = packs.map { pack in
            [
                SafeText.sanitised(pack.name.isEmpty ? "-" : pack.name, limit: 40), pack.changed.day,
                pack.expires?.day ?? "-", "\(pack.documents.count)",
                AmountText.bytes(pack.bytes), "\(pack.missing.count)", SafeText.sanitised(pack.address),
            ]
        }
        let table = TextTable(
            ["NAME", "FETCHED", "EXPIRES", "DOCUMENTS", "SIZE", "MISSING", "ADDRESS"], rows)
        try Output.print(rows.isEmpty ? "No styles installed\n" : table.lines.map { $0 + "\n" }.joined())
    }

    private func print(_ packs: [StylePack], isOne: Bool) throws {
        guard invocation[.json] else {
            return try Output.print(packs.map(\.sheet.text).joined(separator: "\n"))
        }
        let values = packs.map { pack in
            pack.sheet.json.adding(["state": pack.missing.isEmpty ? "complete" : "incomplete"])
        }
        try invocation.print(isOne ? values.first ?? .null : .array(values))
    }

    private func remove() throws {
        let pack = try manager.stylePack(for: operand)
        try manager.removeStylePack(for: pack.location)
        try invocation.print(
            ["removed \(SafeText.sanitised(pack.address))"],
            ["state": "removed", "address": .string(pack.address), "bytes": .integer(pack.bytes)])
    }
}

extension StylePack {
    fileprivate var sheet: FactSheet {
        var sheet = FactSheet()
        sheet.add("name", "name", name)
        sheet.add("address", "address", address)
        sheet.add("changedAt", "fetched", "\(changed)", .time(changed))
        sheet.add(
            "expiresAt", expires == nil ? nil : "expires", expires.map { "\($0)" } ?? "", .time(expires))
        sheet.add("bytes", "size", AmountText.bytes(bytes), .integer(bytes))
        sheet.add("metadata", metadata == .null ? nil : "metadata", metadata.text, metadata)
        for document in documents { sheet.add("documents", "stored", document) }
        sheet.add("documents", nil, "", .array(documents.map(JSON.string)))
        for missing in missing { sheet.add("missing", "missing", "\(missing.address): \(missing.reason)") }
        sheet.add(
            "missing", nil, "",
            .array(missing.map { ["address": .string($0.address), "reason": .string($0.reason)] }))
        return sheet
    }
}
