internal import Glibc

/// Returns 2^zoom, exact if zoom is a whole number.
func exp2Exact(_ zoom: Double) -> Double {
    let whole = zoom.rounded(.down)
    let power = Double(sign: .plus, exponent: Int(whole), significand: 1)
    return zoom == whole ? power : power * exp2(zoom - whole)
}

/// Returns the binary logarithm, for files that need no other mathematics.
func log2Of(_ value: Double) -> Double { log2(value) }
