/// An address or a reference to one, split into its components by RFC 3986.
public struct URLReference: Equatable, Sendable, CustomStringConvertible {
    /// The scheme in lowercase; nil in a relative reference.
    public var scheme: String?
    /// The user, host and port as written; nil if absent.
    public var authority: String?
    /// The path; empty if there is none.
    public var path: String
    /// The part after the question mark; nil for none.
    public var query: String?
    /// The part after the number sign; nil for none.
    public var fragment: String?

    /// Splits an address. Control characters and spaces are percent-encoded first.
    public init(_ text: String) {
        var rest = URLReference.encoded(text).utf8[...]
        (rest, fragment) = URLReference.cut(rest, at: UInt8(ascii: "#"))
        (rest, query) = URLReference.cut(rest, at: UInt8(ascii: "?"))
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), URLReference.isScheme(rest[..<colon]) {
            scheme = Substring(rest[..<colon]).lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            let start = rest.index(rest.startIndex, offsetBy: 2)
            let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(Substring(rest[start..<end]))
            rest = rest[end...]
        }
        path = String(Substring(rest))
    }

    /// The host: lowercase, percent-decoded, without user, port and final dots; empty if it is ambiguous.
    public var host: String? {
        authority.map { authority in
            guard authority.utf8.count(where: { $0 == UInt8(ascii: "@") }) < 2 else { return "" }
            return HostName.normalised(location.host)
        }
    }

    /// True if the host is this machine.
    public var isLoopback: Bool {
        guard let host else { return false }
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// True if the host is this machine, or in a private network by its address or its name.
    public var isPrivate: Bool {
        guard let host, !isLoopback else { return host != nil }
        if host.hasPrefix("[fe80:") || host.hasPrefix("[fc") || host.hasPrefix("[fd") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        guard parts.count == 4, numbers.count == 4 else {
            return parts.count == 1 && !host.hasPrefix("[") || ["local", "localhost"].contains(parts.last)
        }
        switch (numbers[0], numbers[1]) {
        case (10, _), (192, 168), (169, 254), (172, 16...31): return true
        default: return false
        }
    }

    /// The host and port as written.
    private var location: (host: Substring, port: Substring) {
        guard let authority else { return ("", "") }
        let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        let location = authority[(at.map(authority.utf8.index(after:)) ?? authority.startIndex)...]
        guard let colon = URLReference.port(of: location) else { return (location, "") }
        return (location[..<colon], location[location.index(after: colon)...])
    }

    /// The user and password as written; nil if absent.
    public var userInfo: String? {
        authority.flatMap { text in text.utf8.lastIndex(of: UInt8(ascii: "@")).map { String(text[..<$0]) } }
    }

    /// Removes user and password.
    package mutating func removeUser() {
        guard userInfo != nil else { return }
        authority = authority?.split(separator: "@").last.map(String.init)
    }

    /// The scheme, host and port as one text, without the default port; equal for the same server.
    public var origin: String { origin(of: host ?? "") }

    /// Returns the origin.
    /// - Parameter host: The normalised host of the reference.
    package func origin(of host: String) -> String {
        let written = location.port, port = Int(written).map(String.init) ?? String(written)
        let isStandard = port.isEmpty || port == (scheme == "https" ? "443" : "80")
        return "\(scheme ?? "")://\(host)" + (isStandard ? "" : ":\(port)")
    }

    /// The schemes of addresses of object stores.
    public static let storeSchemes = ["s3", "gs"]
    private static let webSchemes = ["http", "https"] + storeSchemes

    /// True for an http or https address with a host, or an address of an object store.
    public var isWeb: Bool { scheme.map(URLReference.webSchemes.contains) == true && host?.isEmpty == false }

    /// Returns true if a text begins like a web address.
    public static func isWeb(_ text: String) -> Bool {
        let text = text.lowercased()
        return webSchemes.contains { text.hasPrefix($0 + "://") }
    }

    /// Resolves a reference found at this address (RFC 3986, 5.2).
    public func resolving(_ reference: URLReference) -> URLReference {
        var result = reference
        if reference.scheme == nil {
            result.scheme = scheme
            if reference.authority == nil { inherit(into: &result, from: reference) }
        }
        result.path = URLReference.withoutDots(result.path)
        return result
    }

    private func inherit(into result: inout URLReference, from reference: URLReference) {
        result.authority = authority
        if reference.path.isEmpty {
            result.path = path
            result.query = reference.query ?? query
        } else if !reference.path.hasPrefix("/") {
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? (authority == nil ? "" : "/")
            result.path = folder + reference.path
        }
    }

    public var description: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    // Delimiters are ASCII, so bytes are examined, which is many times faster than characters.
    private static func cut(_ text: Substring.UTF8View, at mark: UInt8) -> (Substring.UTF8View, String?) {
        guard let index = text.firstIndex(of: mark) else { return (text, nil) }
        return (text[..<index], String(Substring(text[text.index(after: index)...])))
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, isLetter(first) else { return false }
        return text.allSatisfy { isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte.lowercasedASCII) }

    /// Returns the start of ":port", ignoring the colons of an IPv6 address.
    private static func port(of location: Substring) -> Substring.Index? {
        let bytes = location.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), !bytes[colon...].contains(UInt8(ascii: "]"))
        else { return nil }
        return colon
    }

    private static func encoded(_ text: String) -> String {
        let isSpace = { (byte: UInt8) in byte <= 0x20 || byte == 0x7F }
        return text.utf8.contains(where: isSpace) ? PercentCoding.encoded(text, where: isSpace) : text
    }

    private static func withoutDots(_ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for segment in segments {
            if segment == ".." {
                if kept.count > 1 { kept.removeLast() }
            } else if segment != "." {
                kept.append(segment)
            }
        }
        if let last = segments.last, last == "." || last == ".." { kept.append("") }
        return kept.joined(separator: "/")
    }
}

/// Local files as addresses (RFC 8089).
extension URLReference {
    /// Returns the address of a file.
    /// - Parameter path: The absolute path.
    public static func file(_ path: String) -> String { "file://" + PercentCoding.encoded(path: path) }

    /// The absolute path of the local file at this address; nil for any other address.
    public var localPath: String? {
        guard scheme == "file", path.hasPrefix("/"),
            ["", "localhost"].contains(authority?.lowercased() ?? "")
        else { return nil }
        let path = PercentCoding.decoded(path)
        return path.utf8.contains(0) ? nil : path
    }
}

/// Normalises the names of hosts for comparison, however an address spells them.
enum HostName {
    /// Returns the name in lowercase, percent-decoded and without final dots. Empty for a name that can't be
    /// compared, because it contains characters that are converted to others before the server is contacted.
    static func normalised(_ text: some StringProtocol) -> String {
        if text.utf8.allSatisfy(isLowercaseName), !text.hasSuffix(".") { return String(text) }
        var name = (text.contains("%") ? PercentCoding.decoded(String(text)) : String(text)).lowercased()
        while name.hasSuffix(".") { name.removeLast() }
        return name.unicodeScalars.allSatisfy(isPlain) ? name : ""
    }

    /// Returns true for the bytes of most names, which need neither change nor lookup.
    private static func isLowercaseName(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-")
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value > 0x20 && !"/\\@?#\u{7F}".unicodeScalars.contains(scalar) }
        return scalar != "\u{3002}" && !scalar.properties.changesWhenNFKCCaseFolded
    }
}
