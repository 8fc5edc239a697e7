/// The version of a package's data: one to four whole numbers separated by dots, such as "2026.47". Missing
/// numbers count as 0.
public struct PackageVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    /// Creates a version from text. Returns nil if the text isn't a version, or a number is 2^31 or more.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt32(part),
                number < 1 << 31
            else { return nil }
            numbers.append(Int(number))
        }
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    public var description: String { numbers.map(String.init).joined(separator: ".") }

    public static func < (a: PackageVersion, b: PackageVersion) -> Bool {
        a.numbers.lexicographicallyPrecedes(b.numbers)
    }
}
