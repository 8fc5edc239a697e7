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
    /// A constant state: the style's default for a global state, null for the state of a feature.
    case state(StyleValue)
    /// The feature's position relative to a shape.
    case relation(StyleRelation)
    case comparison(StyleComparison, StyleNode, StyleNode)
    /// Compares texts by a collator, and other values as they are.
    case collation(StyleComparison, StyleNode, StyleNode, StyleNode)
    /// Tests if a value is in a set.
    case membership(StyleNode, Set<StyleValue>)
    case not(StyleNode)
    case all([StyleNode])
    case any([StyleNode])
    /// True only if the value is true; false also if it has no value.
    case holds(StyleNode)
    /// Alternating conditions and outputs, then the fallback.
    case choice([StyleNode])
    /// The input, the output index of each label, the outputs, and the fallback.
    case match(StyleNode, [StyleValue: Int], [StyleNode], StyleNode)
    case coalesce([StyleNode])
    /// The name of an image, or null if the style doesn't have it.
    case availableImage(StyleNode)
    /// The input, ascending stops, and the outputs; the first output applies below the first stop.
    case step(StyleNode, [Double], [StyleNode])
    case interpolation(StyleInterpolation, StyleNode, [Double], [StyleNode])
    /// The number of the first variable, the values of consecutive variables, and the body.
    case binding(Int, [StyleNode], StyleNode)
    case variable(Int)
    case list([StyleNode])
    /// The first argument of the type.
    case assertion(StyleType, [StyleNode])
    /// The first argument that can be converted to the type.
    case conversion(StyleType, [StyleNode])
    case call(StyleFunction, [StyleNode])
}

enum StyleComparison: String, Sendable {
    case equal = "==", unequal = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="

    /// True if the values must have an order.
    var needsOrder: Bool { self != .equal && self != .unequal }
}

extension StyleNode {
    /// The value if it is constant.
    var constant: StyleValue? { if case .constant(let value) = self { value } else { nil } }

    /// True if the expression isn't a constant yet, but depends on constants only.
    var isFoldable: Bool {
        switch self {
        case .constant, .zoom, .progress, .identifier, .geometryType, .attributes, .attribute, .hasAttribute,
            .variable, .state, .relation, .availableImage, .call(.error, _):
            false
        case .call(.get, let parts) where parts.count == 1: false
        case .call(.has, let parts) where parts.count == 1: false
        default: children.allSatisfy { $0.constant != nil }
        }
    }

    /// Adds the parts of a feature that the value depends on.
    /// - Parameter names: The attribute names by index.
    func collect(_ use: inout StyleDependencies, _ names: [String]) {
        switch self {
        case .identifier, .attributes, .relation: use.isUnbounded = true
        case .geometryType: use.kind = true
        case .attribute(let name): use.values.insert(names[name])
        case .hasAttribute(let name): use.presences.insert(names[name])
        case .call(.get, let parts) where parts.count == 1: use.isUnbounded = true
        case .call(.has, let parts) where parts.count == 1: use.isUnbounded = true
        default: for child in children { child.collect(&use, names) }
        }
    }

    /// True if the zoom is only the input of one ramp, which no other expression computes with. The
    /// specification requires it of properties.
    var usesZoomAsSpecified: Bool {
        let curves = zoomCurveCount
        return curves == 0 ? !usesZoom : curves == 1 && hasOuterZoomCurve
    }

    private var usesZoom: Bool { if case .zoom = self { true } else { children.contains(where: \.usesZoom) } }

    private var isZoomCurve: Bool {
        switch self {
        case .step(.zoom, _, _), .interpolation(_, .zoom, _, _): true
        default: false
        }
    }

    private var zoomCurveCount: Int { children.reduce(isZoomCurve ? 1 : 0) { $0 + $1.zoomCurveCount } }

    private var hasOuterZoomCurve: Bool {
        switch self {
        case .binding(_, _, let body): body.hasOuterZoomCurve
        case .coalesce(let parts): parts.contains(where: \.hasOuterZoomCurve)
        default: isZoomCurve
        }
    }

    private var children: [StyleNode] {
        switch self {
        case .constant, .zoom, .progress, .identifier, .geometryType, .attributes, .attribute, .hasAttribute,
            .variable, .state, .relation:
            []
        case .comparison(_, let a, let b): [a, b]
        case .collation(_, let a, let b, let collator): [a, b, collator]
        case .membership(let a, _), .not(let a), .holds(let a), .availableImage(let a): [a]
        case .all(let parts), .any(let parts), .choice(let parts), .coalesce(let parts), .list(let parts):
            parts
        case .match(let input, _, let outputs, let other): [input, other] + outputs
        case .step(let input, _, let outputs), .interpolation(_, let input, _, let outputs): [input] + outputs
        case .binding(_, let values, let body): values + [body]
        case .assertion(_, let parts), .conversion(_, let parts), .call(_, let parts): parts
        }
    }
}
