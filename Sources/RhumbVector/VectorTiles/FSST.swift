/// The codec "Fast Static Symbol Table" for strings. A code is the number of a symbol, which stands for some
/// bytes, or 255, which a literal byte follows. See "FSST: Fast Random Access String Compression" (Boncz,
/// Neumann and Leis).
enum FSST {
    private static let escape = 255

    /// Decodes text.
    /// - Parameters:
    ///   - symbols: The bytes of all symbols.
    ///   - lengths: The number of bytes of each symbol.
    ///   - size: The maximum number of bytes to decode, which is trusted.
    /// - Returns: nil if a symbol is unknown, or beyond the table.
    static func text(
        _ codes: ArraySlice<UInt8>, symbols: ArraySlice<UInt8>, lengths: [UInt32], size: Int
    ) -> [UInt8]? {
        var starts = [0]
        starts.reserveCapacity(lengths.count + 1)
        for length in lengths { starts.append(starts[starts.count - 1] + Int(length)) }
        guard starts[lengths.count] <= symbols.count else { return nil }
        var isKnown = true
        let text = [UInt8](unsafeUninitializedCapacity: size) { text, filled in
            codes.withUnsafeBufferPointer { codes in
                symbols.withUnsafeBufferPointer { symbols in
                    isKnown = decode(codes, symbols, starts, into: text, &filled)
                }
            }
        }
        return isKnown ? text : nil
    }

    /// - Parameter filled: The number of decoded bytes, at first 0.
    /// - Returns: False if a symbol is unknown.
    private static func decode(
        _ codes: UnsafeBufferPointer<UInt8>, _ symbols: UnsafeBufferPointer<UInt8>, _ starts: [Int],
        into text: UnsafeMutableBufferPointer<UInt8>, _ filled: inout Int
    ) -> Bool {
        guard let table = symbols.baseAddress, let target = text.baseAddress else { return codes.isEmpty }
        let size = text.count, count = min(starts.count - 1, escape)
        var at = 0, next = 0
        defer { filled = next }
        while at < codes.count, next < size {
            let code = Int(codes[at])
            at += 1
            if code < count {
                let start = starts[code], length = min(starts[code + 1] - start, size - next)
                (target + next).initialize(from: table + start, count: length)
                next += length
            } else {
                guard code == escape else { return false }
                // A last code without a literal byte is ignored.
                guard at < codes.count else { break }
                (target + next).initialize(to: codes[at])
                at += 1
                next += 1
            }
        }
        return true
    }
}
