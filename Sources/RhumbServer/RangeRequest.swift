internal import RhumbCore

/// The requested part of a file (RFC 9110, 14).
enum RangeRequest: Equatable {
    /// The whole file: no range, several, or one that is not understood.
    case whole
    case part(offset: UInt64, count: UInt64)
    /// The range begins after the end of the file.
    case unsatisfiable

    /// Reads the field `Range`.
    /// - Parameter size: The size of the file in bytes.
    init(_ field: String?, size: UInt64) {
        guard let field, field.prefix(6).lowercased() == "bytes=", !field.contains(",") else {
            self = .whole
            return
        }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map(\.trimmed)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            ends != ["", ""]
        else {
            self = .whole
            return
        }
        let first = UInt64(ends[0]), last = UInt64(ends[1])
        if ends[0].isEmpty {
            // The last bytes of the file.
            let count = min(last ?? .max, size)
            self = count == 0 ? .unsatisfiable : .part(offset: size - count, count: count)
        } else if let first, first < size {
            if let last, last < first {
                self = .whole
            } else {
                self = .part(offset: first, count: min(last ?? .max, size - 1) - first + 1)
            }
        } else {
            self = .unsatisfiable
        }
    }
}
