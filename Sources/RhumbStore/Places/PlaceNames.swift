/// The names of a chunk's places, in UTF-8.
struct PlaceNames {
    /// The names of a place and the number of its region.
    struct Line {
        let region: Int
        let name: ArraySlice<UInt8>
        /// The name in the local language and in English; nil if not listed separately.
        let local: ArraySlice<UInt8>?, english: ArraySlice<UInt8>?
        private let rest: Fields

        /// - Parameter line: The region's number and the names, the usual one first. "=" marks the local
        ///   name, "+" the English one, "~" a rare name, and "~~" an obsolete one.
        init?(_ line: ArraySlice<UInt8>) {
            var fields = Fields(rest: line)
            guard let region = fields.next().flatMap(PlaceNames.number), let name = fields.next() else {
                return nil
            }
            self.region = region
            self.name = name
            rest = fields
            local = fields.first(marked: "=")
            english = fields.first(marked: "+")
        }

        /// All names except the usual one, with their ranks.
        var others: [(name: ArraySlice<UInt8>, rank: NameRank)] {
            rest.map { field in
                switch field.first {
                case UInt8(ascii: "="), UInt8(ascii: "+"): return (field.dropFirst(), .local)
                case UInt8(ascii: "~"):
                    let name = field.dropFirst()
                    return name.first == UInt8(ascii: "~") ? (name.dropFirst(), .obsolete) : (name, .rare)
                default: return (field, .common)
                }
            }
        }
    }

    /// The non-empty fields of a tab-separated line.
    private struct Fields: Sequence, IteratorProtocol {
        var rest: ArraySlice<UInt8>

        mutating func next() -> ArraySlice<UInt8>? {
            rest = rest.drop { $0 == UInt8(ascii: "\t") }
            guard !rest.isEmpty else { return nil }
            let field = rest.prefix { $0 != UInt8(ascii: "\t") }
            rest = rest[field.endIndex...]
            return field
        }

        /// Returns the first field that begins with a sign, without the sign; nil if there is none. Scans the
        /// bytes directly, because a line may contain hundreds of names.
        func first(marked sign: Unicode.Scalar) -> ArraySlice<UInt8>? {
            let sign = UInt8(ascii: sign), start = rest.startIndex
            let index = rest.withUnsafeBufferPointer { bytes in
                bytes.indices.first { at in
                    bytes[at] == sign && (at == 0 || bytes[at - 1] == UInt8(ascii: "\t"))
                }
            }
            return index.map { rest[(start + $0 + 1)...].prefix { $0 != UInt8(ascii: "\t") } }
        }
    }

    private let bytes: [UInt8]
    /// The start of each line, followed by the end of the last.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
        self.starts = starts + [bytes.count + 1]
    }

    /// - Returns: The line at an index; nil if it is missing or invalid.
    subscript(_ index: Int) -> Line? {
        guard index >= 0, index + 1 < starts.count else { return nil }
        return Line(bytes[starts[index]..<(starts[index + 1] - 1)])
    }

    /// Parses a number of up to nine digits; nil if invalid.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.count < 10 else { return nil }
        var value = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
