/// An expression of a style, ready to be evaluated. Names of attributes are numbers in the
/// style's table of names.
indirect enum StyleNode: Sendable {
    case constant(StyleValue)
    case zoom
    /// The position along a line, or the density of points: 0…1.
    case progress
    case identifier
    case geometryType
    case attributes
    case attribute(Int)
    case hasAttribute(Int)
    case comparison(StyleComparison, StyleNode, StyleNode)
    /// True if a value is one of many.
    case membership(StyleNode, Set<StyleValue>)
    case not(StyleNode)
    case all([StyleNode])
    case any([StyleNode])
    /// Conditions and outputs by turns, then the output for none of them.
    case choice([StyleNode])
    /// The input, the output of each label, the outputs, and what holds for other inputs.
    case match(StyleNode, [StyleValue: Int], [StyleNode], StyleNode)
    case coalesce([StyleNode])
    /// Stops rising; the first output holds below the first of them.
    case step(StyleNode, [Double], [StyleNode])
    case interpolation(StyleInterpolation, StyleNode, [Double], [StyleNode])
    /// Values that `variable` names by number from the first on, and where they hold.
    case binding(Int, [StyleNode], StyleNode)
    case variable(Int)
    /// The first argument that is of the type.
    case assertion(StyleType, [StyleNode])
    /// The first argument that can be turned into the type.
    case conversion(StyleType, [StyleNode])
    case call(StyleFunction, [StyleNode])
}

enum StyleComparison: String, Sendable {
    case equal = "==", unequal = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
}

/// A type of values.
enum StyleType: Sendable, Equatable {
    case number, string, bool, colour, array, object
}

/// Functions of values alone, by their names in the style specification.
enum StyleFunction: String, Sendable {
    case get, has, at, `in`, length, slice
    case indexOf = "index-of"
    case plus = "+", minus = "-", times = "*", divided = "/", remainder = "%", power = "^"
    case min, max, abs, round, floor, ceil, sqrt, ln, log2, log10, sin, cos, tan, asin, acos, atan
    case e, pi, ln2
    case concat, upcase, downcase, typeof, rgb, rgba, split, join
    case toRGBA = "to-rgba"
    case numberFormat = "number-format"

    /// The number of arguments.
    var arity: ClosedRange<Int> {
        switch self {
        case .e, .pi, .ln2: 0...0
        case .length, .abs, .round, .floor, .ceil, .sqrt, .ln, .log2, .log10, .sin, .cos, .tan, .asin, .acos,
            .atan, .upcase, .downcase, .typeof, .toRGBA:
            1...1
        case .get, .has: 1...2
        case .at, .in, .divided, .remainder, .power, .split, .join: 2...2
        case .minus, .numberFormat: 1...2
        case .slice, .indexOf: 2...3
        case .rgb: 3...3
        case .rgba: 4...4
        case .plus, .times, .min, .max, .concat: 0...Int.max
        }
    }
}

extension StyleNode {
    /// Adds what of a feature its value depends on.
    /// - Parameter names: of attributes, by their numbers.
    func collect(_ use: inout FeatureUse, _ names: [String]) {
        switch self {
        case .identifier, .attributes: use.isUnbounded = true
        case .geometryType: use.kind = true
        case .attribute(let name): use.values.insert(names[name])
        case .hasAttribute(let name): use.presences.insert(names[name])
        case .call(.get, let parts) where parts.count == 1: use.isUnbounded = true
        case .call(.has, let parts) where parts.count == 1: use.isUnbounded = true
        default: for child in children { child.collect(&use, names) }
        }
    }

    private var children: [StyleNode] {
        switch self {
        case .constant, .zoom, .progress, .identifier, .geometryType, .attributes, .attribute, .hasAttribute,
            .variable:
            []
        case .comparison(_, let a, let b): [a, b]
        case .membership(let a, _), .not(let a): [a]
        case .all(let parts), .any(let parts), .choice(let parts), .coalesce(let parts): parts
        case .match(let input, _, let outputs, let other): [input, other] + outputs
        case .step(let input, _, let outputs), .interpolation(_, let input, _, let outputs): [input] + outputs
        case .binding(_, let values, let body): values + [body]
        case .assertion(_, let parts), .conversion(_, let parts), .call(_, let parts): parts
        }
    }
}
