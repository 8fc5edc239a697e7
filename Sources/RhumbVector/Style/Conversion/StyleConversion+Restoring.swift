public import RhumbBase
internal import RhumbWeb

extension StyleConversion {
    /// Converts an edited style back. Addresses, sprite, glyphs, key placeholders and tags are the base's;
    /// everything else is as edited. Unchanged parts are written as in the base. Layers are matched by id.
    /// - Parameters:
    ///   - edited: The style from the editor.
    ///   - secrets: Further keys that the result must not contain. Keys filled in for the editor are
    ///     detected.
    /// - Throws: `StyleConversionFailure`.
    public func restored(
        _ edited: JSONNode, hiding secrets: [String] = []
    ) throws(StyleConversionFailure) -> Outcome {
        try Self.check(edited, .edited)
        let note = StyleNote(in: edited)
        try checkOrigin(of: edited, note)
        let (keys, remarks) = addressesMade(in: edited)
        var style = restoringAddresses(in: edited)
        if let note { style = LayerVisibility(note.visibility, of: base).restored(in: style, base) }
        style = StyleNote.removed(from: style, base)
        let marks = keys.map { ($0.value, "{\($0.key)}") } + secrets.map { ($0, "{key}") }
        style = style.changingTexts { text in
            marks.reduce(text) { Masking.maskedInAddresses($0, $1.0, with: $1.1) }
        }
        return Outcome(style: style.written(like: base), remarks: remarks)
    }

    /// Checks that the edited style belongs to the base. Without a note, they must have a common source and
    /// share half of the layers of the smaller style.
    private func checkOrigin(of edited: JSONNode, _ note: StyleNote?) throws(StyleConversionFailure) {
        if let note {
            guard note.base == mark else { throw .otherBase(reason: "its metadata name another style") }
            return
        }
        let types = base.sourceTypes, theirs = edited.sourceTypes
        guard types.isEmpty || types.contains(where: { theirs[$0.key] == $0.value }) else {
            throw .otherBase(reason: "they have no common source")
        }
        let ids = base.layerIDs, others = edited.layerIDs, shared = ids.intersection(others).count
        guard shared * 2 >= min(ids.count, others.count) else {
            throw .otherBase(reason: "they have \(shared) common layers, of \(ids.count) and \(others.count)")
        }
    }

    /// Returns the keys found in the edited addresses, and remarks about sources whose address the user
    /// changed.
    private func addressesMade(in edited: JSONNode) -> (keys: [String: String], remarks: [String]) {
        var keys: [String: String] = [:], remarks: [String] = []
        for source in base["sources"]?.members ?? [] {
            guard let other = edited["sources"]?[source.name] else { continue }
            let pairs = zip(source.value.addresses, other.addresses).map { StyleAddress($0).keys(in: $1) }
            for found in pairs { keys.merge(found ?? [:]) { first, _ in first } }
            if pairs.contains(where: { $0 == nil }) || source.value.addresses.count != other.addresses.count {
                remarks.append(
                    "source \(SafeText.sanitised(source.name, limit: 80)) has the URL of the base again; the edited one was dropped"
                )
            }
        }
        for (address, other) in zip(base.addresses, edited.addresses) {
            keys.merge(StyleAddress(address).keys(in: other) ?? [:]) { first, _ in first }
        }
        return (keys.filter { !$0.value.isEmpty }, remarks)
    }

    private func restoringAddresses(in edited: JSONNode) -> JSONNode {
        var style = edited.takingAddresses(from: base)
        guard var sources = edited["sources"] else { return style }
        for source in base["sources"]?.members ?? [] {
            if let other = sources[source.name] {
                sources[source.name] = other.takingAddresses(from: source.value)
            }
        }
        style["sources"] = sources
        return style
    }
}

extension JSONNode {
    /// The members of a style and of its sources that contain addresses.
    private static let addressed = ["url", "tiles", "data", "sprite", "glyphs"]

    /// The addresses in the node's own members.
    fileprivate var addresses: [String] {
        JSONNode.addressed.flatMap { name in
            (self[name]?.elements ?? [self[name]].compactMap(\.self)).compactMap(\.string)
        }
    }

    /// Returns the style with its addresses changed.
    func changingAddresses(_ change: (String) -> String) -> JSONNode {
        var style = changingOwnAddresses(change)
        guard var sources = style["sources"] else { return style }
        for source in sources.members ?? [] {
            let changed = source.value.changingOwnAddresses(change)
            if changed.source == nil { sources[source.name] = changed }
        }
        if sources.source == nil { style["sources"] = sources }
        return style
    }

    private func changingOwnAddresses(_ change: (String) -> String) -> JSONNode {
        var node = self
        for name in JSONNode.addressed {
            // An object is inline GeoJSON.
            guard let value = node[name], value.members == nil else { continue }
            let changed = value.changingTexts(change)
            if changed.source == nil { node[name] = changed }
        }
        return node
    }

    fileprivate func takingAddresses(from base: JSONNode) -> JSONNode {
        var node = self
        for name in JSONNode.addressed where base[name]?.members == nil {
            if base[name] != nil || node[name]?.members == nil { node[name] = base[name] }
        }
        return node
    }

    fileprivate var sourceTypes: [String: String] {
        (self["sources"]?.members ?? []).reduce(into: [:]) { $0[$1.name] = $1.value["type"]?.string ?? "" }
    }

    fileprivate var layerIDs: Set<String> {
        Set((self["layers"]?.elements ?? []).compactMap { $0["id"]?.string })
    }
}
