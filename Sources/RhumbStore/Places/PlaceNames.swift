/// The names of a chunk's places, in UTF-8.
struct PlaceNames {
    /// The line of a place: its region's number, its usual name, its other names.
    struct Line {
        let region: Int
        let name: ArraySlice<UInt8>
        let others: [ArraySlice<UInt8>]
    }

    private let bytes: [UInt8]
    /// Where each line begins; one more for the end of the last.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
        self.starts = starts + [bytes.count + 1]
    }

    /// - Returns: nil where there is no such line.
    subscript(_ index: Int) -> Line? {
        guard index >= 0, index + 1 < starts.count else { return nil }
        let fields = bytes[starts[index]..<(starts[index + 1] - 1)].split(separator: UInt8(ascii: "\t"))
        guard fields.count > 1, let region = PlaceNames.number(fields[0]) else { return nil }
        return Line(region: region, name: fields[1], others: Array(fields.dropFirst(2)))
    }

    /// Up to nine digits.
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
