internal import RhumbCore

/// A secret as text, or part of its Base64, which may be escaped in several ways.
struct SecretForm: Sendable {
    /// The escaping of characters. The strongest one in an occurrence counts.
    enum Escape: String {
        case none = "", html = "-html", json = "-json", percent = "-percent"

        /// Returns the text with all characters escaped that may need it.
        func applied(to text: [UInt8]) -> [UInt8] {
            let string = String(decoding: text, as: UTF8.self)
            switch self {
            case .none: return text
            case .percent: return Array(PercentCoding.encoded(string).utf8)
            case .json: return Array(JSON.string(string).text.utf8.dropFirst().dropLast())
            case .html: return text.flatMap { Escape.special.contains($0) ? Array("&#\($0);".utf8) : [$0] }
            }
        }

        private static let special = Set("&<>\"'".utf8)
    }

    /// The identifier of the form within a mark.
    let name: String
    let text: [UInt8]
    /// True if the secret is long. Shorter ones occur in other words by chance and count only as
    /// values in addresses.
    private var isLong: Bool { text.count >= SecretForm.minimumLength }

    static let minimumLength = 6

    /// Returns the forms of a secret from an address: itself, decoded, and Base64.
    static func all(of secret: String, name: String) -> [SecretForm] {
        let plain = PercentCoding.decoded(secret)
        var forms = [SecretForm(name: name, text: Array(secret.utf8))]
        if plain != secret { forms.append(SecretForm(name: name + "-decoded", text: Array(plain.utf8))) }
        for skipped in 0..<3 where plain.utf8.count >= minimumLength {
            let text = base64(Array(plain.utf8), skipping: skipped)
            let inAddresses = text.map { addressDigits[$0] ?? $0 }
            forms.append(SecretForm(name: "\(name)-base64-\(skipped)", text: text))
            if inAddresses != text {
                forms.append(SecretForm(name: "\(name)-base64url-\(skipped)", text: inAddresses))
            }
        }
        return forms
    }

    /// The Base64 digits that are replaced by others in addresses.
    private static let addressDigits = [
        UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_"),
    ]

    /// Returns the Base64 digits of a text that depend on no byte before or after it.
    /// - Parameter skipped: The number of bytes before it in its group of three.
    private static func base64(_ text: [UInt8], skipping skipped: Int) -> [UInt8] {
        let digits = Array(Base64.encoded([UInt8](repeating: 0, count: skipped) + text).utf8)
        let end = (skipped + text.count) * 8 / 6
        return Array(digits[min(skipped == 0 ? 0 : skipped + 1, end)..<end])
    }

    // MARK: Occurrences

    /// Returns a body with each occurrence replaced.
    func replaced(in body: [UInt8], by mark: (Escape) -> [UInt8]) -> [UInt8] {
        guard let first = text.first else { return body }
        var result: [UInt8] = [], copied = 0, index = 0
        body.withUnsafeBufferPointer { body in
            while index < body.count {
                let byte = body[index]
                guard byte == first || SecretForm.isEscape(byte),
                    let (end, escape) = occurrence(at: index, in: body),
                    isLong || isValue(index..<end, in: body)
                else {
                    index += 1
                    continue
                }
                result += body[copied..<index]
                result += mark(escape)
                index = end
                copied = end
            }
        }
        return copied == 0 ? body : result + body[copied...]
    }

    private static func isEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
    }

    private func occurrence(at start: Int, in body: UnsafeBufferPointer<UInt8>) -> (end: Int, Escape)? {
        if body[start...].starts(with: text) { return (start + text.count, .none) }
        var index = start, rest = text[...], found = Escape.none
        while let next = rest.first {
            guard index < body.count else { return nil }
            if let (character, count, escape) = SecretForm.escaped(body[index...]),
                rest.starts(with: character)
            {
                rest = rest.dropFirst(character.count)
                index += count
                found =
                    [found, escape].contains(.percent)
                    ? .percent : [found, escape].contains(.json) ? .json : .html
            } else if body[index] == next {
                rest = rest.dropFirst()
                index += 1
            } else {
                return nil
            }
        }
        return (index, found)
    }

    /// Returns the escaped character at the beginning of bytes, in UTF-8, and its escaped length.
    private static func escaped(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>
    ) -> (character: [UInt8], count: Int, Escape)? {
        func text(_ range: Range<Int>) -> String? {
            guard bytes.count >= range.upperBound else { return nil }
            return String(decoding: bytes.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
        }
        switch bytes.first {
        case UInt8(ascii: "%"):
            return text(1..<3).flatMap { UInt8($0, radix: 16) }.map { ([$0], 3, .percent) }
        case UInt8(ascii: "\\"):
            guard let letter = text(1..<2) else { return nil }
            if letter == "u" {
                return character(text(2..<6).flatMap { UInt32($0, radix: 16) }).map { ($0, 6, .json) }
            }
            return ["\"", "\\", "/"].contains(letter) ? (Array(letter.utf8), 2, .json) : nil
        case UInt8(ascii: "&"):
            guard let end = bytes.prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
            let count = end - bytes.startIndex + 1
            guard count > 2, let name = text(1..<count - 1) else { return nil }
            if let entity = entities[name] { return ([entity], count, .html) }
            guard name.hasPrefix("#") else { return nil }
            let isHex = name.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
            return character(UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)).map {
                ($0, count, .html)
            }
        default: return nil
        }
    }

    private static let entities: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "quot": UInt8(ascii: "\""),
        "apos": UInt8(ascii: "'"),
    ]

    private static func character(_ code: UInt32?) -> [UInt8]? {
        code.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) }
    }

    /// Returns true if an equals sign precedes the range, and no letter or digit follows it.
    private func isValue(_ range: Range<Int>, in body: UnsafeBufferPointer<UInt8>) -> Bool {
        let next = range.upperBound < body.count ? body[range.upperBound] : 0
        guard !(48...57).contains(next), !(65...90).contains(next), !(97...122).contains(next) else {
            return false
        }
        let before = String(decoding: body[..<range.lowerBound].suffix(6), as: UTF8.self).lowercased()
        return ["=", "%3d", "\\u003d", "&#61;", "&#x3d;"].contains { before.hasSuffix($0) }
    }
}
