/// Joins connected lines with the same label. Tiles split streets at every crossing, into pieces too short
/// for their names.
struct LineJoining {
    typealias Line = [SIMD2<Double>]

    private struct Key: Hashable {
        let text: String
        let layer: String

        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    private var chains: [Line?] = []
    private var numberAtEnd: [SIMD2<Double>: Int] = [:]

    /// Returns the labels with their lines joined, each at the index of its first piece.
    static func joined(_ labels: [VectorLabel]) -> [VectorLabel] {
        var indices: [Key: Int] = [:], pieces: [(label: VectorLabel, lines: [Line])] = []
        for label in labels {
            guard case .line(let line) = label.anchor else {
                pieces.append((label, []))
                continue
            }
            let index = indices[Key(text: label.text, layer: label.layer), default: pieces.count]
            if index == pieces.count {
                indices[Key(text: label.text, layer: label.layer)] = index
                pieces.append((label, []))
            }
            pieces[index].lines.append(line)
        }
        return pieces.flatMap { label, lines in
            lines.isEmpty ? [label] : chains(lines).map { label.moved(to: .line($0)) }
        }
    }

    /// Joins lines at equal end points.
    static func chains(_ lines: [Line]) -> [Line] {
        guard lines.count > 1 else { return lines }
        var joining = LineJoining()
        for line in lines { joining.add(line) }
        return joining.chains.compactMap(\.self)
    }

    private mutating func add(_ line: Line) {
        var line = line
        for _ in 0..<2 {
            if let end = line.last, let other = take(endingAt: end) { line += other.dropFirst() }
            line.reverse()
        }
        if let first = line.first, let last = line.last {
            numberAtEnd[first] = chains.count
            numberAtEnd[last] = chains.count
        }
        chains.append(line)
    }

    /// Removes and returns the line that ends at a point, oriented to begin there; nil if there is none.
    private mutating func take(endingAt end: SIMD2<Double>) -> Line? {
        guard let number = numberAtEnd[end], let line = chains[number].take() else { return nil }
        let other = line.first == end ? line.last : line.first
        numberAtEnd[end] = nil
        if let other, numberAtEnd[other] == number { numberAtEnd[other] = nil }
        return line.first == end ? line : line.reversed()
    }
}
