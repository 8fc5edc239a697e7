/// The bytes that switch on a drawing attribute.
enum Attribute: Equatable, Sendable {
    /// Parameters of Select Graphic Rendition (ECMA-48 8.3.117), which can be merged into one sequence.
    case parameters([UInt8])
    /// Any other sequence, sent whole.
    case sequence([UInt8])

    init(_ bytes: [UInt8]) {
        let inner = bytes.dropFirst(2).dropLast()
        let isSGR =
            bytes.starts(with: [0x1B, 0x5B]) && bytes.last == UInt8(ascii: "m")
            && inner.allSatisfy { (0x30...0x3B).contains($0) }
        self = isSGR ? .parameters(inner.isEmpty ? [0x30] : Array(inner)) : .sequence(bytes)
    }

    /// Creates an attribute from terminfo's `sgr0`. Character set switches around a plain reset are dropped,
    /// because Rhumb never changes the character set.
    init(reset bytes: [UInt8]) {
        let isPlain = [[0x1B, 0x5B, 0x6D], [0x1B, 0x5B, 0x30, 0x6D]].contains { (plain: [UInt8]) in
            bytes == plain || bytes == [0x1B, 0x28, 0x42] + plain || bytes == plain + [0x0F]
        }
        self = isPlain ? .parameters([0x30]) : Attribute(bytes)
    }

    /// Returns the standard parameters for a palette colour as the foreground.
    static func standardInk(_ index: Int) -> Attribute { standard(index, normal: 30, bright: 90) }
    /// Returns the standard parameters for a palette colour as the background.
    static func standardPaper(_ index: Int) -> Attribute { standard(index, normal: 40, bright: 100) }

    private static func standard(_ index: Int, normal: Int, bright: Int) -> Attribute {
        switch index {
        case ..<8: .parameters(Array(String(normal + index).utf8))
        case ..<16: .parameters(Array(String(bright + index - 8).utf8))
        default: .parameters(Array("\(normal + 8);5;\(index)".utf8))
        }
    }
}
