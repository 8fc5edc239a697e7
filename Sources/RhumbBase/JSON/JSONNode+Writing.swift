extension JSONNode {
    /// The value as JSON: unchanged parts as they were spelled, other parts indented by two spaces, without a
    /// final line break.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, depth: 0)
        return bytes
    }

    private func write(to bytes: inout [UInt8], depth: Int) {
        if let source { return bytes += source }
        switch content {
        case .scalar(let value): bytes += value.text.utf8
        case .array(let elements):
            JSONNode.list("[", "]", elements, depth, &bytes) { bytes, element in
                element.write(to: &bytes, depth: depth + 1)
            }
        case .object(let members):
            JSONNode.list("{", "}", members, depth, &bytes) { bytes, member in
                bytes += JSON.string(member.name).text.utf8
                bytes += ": ".utf8
                member.value.write(to: &bytes, depth: depth + 1)
            }
        }
    }

    private static func list<Item>(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ items: [Item], _ depth: Int,
        _ bytes: inout [UInt8],
        _ write: (inout [UInt8], Item) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        for (index, item) in items.enumerated() {
            bytes += (index > 0 ? ",\n" : "\n").utf8
            bytes += repeatElement(UInt8(ascii: " "), count: 2 * (depth + 1))
            write(&bytes, item)
        }
        if !items.isEmpty { bytes += ("\n" + String(repeating: " ", count: 2 * depth)).utf8 }
        bytes.append(UInt8(ascii: close))
    }

    /// Returns the same value, written like an older one as far as both are equal: spelling of numbers and
    /// texts, order of members, line breaks. Elements of arrays that have ids are paired by them.
    public func written(like older: JSONNode) -> JSONNode { paired(with: older).node }

    /// A value, and true if it is the older one.
    private typealias Pair = (node: JSONNode, isOld: Bool)

    private func paired(with older: JSONNode) -> Pair {
        switch (content, older.content) {
        case (.scalar(let new), .scalar(let old)) where new == old: return (older, true)
        case (.object(let new), .object(let old)): return JSONNode.paired(new, old, older)
        case (.array(let new), .array(let old)): return JSONNode.paired(new, old, older)
        default: return (self, false)
        }
    }

    private static func paired(_ new: [Member], _ old: [Member], _ older: JSONNode) -> Pair {
        var rest: [String: JSONNode] = [:], isOld = true
        for member in new { rest[member.name] = member.value }
        var members: [Member] = []
        let last = Dictionary(old.map { ($0.name, $0.value) }) { _, last in last }
        for member in old {
            guard let value = rest.removeValue(forKey: member.name), let before = last[member.name] else {
                isOld = isOld && members.contains { $0.name == member.name }
                continue
            }
            let pair = value.paired(with: before)
            members.append(Member(name: member.name, offset: nil, value: pair.node))
            isOld = isOld && pair.isOld
        }
        let added = new.filter { rest.removeValue(forKey: $0.name) != nil }
        return isOld && added.isEmpty ? (older, true) : (JSONNode(.object(members + added)), false)
    }

    private static func paired(_ new: [JSONNode], _ old: [JSONNode], _ older: JSONNode) -> Pair {
        guard let indices = indices(of: new, in: old) else { return (JSONNode(.array(new)), false) }
        let pairs: [Pair] = zip(new, indices).map { node, index in
            index.map { node.paired(with: old[$0]) } ?? (node, false)
        }
        let isOld = indices.elementsEqual(old.indices.map(Optional.some)) && pairs.allSatisfy(\.isOld)
        return isOld ? (older, true) : (JSONNode(.array(pairs.map(\.node))), false)
    }

    /// Returns the index of each new element's older one: by ids, or else by position; nil if neither is
    /// possible.
    private static func indices(of new: [JSONNode], in old: [JSONNode]) -> [Int?]? {
        let ids = old.map { $0["id"]?.string }
        guard !ids.contains(nil), !ids.isEmpty else {
            return new.count == old.count ? Array(new.indices) : nil
        }
        var indices = Dictionary(zip(ids, old.indices)) { first, _ in first }
        return new.map { $0["id"]?.string.flatMap { indices.removeValue(forKey: $0) } }
    }
}
