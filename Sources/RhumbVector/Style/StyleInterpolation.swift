internal import Glibc

/// The interpolation between two stops.
struct StyleInterpolation: Sendable, Equatable {
    enum Curve: Sendable, Equatable {
        /// Exponential; base 1 is linear.
        case exponential(base: Double)
        case bezier(x1: Double, y1: Double, x2: Double, y2: Double)
    }

    let curve: Curve
    /// The colour space in which colours are mixed.
    let space: StyleColour.Space

    init(_ curve: Curve, _ space: StyleColour.Space) {
        self.curve = curve
        self.space = space
    }

    /// Returns the progress of the output at input `x` between two stops: 0…1, or slightly beyond for Bézier
    /// curves.
    func share(_ x: Double, from low: Double, to high: Double) -> Double {
        guard high > low else { return 0 }
        let linear = min(max((x - low) / (high - low), 0), 1)
        guard linear > 0, linear < 1 else { return linear }
        switch curve {
        case .exponential(let base):
            guard abs(base - 1) > 1e-6, base > 0 else { return linear }
            let share = (pow(base, x - low) - 1) / (pow(base, high - low) - 1)
            return share.isFinite ? min(max(share, 0), 1) : linear
        case .bezier(let x1, let y1, let x2, let y2):
            return StyleInterpolation.cubic(StyleInterpolation.parameter(at: linear, x1, x2), y1, y2)
        }
    }

    /// Evaluates a cubic Bézier curve from 0 to 1 with two inner control values.
    private static func cubic(_ t: Double, _ a: Double, _ b: Double) -> Double {
        let u = 1 - t
        return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
    }

    /// Returns the curve's parameter at x, by bisection because the curve is monotonic in x.
    private static func parameter(at x: Double, _ x1: Double, _ x2: Double) -> Double {
        var low = 0.0, high = 1.0
        for _ in 0..<32 {
            let middle = (low + high) / 2
            if cubic(middle, x1, x2) < x { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// Interpolates numbers, colours or lists of numbers; nil for other values.
    func mix(_ a: StyleValue, _ b: StyleValue, _ share: Double) -> StyleValue? {
        if case .number(let a) = a, case .number(let b) = b { return .number(a + (b - a) * share) }
        if let a = a.colour, let b = b.colour {
            return .colour(a.interpolated(to: b, min(max(share, 0), 1), in: space))
        }
        guard let a = a.array, let b = b.array, a.count == b.count else { return nil }
        var values: [StyleValue] = []
        for (a, b) in zip(a, b) {
            guard case .number(let a) = a, case .number(let b) = b else { return nil }
            values.append(.number(a + (b - a) * share))
        }
        return .array(values)
    }
}
