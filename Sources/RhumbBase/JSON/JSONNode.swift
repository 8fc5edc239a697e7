/// A JSON value with its position and spelling in a text, for documents written by people. Unchanged parts
/// are written byte for byte. Use the lighter `JSON` if neither matters.
public struct JSONNode: Sendable {
    /// The contents of a value.
    public enum Content: Sendable {
        /// null, true, false, a number or a text.
        case scalar(JSON)
        case array([JSONNode])
        /// The members in the order of the text.
        case object([Member])
    }

    /// A member of an object.
    public struct Member: Sendable {
        /// The name, unescaped.
        public let name: String
        /// The offset of the name in bytes; nil for an added member.
        public let offset: Int?
        /// The value.
        public internal(set) var value: JSONNode
    }

    /// The contents.
    public let content: Content
    /// The text of the value; nil for a new or changed value.
    public let source: ArraySlice<UInt8>?

    package init(_ content: Content, source: ArraySlice<UInt8>? = nil) {
        self.content = content
        self.source = source
    }

    /// Creates a value without a text.
    public init(_ value: JSON) {
        switch value {
        case .array(let values): self.init(.array(values.map(JSONNode.init)))
        case .object(let members):
            self.init(
                .object(
                    members.names.map { Member(name: $0, offset: nil, value: JSONNode(members[$0] ?? .null)) }
                ))
        default: self.init(.scalar(value))
        }
    }

    /// Its offset in bytes; nil for a new or changed value.
    public var offset: Int? { source?.startIndex }

    /// The plain value. The last of repeated members counts.
    public var value: JSON {
        switch content {
        case .scalar(let value): value
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members):
            .object(members.reduce(into: JSONObject()) { $0[$1.name] = $1.value.value })
        }
    }

    /// Its elements; nil for another kind of value.
    public var elements: [JSONNode]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    /// Its members; nil for another kind of value.
    public var members: [Member]? {
        if case .object(let members) = content { members } else { nil }
    }

    /// Its text; nil for another kind of value.
    public var string: String? {
        if case .scalar(.string(let text)) = content { text } else { nil }
    }

    /// The member of an object. Setting an existing member keeps its position, setting a new one appends it,
    /// and setting nil removes it. Other kinds of values remain unchanged.
    public subscript(name: String) -> JSONNode? {
        get { members?.last { $0.name == name }?.value }
        set {
            guard case .object(var members) = content else { return }
            if let newValue, let at = members.lastIndex(where: { $0.name == name }) {
                members[at].value = newValue
            } else {
                members.removeAll { $0.name == name }
                if let newValue { members.append(Member(name: name, offset: nil, value: newValue)) }
            }
            self = JSONNode(.object(members))
        }
    }

    /// Returns the value with each of its texts changed. Parts without changed texts keep their spelling.
    public func changingTexts(_ change: (String) -> String) -> JSONNode {
        switch content {
        case .scalar(.string(let text)):
            let changed = change(text)
            return changed == text ? self : JSONNode(.scalar(.string(changed)))
        case .scalar: return self
        case .array(let elements):
            let changed = elements.map { $0.changingTexts(change) }
            return isSpelled(changed) ? self : JSONNode(.array(changed))
        case .object: return changingMembers { $1.changingTexts(change) }
        }
    }

    /// Returns an object with each of its members changed, or another kind of value as it is. An object
    /// without changed members keeps its spelling.
    package func changingMembers(_ change: (_ name: String, _ value: JSONNode) -> JSONNode) -> JSONNode {
        guard let members else { return self }
        let changed = members.map {
            Member(name: $0.name, offset: $0.offset, value: change($0.name, $0.value))
        }
        return isSpelled(changed.map(\.value)) ? self : JSONNode(.object(changed))
    }

    /// Its members by name, the last of repeated ones; nil for another kind of value.
    package var membersByName: [String: JSONNode]? {
        members.map { members in Dictionary(members.map { ($0.name, $0.value) }) { $1 } }
    }

    /// Returns true if these parts are unchanged.
    private func isSpelled(_ parts: [JSONNode]) -> Bool {
        source != nil && parts.allSatisfy { $0.source != nil }
    }
}

/// A step of a path into a JSON value.
public enum JSONStep: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case member(String)
    case element(Int)

    /// A step to a member of an object.
    public init(stringLiteral value: String) { self = .member(value) }
    /// A step to an element of an array.
    public init(integerLiteral value: Int) { self = .element(value) }
}

extension JSONNode {
    /// Returns the offset of the value at the end of a path, or of its name for a member. For an invalid
    /// path, returns the offset of the last existing value.
    public func offset(of path: [JSONStep]) -> Int? {
        var node = self, found = offset
        for step in path {
            switch step {
            case .member(let name):
                guard let member = node.members?.last(where: { $0.name == name }) else { return found }
                node = member.value
                found = member.offset ?? found
            case .element(let index):
                guard let elements = node.elements, elements.indices.contains(index) else { return found }
                node = elements[index]
                found = elements[index].offset ?? found
            }
        }
        return found
    }

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
