/// The name of an element or attribute without its prefix, as a hash.
package struct XMLName: Hashable, Sendable {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    /// True for an element of a namespace that doesn't belong to the format, and for every element within it.
    package fileprivate(set) var isForeign = false

    private init() {}

    package init(_ text: StaticString) {
        text.withUTF8Buffer { for byte in $0 { add(byte) } }
    }

    /// The name as one of the format's own.
    package var local: XMLName {
        var name = self
        name.isForeign = false
        return name
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// Returns the prefix of a qualified name, nil without one, and the name after it.
    fileprivate static func parts(of text: UnsafePointer<CChar>) -> (prefix: XMLName?, name: XMLName) {
        var prefix: XMLName?, name = XMLName(), next = text
        while next.pointee != 0 {
            let byte = UInt8(bitPattern: next.pointee)
            if byte == UInt8(ascii: ":") { (prefix, name) = (name, XMLName()) } else { name.add(byte) }
            next += 1
        }
        return (prefix, name)
    }
}

/// The attributes of a start tag.
package struct XMLAttributes {
    /// Names and values in turn, with null at the end.
    let pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    /// The value of an attribute; nil if there is none. An attribute without a prefix is preferred.
    package subscript(_ wanted: XMLName) -> UnsafeBufferPointer<UInt8>? {
        var found: UnsafePointer<CChar>?
        forEach { prefix, name, value in
            if name == wanted, found == nil || prefix == nil { found = value }
        }
        guard let found else { return nil }
        var count = 0
        while found[count] != 0 { count += 1 }
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(found).assumingMemoryBound(to: UInt8.self), count: count)
    }

    private static let namespace = XMLName("xmlns")

    /// Calls a function with the prefix and the namespace of each declaration; nil for the default namespace.
    fileprivate func forEachNamespace(_ body: (XMLName?, String) -> Void) {
        forEach { prefix, name, value in
            if prefix == Self.namespace {
                body(name, String(cString: value))
            } else if prefix == nil, name == Self.namespace {
                body(nil, String(cString: value))
            }
        }
    }

    private func forEach(_ body: (XMLName?, XMLName, UnsafePointer<CChar>) -> Void) {
        var next = pairs
        while let name = next?.pointee, let value = next?.successor().pointee {
            let (prefix, name) = XMLName.parts(of: name)
            body(prefix, name, value)
            next = next?.advanced(by: 2)
        }
    }
}

/// The declarations of namespaces that are in scope. An element with an undeclared prefix is in no namespace.
struct XMLNamespaces {
    /// Returns true if elements of a namespace belong to the format.
    var owns: (String) -> Bool = { _ in true }
    /// The prefixes, nil for the default namespace, with the depths of the elements that declare them.
    private var declared: [(prefix: XMLName?, isForeign: Bool, depth: Int)] = []
    private var depth = 0
    /// The namespace of the root element, which belongs to the format.
    private var root = ""

    /// Opens an element and returns its name.
    mutating func open(
        _ text: UnsafePointer<CChar>, _ attributes: XMLAttributes, in parent: XMLName?
    ) -> XMLName {
        let parts = XMLName.parts(of: text)
        var name = parts.name
        depth += 1
        if parent == nil {
            attributes.forEachNamespace { if $0 == parts.prefix { root = $1 } }
        }
        attributes.forEachNamespace { prefix, namespace in
            let isOwn = namespace.isEmpty || namespace == root || owns(namespace)
            declared.append((prefix, !isOwn, depth))
        }
        let isForeign = declared.last { $0.prefix == parts.prefix }?.isForeign ?? false
        name.isForeign = isForeign || parent?.isForeign ?? false
        return name
    }

    /// Closes the innermost element.
    mutating func close() {
        while declared.last?.depth == depth { declared.removeLast() }
        depth -= 1
    }
}
