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
