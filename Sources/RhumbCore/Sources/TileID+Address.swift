extension TileID {
    /// A digit for each zoom, from the coarsest: bit of x plus twice the bit of y.
    public var quadkey: String {
        var digits = ""
        for bit in (0..<zoom).reversed() {
            let (east, south) = ((x >> bit) & 1, (y >> bit) & 1)
            digits += "\(east + 2 * south)"
        }
        return digits
    }

    /// West, south, east and north in metres of EPSG:3857, joined by commas, to the micrometre.
    public var metreBox: String {
        let world = 40_075_016.685578488
        let box = box
        func metres(_ share: Double) -> Double { ((share - 0.5) * world * 1e6).rounded() / 1e6 }
        let edges = [metres(box.minX), -metres(box.maxY), metres(box.maxX), -metres(box.minY)]
        return edges.map { $0 == Double(Int($0)) ? "\(Int($0))" : "\($0)" }.joined(separator: ",")
    }
}

/// Percent-coding of RFC 3986.
package enum PercentCoding {
    /// The text with all but letters, digits and "-._~" encoded.
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: result.append(byte)
            default: result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with "%" and two digits decoded; what is no such code stays.
    package static func decoded(_ text: String) -> String {
        var result: [UInt8] = [], rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == 0x25, digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
