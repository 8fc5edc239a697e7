internal import Glibc

extension StyleFunction {
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
