/// Amounts as people read them.
public enum AmountText {
    /// "512 B", "18.0 KiB", "41.2 MiB".
    public static func bytes(_ count: Int) -> String {
        guard count >= 1024 else { return "\(max(count, 0)) B" }
        var amount = Double(count), unit = -1
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB"]
        while amount >= 1023.95 || unit < 0, unit < units.count - 1 {
            amount /= 1024
            unit += 1
        }
        return "\(tenths(amount)) \(units[unit])"
    }

    /// A number with its thousands set apart: "1 224".
    public static func count(_ number: Int) -> String {
        var digits = Array("\(number.magnitude)"), groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (number < 0 ? "-" : "") + ([String(digits)] + groups).joined(separator: " ")
    }

    /// A part of a whole: "96.1 %".
    public static func percent(_ share: Double) -> String { "\(tenths(share * 100)) %" }

    /// A length of time by its largest unit, or two: "40 s", "6 min", "3 h", "12 days".
    public static func duration(seconds: Int64) -> String {
        switch seconds.magnitude {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        case ..<63_072_000: "\(seconds / 86_400) days"
        default: "\(seconds / 31_536_000) years"
        }
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
