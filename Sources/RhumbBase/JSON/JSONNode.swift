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
        case .object(let members):
            let changed = members.map {
                Member(name: $0.name, offset: $0.offset, value: $0.value.changingTexts(change))
            }
            return isSpelled(changed.map(\.value)) ? self : JSONNode(.object(changed))
        }
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
        var node = self, place = offset
        for step in path {
            switch step {
            case .member(let name):
                guard let member = node.members?.last(where: { $0.name == name }) else { return place }
                node = member.value
                place = member.offset ?? place
            case .element(let index):
                guard let elements = node.elements, elements.indices.contains(index) else { return place }
                node = elements[index]
                place = elements[index].offset ?? place
            }
        }
        return place
    }
}
