extension JSONNode {
    /// Parses a text as strictly as `JSON.parse` does.
    /// - Throws: `JSONFailure`.
    public static func parse(
        _ bytes: [UInt8], depthLimit: Int = 64, memoryLimit: Int = 160 << 20
    ) throws(JSONFailure) -> JSONNode {
        var parser = JSONParser(bytes: bytes, depthLimit: depthLimit, memoryLimit: memoryLimit)
        let node = try parser.node(depth: 0)
        try parser.end()
        return node
    }
}

extension JSONParser {
    fileprivate mutating func node(depth: Int) throws(JSONFailure) -> JSONNode {
        skipSpace()
        let start = position, content: JSONNode.Content
        switch next {
        case UInt8(ascii: "{"): content = .object(try members(depth: depth))
        case UInt8(ascii: "["): content = .array(try elements(depth: depth))
        default: content = .scalar(try value(depth: depth))
        }
        return JSONNode(content, source: bytes[start..<position])
    }

    private mutating func elements(depth: Int) throws(JSONFailure) -> [JSONNode] {
        var elements: [JSONNode] = []
        try array(depth: depth) { parser throws(JSONFailure) in
            elements.append(try parser.node(depth: depth + 1))
        }
        return elements
    }

    private mutating func members(depth: Int) throws(JSONFailure) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        try object(depth: depth) { parser, name, start throws(JSONFailure) in
            members.append(.init(name: name, offset: start, value: try parser.node(depth: depth + 1)))
        }
        return members
    }
}
