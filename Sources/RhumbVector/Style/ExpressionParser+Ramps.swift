internal import RhumbBase

/// Parses expressions with branches or stops.
extension ExpressionParser {
    mutating func choice(_ parts: ArraySlice<JSON>, _ type: StyleType?) -> StyleNode? {
        guard parts.count >= 3, parts.count % 2 == 1 else {
            return fail("\"case\" needs conditions with outputs, then one more output")
        }
        var nodes: [StyleNode] = []
        for (index, part) in parts.enumerated() {
            let isCondition = index % 2 == 0 && index < parts.count - 1
            guard let node = expression(part, isCondition ? .bool : type) else { return nil }
            nodes.append(node)
        }
        return .choice(nodes)
    }

    mutating func match(_ parts: ArraySlice<JSON>, _ type: StyleType?) -> StyleNode? {
        let parts = Array(parts)
        guard parts.count >= 2, parts.count % 2 == 0 else {
            return fail("\"match\" needs a value, labels with outputs, then one more output")
        }
        guard let input = expression(parts[0]), let other = expression(parts[parts.count - 1], type) else {
            return nil
        }
        var labels: [StyleValue: Int] = [:], outputs: [StyleNode] = []
        for at in stride(from: 1, to: parts.count - 1, by: 2) {
            guard let output = expression(parts[at + 1], type) else { return nil }
            for label in parts[at].array ?? [parts[at]] {
                let value = StyleValue(label)
                if labels[value] == nil { labels[value] = outputs.count }
            }
            outputs.append(output)
        }
        return .match(input, labels, outputs, other)
    }

    mutating func step(_ parts: ArraySlice<JSON>, _ type: StyleType?) -> StyleNode? {
        let parts = Array(parts)
        guard parts.count >= 2, parts.count % 2 == 0 else {
            return fail("\"step\" needs a value, an output, then stops with outputs")
        }
        guard let input = expression(parts[0], .number), let first = expression(parts[1], type),
            let (stops, outputs) = stops(parts[2...], type)
        else { return nil }
        return .step(input, stops, [first] + outputs)
    }

    mutating func interpolation(_ parts: ArraySlice<JSON>, _ type: StyleType?) -> StyleNode? {
        let parts = Array(parts)
        guard parts.count >= 4, parts.count % 2 == 0 else {
            return fail("\"interpolate\" needs a kind, a value, then stops with outputs")
        }
        guard let kind = curve(parts[0]) else { return nil }
        guard let input = expression(parts[1], .number), let (stops, outputs) = stops(parts[2...], type)
        else { return nil }
        return .interpolation(kind, input, stops, outputs)
    }

    private mutating func curve(_ json: JSON) -> StyleInterpolation? {
        let numbers = (json.array ?? []).dropFirst().compactMap(\.double)
        switch json.array?.first?.string {
        case "linear": return .exponential(base: 1)
        case "exponential" where numbers.count == 1: return .exponential(base: numbers[0])
        case "cubic-bezier" where numbers.count == 4:
            return .bezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
        default:
            _ = fail(
                "\"interpolate\" supports linear, exponential with a base, and cubic-bezier with four numbers"
            )
            return nil
        }
    }

    private mutating func stops(_ parts: ArraySlice<JSON>, _ type: StyleType?) -> ([Double], [StyleNode])? {
        var stops: [Double] = [], outputs: [StyleNode] = []
        for at in stride(from: parts.startIndex, to: parts.endIndex - 1, by: 2) {
            guard let stop = parts[at].double, stop > stops.last ?? -.infinity else {
                _ = fail("stops must be increasing numbers")
                return nil
            }
            guard let output = expression(parts[at + 1], type) else { return nil }
            stops.append(stop)
            outputs.append(output)
        }
        return (stops, outputs)
    }
}
