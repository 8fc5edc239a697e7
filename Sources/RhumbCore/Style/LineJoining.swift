/// Names along lines, with lines that go on in each other made one: tiles have a street in pieces
/// from crossing to crossing, each too short for its name.
struct LineJoining {
    typealias Line = [SIMD2<Double>]

    private struct Key: Hashable {
        let text: String
        let layer: String
    }

    private var chains: [Int: Line] = [:]
    private var numberAtEnd: [SIMD2<Double>: Int] = [:]

    /// The labels with the lines joined, each where the first of its pieces was.
    static func joined(_ labels: [VectorLabel]) -> [VectorLabel] {
        var pieces: [Key: [Line]] = [:]
        for label in labels {
            if case .line(let line) = label.anchor { pieces[Key(text: label.text, layer: label.layer), default: []].append(line) }
        }
        return labels.flatMap { label in
            guard case .line = label.anchor else { return [label] }
            let lines = pieces.removeValue(forKey: Key(text: label.text, layer: label.layer)) ?? []
            return chains(lines).map { label.moved(to: .line($0)) }
        }
    }

    /// Lines joined where their ends are the same.
    static func chains(_ lines: [Line]) -> [Line] {
        guard lines.count > 1 else { return lines }
        var joining = LineJoining()
        for (number, line) in lines.enumerated() { joining.add(line, number) }
        return joining.chains.sorted { $0.key < $1.key }.map(\.value)
    }

    private mutating func add(_ line: Line, _ number: Int) {
        var line = line
        for _ in 0..<2 {
            if let end = line.last, let other = take(endingAt: end) { line += other.dropFirst() }
            line.reverse()
        }
        chains[number] = line
        for end in [line.first, line.last].compactMap(\.self) { numberAtEnd[end] = number }
    }

    /// Takes out a line that ends there, turned so that it begins there.
    private mutating func take(endingAt end: SIMD2<Double>) -> Line? {
        guard let number = numberAtEnd[end], let line = chains.removeValue(forKey: number) else { return nil }
        for own in [line.first, line.last].compactMap(\.self) where numberAtEnd[own] == number { numberAtEnd[own] = nil }
        return line.first == end ? line : line.reversed()
    }
}
