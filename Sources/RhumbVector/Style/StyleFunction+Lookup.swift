/// Functions that look for parts of texts and lists.
extension StyleFunction {
    /// Evaluates the function; nil for invalid arguments. Positions in texts count Unicode scalars.
    func lookup(_ values: [StyleValue]) -> StyleValue? {
        switch self {
        case .length:
            let count = values[0].array?.count ?? values[0].string?.unicodeScalars.count
            return count.map { .number(Double($0)) }
        case .at:
            guard let index = values[0].number.flatMap(Int.init(exactly:)), let list = values[1].array,
                list.indices.contains(index)
            else { return nil }
            return list[index]
        case .in:
            switch values[1] {
            case .null, .bool(false), .number(0), .string(""): return .bool(false)
            default: return index(values).map { .bool($0 >= 0) }
            }
        case .indexOf: return index(values).map { .number(Double($0)) }
        case .slice: return slice(values)
        default: return nil
        }
    }

    /// Returns the position of a value, -1 if it is not found; nil for invalid arguments.
    private func index(_ values: [StyleValue]) -> Int? {
        switch values[0] {
        case .null, .bool, .number, .string: break
        case .colour, .array, .object: return nil
        }
        var start = 0
        if values.count > 2 {
            guard let number = values[2].number else { return nil }
            start = position(number)
        }
        switch values[1] {
        case .array(let list):
            let first = start < 0 ? Swift.max(list.count + start, 0) : start
            return list.dropFirst(first).firstIndex(of: values[0]) ?? -1
        case .string(let text):
            let needle = values[0] == .null ? "null" : values[0].text
            return Self.position(of: needle, in: text, from: Swift.max(start, 0)) ?? -1
        default: return nil
        }
    }

    /// Returns a position without fraction, clamped so that it can be added to the length of a text.
    private func position(_ number: Double) -> Int {
        let limit = Double(Int32.max)
        return number.isNaN ? 0 : Int(Swift.min(Swift.max(number, -limit), limit))
    }

    private static func position(of part: String, in text: String, from start: Int) -> Int? {
        let part = Array(part.unicodeScalars), text = Array(text.unicodeScalars)
        guard start <= text.count, part.count <= text.count - start else { return nil }
        return (start...(text.count - part.count)).first { text[$0..<$0 + part.count].elementsEqual(part) }
    }

    private func slice(_ values: [StyleValue]) -> StyleValue? {
        let limits = values.dropFirst().compactMap(\.number).map(position)
        guard limits.count == values.count - 1, let start = limits.first else { return nil }
        let end = limits.count > 1 ? limits[1] : Int.max
        func range(_ count: Int) -> Range<Int> {
            func position(_ index: Int) -> Int {
                Swift.min(Swift.max(index < 0 ? count + index : index, 0), count)
            }
            let first = position(start)
            return first..<Swift.max(first, position(end))
        }
        if let list = values[0].array { return .array(Array(list[range(list.count)])) }
        guard let scalars = values[0].string.map({ Array($0.unicodeScalars) }) else { return nil }
        return .string(String(String.UnicodeScalarView(scalars[range(scalars.count)])))
    }
}
