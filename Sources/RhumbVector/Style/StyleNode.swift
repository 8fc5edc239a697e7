/// A parsed expression of a style. Attributes are indices in the style's table of names.
indirect enum StyleNode: Sendable {
    case constant(StyleValue)
    case zoom
    /// The position along a line, or the density of a heatmap, 0…1.
    case progress
    case identifier
    case geometryType
    case attributes
    case attribute(Int)
    case hasAttribute(Int)
    case comparison(StyleComparison, StyleNode, StyleNode)
    /// Tests if a value is in a set.
    case membership(StyleNode, Set<StyleValue>)
    case not(StyleNode)
    case all([StyleNode])
    case any([StyleNode])
    /// Alternating conditions and outputs, then the fallback.
    case choice([StyleNode])
    /// The input, the output index of each label, the outputs, and the fallback.
    case match(StyleNode, [StyleValue: Int], [StyleNode], StyleNode)
    case coalesce([StyleNode])
    /// The input, ascending stops, and the outputs; the first output applies below the first stop.
    case step(StyleNode, [Double], [StyleNode])
    case interpolation(StyleInterpolation, StyleNode, [Double], [StyleNode])
    /// The number of the first variable, the values of consecutive variables, and the body.
    case binding(Int, [StyleNode], StyleNode)
    case variable(Int)
    /// The first argument of the type.
    case assertion(StyleType, [StyleNode])
    /// The first argument that can be converted to the type.
    case conversion(StyleType, [StyleNode])
    case call(StyleFunction, [StyleNode])
}

enum StyleComparison: String, Sendable {
    case equal = "==", unequal = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
}

/// The types of values.
enum StyleType: Sendable, Equatable {
    case number, string, bool, colour, array, object
}

/// Functions of values only, by their names in the style specification.
enum StyleFunction: String, Sendable {
    case get, has, at, `in`, length, slice
    case indexOf = "index-of"
    case plus = "+", minus = "-", times = "*", divided = "/", remainder = "%", power = "^"
    case min, max, abs, round, floor, ceil, sqrt, ln, log2, log10, sin, cos, tan, asin, acos, atan
    case e, pi, ln2
    case concat, upcase, downcase, typeof, rgb, rgba, split, join
    case toRGBA = "to-rgba"
    case numberFormat = "number-format"

    /// The allowed number of arguments.
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
    /// Adds the parts of a feature that the value depends on.
    /// - Parameter names: The attribute names by index.
    func collect(_ use: inout StyleDependencies, _ names: [String]) {
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
