internal import Glibc

extension StyleFunction {
    /// Maximum length of a resulting text, in bytes.
    private static let longest = 10_000

    /// Evaluates the function; nil for invalid arguments. The number of arguments must be within `arity`.
    func value(of values: [StyleValue]) -> StyleValue? {
        switch self {
        case .plus, .minus, .times, .divided, .remainder, .power, .min, .max, .abs, .round, .floor, .ceil,
            .sqrt,
            .ln, .log2, .log10, .sin, .cos, .tan, .asin, .acos, .atan, .e, .pi, .ln2:
            return arithmetic(values)
        case .rgb, .rgba: return colour(values)
        case .get, .has: return nil
        case .typeof: return .string(values[0].typeName)
        case .toRGBA:
            return values[0].colour.map { colour in
                .array(
                    [colour.red * 255, colour.green * 255, colour.blue * 255, colour.alpha].map {
                        .number($0)
                    })
            }
        default: return texts(values)
        }
    }

    private func texts(_ values: [StyleValue]) -> StyleValue? {
        switch self {
        case .concat:
            let text = values.map(\.text).joined()
            return text.utf8.count <= Self.longest ? .string(text) : nil
        case .upcase: return values[0].string.map { .string($0.uppercased()) }
        case .downcase: return values[0].string.map { .string($0.lowercased()) }
        case .numberFormat: return values[0].number.map { .string(StyleValue.number($0).text) }
        case .length:
            let count = values[0].array?.count ?? values[0].string?.unicodeScalars.count
            return count.map { .number(Double($0)) }
        case .at:
            guard let index = values[0].number.flatMap(Int.init(exactly:)), let list = values[1].array,
                list.indices.contains(index)
            else { return nil }
            return list[index]
        case .in:
            if let list = values[1].array { return .bool(list.contains(values[0])) }
            return values[1].string.map { .bool(Self.position(of: values[0].text, in: $0, from: 0) != nil) }
        case .indexOf: return index(values)
        case .slice: return slice(values)
        case .split:
            guard let text = values[0].string, let separator = values[1].string, !separator.isEmpty else {
                return nil
            }
            let parts = text.split(separator: separator, omittingEmptySubsequences: false)
            return .array(parts.map { .string(String($0)) })
        case .join:
            guard let list = values[0].array, let separator = values[1].string else { return nil }
            let text = list.map(\.text).joined(separator: separator)
            return text.utf8.count <= Self.longest ? .string(text) : nil
        default: return nil
        }
    }

    private func index(_ values: [StyleValue]) -> StyleValue? {
        let start = values.count > 2 ? values[2].number.flatMap(Int.init(exactly:)) : 0
        guard let start, start >= 0 else { return nil }
        if let list = values[1].array {
            let found = list.dropFirst(start).firstIndex(of: values[0])
            return .number(Double(found ?? -1))
        }
        return values[1].string.map {
            .number(Double(Self.position(of: values[0].text, in: $0, from: start) ?? -1))
        }
    }

    /// Returns the index of a text in another one, counted in Unicode scalars.
    private static func position(of part: String, in text: String, from start: Int) -> Int? {
        let part = Array(part.unicodeScalars), text = Array(text.unicodeScalars)
        guard start <= text.count, part.count <= text.count - start else { return nil }
        return (start...(text.count - part.count)).first { text[$0..<$0 + part.count].elementsEqual(part) }
    }

    private func slice(_ values: [StyleValue]) -> StyleValue? {
        guard let start = values[1].number.flatMap(Int.init(exactly:)) else { return nil }
        let end = values.count > 2 ? values[2].number.flatMap(Int.init(exactly:)) : Int.max
        guard let end else { return nil }
        func range(_ count: Int) -> Range<Int> {
            func place(_ index: Int) -> Int {
                Swift.min(Swift.max(index < 0 ? count &+ index : index, 0), count)
            }
            let first = place(start)
            return first..<Swift.max(first, place(end))
        }
        if let list = values[0].array { return .array(Array(list[range(list.count)])) }
        guard let scalars = values[0].string.map({ Array($0.unicodeScalars) }) else { return nil }
        return .string(String(String.UnicodeScalarView(scalars[range(scalars.count)])))
    }

    private func colour(_ values: [StyleValue]) -> StyleValue? {
        let numbers = values.compactMap(\.number)
        guard numbers.count == values.count else { return nil }
        return .colour(
            StyleColour(
                red: numbers[0] / 255, green: numbers[1] / 255, blue: numbers[2] / 255,
                alpha: numbers.count > 3 ? numbers[3] : 1))
    }

    private func arithmetic(_ values: [StyleValue]) -> StyleValue? {
        let numbers = values.compactMap(\.number)
        guard numbers.count == values.count, let result = result(numbers), !result.isNaN else { return nil }
        return .number(result)
    }

    private func result(_ numbers: [Double]) -> Double? {
        switch self {
        case .plus: numbers.reduce(0, +)
        case .times: numbers.reduce(1, *)
        case .minus: numbers.count == 1 ? -numbers[0] : numbers[0] - numbers[1]
        case .divided: numbers[0] / numbers[1]
        case .remainder: numbers[0].truncatingRemainder(dividingBy: numbers[1])
        case .power: pow(numbers[0], numbers[1])
        case .min: numbers.min()
        case .max: numbers.max()
        case .e: M_E
        case .pi: .pi
        case .ln2: M_LN2
        default: numbers.first.map(ofOne)
        }
    }

    private func ofOne(_ x: Double) -> Double {
        switch self {
        case .abs: Swift.abs(x)
        // Rounds half away from zero, as specified.
        case .round: x.rounded()
        case .floor: x.rounded(.down)
        case .ceil: x.rounded(.up)
        case .sqrt: x.squareRoot()
        case .ln: log(x)
        case .log2: Glibc.log2(x)
        case .log10: Glibc.log10(x)
        case .sin: Glibc.sin(x)
        case .cos: Glibc.cos(x)
        case .tan: Glibc.tan(x)
        case .asin: Glibc.asin(x)
        case .acos: Glibc.acos(x)
        case .atan: Glibc.atan(x)
        default: x
        }
    }
}
