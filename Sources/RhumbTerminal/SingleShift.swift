internal import RhumbCore

/// Keys sent as `ESC O letter`.
enum SingleShift {
    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        guard let letter = bytes.dropFirst(2).first else { return .incomplete }
        guard let key = keys[Unicode.Scalar(letter)] else { return .read(1, [.key(.escape)]) }
        return .read(3, [.key(key)])
    }

    private static let keys: [Unicode.Scalar: Key] = [
        "A": .arrow(.up, shift: false), "B": .arrow(.down, shift: false),
        "C": .arrow(.right, shift: false), "D": .arrow(.left, shift: false),
        "H": .home, "F": .end, "M": .enter,
        "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
    ]
}
