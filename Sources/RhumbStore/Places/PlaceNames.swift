/// The names of a chunk's places, in UTF-8.
struct PlaceNames {
    /// The line of a place: its region's number, its usual name, its other names.
    struct Line {
        let region: Int
        let name: ArraySlice<UInt8>
        /// What people there call it, and what English does, where they are others.
        let local: ArraySlice<UInt8>?, english: ArraySlice<UInt8>?
        /// All but the usual one.
        let others: [ArraySlice<UInt8>]

        /// - Parameter names: the usual one first; "=" stands before the local and "+" before the English one.
        init?(region: Int?, names: ArraySlice<ArraySlice<UInt8>>) {
            guard let region, let name = names.first else { return nil }
            func marked(_ sign: Character) -> ArraySlice<UInt8>? { names.dropFirst().first { $0.first == sign.asciiValue }?.dropFirst() }
            (self.region, self.name) = (region, name)
            (local, english) = (marked("="), marked("+"))
            others = names.dropFirst().map { $0.first == UInt8(ascii: "=") || $0.first == UInt8(ascii: "+") ? $0.dropFirst() : $0 }
        }
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
        return fields.first.flatMap { Line(region: PlaceNames.number($0), names: fields.dropFirst()) }
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
