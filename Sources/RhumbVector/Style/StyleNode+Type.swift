extension StyleNode {
    /// The type of the value; nil if it depends on the feature or is unknown.
    var type: StyleType? {
        switch self {
        case .constant(let value): value.type
        case .zoom, .progress: .number
        case .geometryType: .string
        case .attributes: .object
        case .hasAttribute, .comparison, .membership, .not, .all, .any: .bool
        case .assertion(let type, _), .conversion(let type, _): type
        case .call(let function, _): function.type
        // Their outputs have already been checked one by one.
        case .choice, .match, .coalesce, .step, .interpolation, .binding: nil
        case .identifier, .attribute, .variable: nil
        }
    }
}

extension StyleType {
    /// Returns true if a value of the type can be used as another type.
    func serves(as wanted: StyleType) -> Bool {
        switch wanted {
        // A text may name a colour.
        case .colour: self == .colour || self == .string
        // Numbers and flags are converted to text.
        case .string: self != .object && self != .array
        case .number, .bool, .array, .object: self == wanted
        }
    }

    var words: String {
        switch self {
        case .number: "a number"
        case .string: "a text"
        case .bool: "true or false"
        case .colour: "a colour"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension StyleValue {
    fileprivate var type: StyleType? {
        switch self {
        case .null: nil
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .colour: .colour
        case .array: .array
        case .object: .object
        }
    }
}

extension StyleFunction {
    /// The type of the result; nil if it depends on the arguments.
    fileprivate var type: StyleType? {
        switch self {
        case .get, .at, .slice: nil
        case .has, .in: .bool
        case .split, .toRGBA: .array
        case .concat, .upcase, .downcase, .typeof, .join, .numberFormat: .string
        case .rgb, .rgba: .colour
        case .length, .indexOf: .number
        default: .number
        }
    }

    /// The type of all arguments; nil if several types are allowed.
    var argumentType: StyleType? {
        switch self {
        case .get, .has, .at, .in, .length, .slice, .indexOf, .concat, .typeof, .split, .join, .toRGBA: nil
        case .upcase, .downcase: .string
        default: .number
        }
    }
}
