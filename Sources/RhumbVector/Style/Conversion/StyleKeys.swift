public import RhumbBase
internal import RhumbWeb

/// API keys by name, as stored in mobile apps' Info.plist or AndroidManifest.xml.
public struct StyleKeys: Sendable {
    private let values: [(name: String, value: String)]

    /// Creates a collection of keys by name.
    public init(_ values: [String: String]) {
        self.values = values.sorted { $0.key < $1.key }.map { ($0, $1) }
    }

    /// Reads the keys in an XML file.
    /// - Throws: `StyleKeysFailure`.
    public init(xml bytes: [UInt8]) throws(StyleKeysFailure) {
        guard !bytes.starts(with: "bplist".utf8) else { throw .binary }
        let parser = XMLParser()
        var found = Found()
        do throws(XMLFailure) {
            try bytes.withUnsafeBufferPointer { bytes throws(XMLFailure) in try parser.read(bytes, &found) }
            try parser.finish(&found)
        } catch {
            throw .unreadable(problem: error.problem, TextLocation(offset: error.offset, in: bytes))
        }
        guard !found.keys.isEmpty else { throw .noKeys }
        self.init(found.keys)
    }

    /// All keys, which must never be shown.
    public var secrets: [String] { values.map(\.value) }

    /// Returns the key for a placeholder in an address. Tries the key with the same name, ignoring case and
    /// punctuation, then the only key, then the key for the address's service (traffic or maps).
    public func key(for token: String, in address: String) -> String? {
        if let same = values.first(where: { Self.plain($0.name) == Self.plain(token) }) { return same.value }
        if Set(values.map(\.value)).count == 1 { return values.first?.value }
        let service = address.contains("traffic") ? "traffic" : "map"
        return values.first { Self.plain($0.name).contains(service) }?.value
    }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

/// The reason why a file has no readable keys.
public enum StyleKeysFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file is a binary property list.
    case binary
    /// The file isn't valid XML.
    case unreadable(problem: String, TextLocation)
    /// The file contains no keys.
    case noKeys

    public var description: String {
        switch self {
        case .binary: "it is a binary property list; convert it to XML first (plutil -convert xml1)"
        case .unreadable(let problem, let location): "\(location): \(problem)"
        case .noKeys:
            "it has no key: neither a <key> with a <string> nor a <meta-data> whose name contains \"key\""
        }
    }
}

/// Collects keys from the elements of a property list or a manifest.
private struct Found: XMLHandler {
    private(set) var keys: [String: String] = [:]
    var line = 1
    /// The name of the property list entry whose value comes next.
    private var name = ""
    private static let entry = XMLName("key"), string = XMLName("string"), data = XMLName("meta-data")
    private static let title = XMLName("name"), value = XMLName("value")

    mutating func begin(_ element: XMLName, _ attributes: XMLAttributes, _ path: [XMLName]) {
        guard element == Self.data, let title = attributes[Self.title], let value = attributes[Self.value]
        else { return }
        add(String(decoding: title, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    mutating func end(_ element: XMLName, text: UnsafeBufferPointer<UInt8>, _ path: [XMLName]) {
        let text = String(decoding: text, as: UTF8.self)
        if element == Self.string { add(name, text) }
        name = element == Self.entry ? text : ""
    }

    /// Adds a key.
    /// - Parameter value: Ignored if it begins with "@" or "$", which mark references.
    private mutating func add(_ name: String, _ value: String) {
        let value = String(
            value.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace)
                .reversed())
        guard SecretNames.isSecret(name) || name.lowercased().contains("key"), !value.isEmpty,
            !"@$".contains(value.prefix(1))
        else { return }
        keys[name] = value
    }
}
