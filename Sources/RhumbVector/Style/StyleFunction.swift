internal import Glibc

/// Functions of values only, by their names in the style specification.
enum StyleFunction: String, Sendable {
    case get, has, at, `in`, length, slice
    case indexOf = "index-of"
    case plus = "+", minus = "-", times = "*", divided = "/", remainder = "%", power = "^"
    case min, max, abs, round, floor, ceil, sqrt, ln, log2, log10, sin, cos, tan, asin, acos, atan
    case e, pi, ln2
    case concat, upcase, downcase, typeof, rgb, rgba, split, join, collator, error
    case toRGBA = "to-rgba"
    case numberFormat = "number-format"
    case resolvedLocale = "resolved-locale"
    case isSupportedScript = "is-supported-script"

    /// The types of the arguments and of the result, for functions whose arguments are expressions of fixed
    /// types; nil for the others.
    var signature: Signature? {
        switch self {
        case .at, .in, .length, .slice, .indexOf, .collator, .numberFormat: nil
        case .get: Signature([.string, .object], required: 1, .value)
        case .has: Signature([.string, .object], required: 1, .bool)
        case .plus, .times, .min, .max: Signature(any: .number, .number)
        case .minus: Signature([.number, .number], required: 1, .number)
        case .divided, .remainder, .power: Signature([.number, .number], .number)
        case .abs, .round, .floor, .ceil, .sqrt, .ln, .log2, .log10, .sin, .cos, .tan, .asin, .acos, .atan:
            Signature([.number], .number)
        case .e, .pi, .ln2: Signature([], .number)
        case .concat: Signature(any: .value, .string)
        case .upcase, .downcase: Signature([.string], .string)
        case .typeof: Signature([.value], .string)
        case .rgb: Signature([.number, .number, .number], .colour)
        case .rgba: Signature([.number, .number, .number, .number], .colour)
        case .toRGBA: Signature([.colour], .array(.number, count: 4))
        case .split: Signature([.string, .string], .array(.string, count: nil))
        case .join: Signature([.array(.string, count: nil), .string], .string)
        case .error: Signature([.string], .failure)
        case .resolvedLocale: Signature([.collator], .string)
        case .isSupportedScript: Signature([.string], .bool)
        }
    }

    struct Signature {
        /// The types of the arguments, or of all arguments if any number is allowed.
        let arguments: [StyleType]
        let count: ClosedRange<Int>
        let result: StyleType

        init(_ arguments: [StyleType], required: Int? = nil, _ result: StyleType) {
            self.arguments = arguments
            self.result = result
            count = (required ?? arguments.count)...arguments.count
        }

        init(any argument: StyleType, _ result: StyleType) {
            arguments = [argument]
            self.result = result
            count = 0...Int.max
        }

        func type(ofArgument index: Int) -> StyleType { arguments[Swift.min(index, arguments.count - 1)] }
    }
}

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

    /// Maximum length of a resulting text, in bytes.
    private static let longest = 10_000

    /// Evaluates the function; nil for invalid arguments. The number of arguments must fit the function.
    func value(of values: [StyleValue]) -> StyleValue? {
        switch self {
        case .get, .has, .error: nil
        case .at, .in, .indexOf, .slice, .length: lookup(values)
        case .concat, .upcase, .downcase, .split, .join, .typeof, .numberFormat, .resolvedLocale,
            .isSupportedScript:
            text(values)
        case .rgb, .rgba: colour(values)
        case .toRGBA:
            values[0].colour.map { colour in
                .array(
                    [colour.red * 255, colour.green * 255, colour.blue * 255, colour.alpha].map(
                        StyleValue.number))
            }
        case .collator: .array(values)
        default: arithmetic(values)
        }
    }

    private func text(_ values: [StyleValue]) -> StyleValue? {
        switch self {
        case .concat: return limited(values.map(\.text).joined())
        case .upcase: return values[0].string.map { .string($0.uppercased()) }
        case .downcase: return values[0].string.map { .string($0.lowercased()) }
        case .typeof: return .string(values[0].type.name)
        case .numberFormat: return StyleNumberFormat.text(values).map(StyleValue.string)
        case .resolvedLocale: return StyleCollator(values[0]).map { .string($0.locale) }
        case .isSupportedScript: return .bool(true)
        case .split:
            guard let text = values[0].string, let separator = values[1].string else { return nil }
            let parts =
                separator.isEmpty
                ? text.unicodeScalars.map(String.init)
                : text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
            return .array(parts.map(StyleValue.string))
        case .join:
            guard let list = values[0].array, let separator = values[1].string else { return nil }
            return limited(list.map(\.text).joined(separator: separator))
        default: return nil
        }
    }

    private func limited(_ text: String) -> StyleValue? {
        text.utf8.count <= Self.longest ? .string(text) : nil
    }

    private func colour(_ values: [StyleValue]) -> StyleValue? {
        StyleColour(channels: values).map(StyleValue.colour)
    }

    private func arithmetic(_ values: [StyleValue]) -> StyleValue? {
        let numbers = values.compactMap(\.number)
        guard numbers.count == values.count, let result = result(numbers) else { return nil }
        return .number(result)
    }

    private func result(_ numbers: [Double]) -> Double? {
        switch self {
        case .plus: numbers.reduce(0, +)
        case .times: numbers.reduce(1, *)
        case .minus: numbers.count == 1 ? -numbers[0] : numbers[0] - numbers[1]
        case .divided: numbers[0] / numbers[1]
        case .remainder: fmod(numbers[0], numbers[1])
        case .power: pow(numbers[0], numbers[1])
        case .min: numbers.contains(where: \.isNaN) ? .nan : numbers.min() ?? .infinity
        case .max: numbers.contains(where: \.isNaN) ? .nan : numbers.max() ?? -.infinity
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
