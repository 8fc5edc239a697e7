internal import RhumbBase

/// Parses expressions with branches or stops. All outputs have the required type, or else that of the first.
extension ExpressionParser {
    mutating func choice(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard parts.count >= 3, parts.count % 2 == 1 else {
            return fail("\"case\" needs conditions with outputs, then one more output")
        }
        var nodes: [StyleNode] = [], type = type == .value ? nil : type
        for (index, part) in parts.enumerated() {
            let isCondition = index % 2 == 0 && index < parts.count - 1
            guard let next = expression(part, isCondition ? .bool : type) else { return nil }
            if !isCondition { type = type ?? next.type }
            nodes.append(next.node)
        }
        return Typed(.choice(nodes), type ?? .value)
    }

    mutating func match(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard parts.count >= 4, parts.count % 2 == 0 else {
            return fail("\"match\" needs a value, labels with outputs, then one more output")
        }
        var labels: [StyleValue: Int] = [:], outputs: [StyleNode] = [], type = type == .value ? nil : type
        for at in stride(from: 1, to: parts.count - 1, by: 2) {
            for label in parts[at].array ?? [parts[at]] {
                let value = StyleValue(label)
                guard isLabel(value), labels.first.map({ $0.key.type == value.type }) ?? true else {
                    return fail("the labels of \"match\" must be whole numbers or texts, all of one type")
                }
                guard labels.updateValue(outputs.count, forKey: value) == nil else {
                    return fail("\"match\" has the label \(label.text) twice")
                }
            }
            guard parts[at].array?.isEmpty != true else {
                return fail("\"match\" has an output without labels")
            }
            guard let output = expression(parts[at + 1], type) else { return nil }
            type = type ?? output.type
            outputs.append(output.node)
        }
        guard let input = expression(parts[0], .value), let other = expression(parts[parts.count - 1], type)
        else { return nil }
        let label = labels.first?.key.type ?? .value
        guard input.type == .value || label.accepts(input.type) else {
            return fail("\"match\" compares \(input.type.words) with labels that are not")
        }
        return Typed(.match(input.node, labels, outputs, other.node), type ?? .value)
    }

    private func isLabel(_ value: StyleValue) -> Bool {
        switch value {
        case .string: true
        case .number(let number): number == number.rounded(.down) && abs(number) < 9_007_199_254_740_992
        default: false
        }
    }

    mutating func coalesce(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard !parts.isEmpty else { return fail("\"coalesce\" needs a value") }
        var nodes: [StyleNode] = [], output = type == .value ? nil : type, isFitting = true
        for (index, part) in parts.enumerated() {
            // A check or conversion would fail for a missing value, so it is done for the result.
            guard let next = expression(part, output, .omitted) else { return nil }
            output = output ?? next.type
            if let type, !type.accepts(next.type) { isFitting = false }
            let isLast = index == parts.count - 1
            nodes.append(next.type == .image && !isLast ? .availableImage(next.node) : next.node)
        }
        return Typed(.coalesce(nodes), isFitting ? output ?? .value : .value)
    }

    mutating func step(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard parts.count >= 4, parts.count % 2 == 0 else {
            return fail("\"step\" needs a value, an output, then stops with outputs")
        }
        let type = type == .value ? nil : type
        guard let input = expression(parts[0], .number), let first = expression(parts[1], type),
            let (stops, outputs, _) = stops(parts.dropFirst(2), type ?? first.type)
        else { return nil }
        return Typed(.step(input.node, stops, [first.node] + outputs), type ?? first.type)
    }

    mutating func interpolation(_ parts: [JSON], _ type: StyleType?, _ space: StyleColour.Space) -> Typed? {
        guard parts.count >= 4, parts.count % 2 == 0 else {
            return fail("\"interpolate\" needs a kind, a value, then stops with outputs")
        }
        guard let curve = curve(parts[0]), let input = expression(parts[1], .number),
            let (stops, outputs, output) = stops(
                parts.dropFirst(2), space != .rgb ? .colour : type == .value ? nil : type)
        else { return nil }
        guard output.isInterpolable else { return fail("\"interpolate\" needs numbers or colours") }
        return Typed(.interpolation(StyleInterpolation(curve, space), input.node, stops, outputs), output)
    }

    private mutating func curve(_ json: JSON) -> StyleInterpolation.Curve? {
        let numbers = (json.array ?? []).dropFirst().compactMap(\.double)
        switch json.array?.first?.string {
        case "linear": return .exponential(base: 1)
        case "exponential" where !numbers.isEmpty: return .exponential(base: numbers[0])
        case "cubic-bezier" where numbers.count == 4 && numbers.allSatisfy { 0...1 ~= $0 }:
            return .bezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
        default:
            _ = fail(
                "\"interpolate\" supports linear, exponential with a base, and cubic-bezier with four numbers "
                    + "from 0 to 1")
            return nil
        }
    }

    private mutating func stops(
        _ parts: ArraySlice<JSON>, _ type: StyleType?
    ) -> (stops: [Double], outputs: [StyleNode], type: StyleType)? {
        var stops: [Double] = [], outputs: [StyleNode] = [], type = type
        for at in stride(from: parts.startIndex, to: parts.endIndex - 1, by: 2) {
            guard let stop = parts[at].double, stop > stops.last ?? -.infinity else {
                _ = fail("stops must be increasing numbers")
                return nil
            }
            guard let output = expression(parts[at + 1], type) else { return nil }
            type = type ?? output.type
            stops.append(stop)
            outputs.append(output.node)
        }
        return (stops, outputs, type ?? .value)
    }
}
