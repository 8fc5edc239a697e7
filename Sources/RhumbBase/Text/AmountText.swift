/// Amounts in words for people, always in the same form.
public enum AmountText {
    /// Returns a number such as "17,690".
    public static func count(_ count: Int) -> String {
        let digits = String(count.magnitude)
        let groups = stride(from: digits.count, to: 0, by: -3).map {
            digits.dropLast(digits.count - $0).suffix(3)
        }
        return (count < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// Returns a count such as "1 tile" or "17,690 tiles".
    /// - Parameter plural: The plural; nil for the noun with an "s".
    public static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
        "\(self.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// Returns a size such as "12.3 MB", in powers of 1000.
    public static func bytes(_ bytes: Int) -> String {
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes) / 1000, unit = 0
        while value >= 999.95 && unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        let rounded = value >= 100 ? value.rounded() : (value * 10).rounded() / 10
        return (rounded.rounded() == rounded ? "\(Int(rounded))" : "\(rounded)") + " " + units[unit]
    }

    /// Returns a duration such as "3 s", "12 min", "2 h 5 min", "4 d 3 h".
    public static func seconds(_ seconds: Double) -> String {
        let whole = Int(clamping: seconds.rounded(.up))
        switch whole {
        case ..<100: return "\(max(whole, 0)) s"
        case ..<6000: return "\((whole + 30) / 60) min"
        case ..<172_800: return pair(whole / 3600, "h", whole % 3600 / 60, "min")
        default: return pair(whole / 86_400, "d", whole % 86_400 / 3600, "h")
        }
    }

    /// Returns a duration by its largest unit: "40 s", "6 min", "3 h", "12 d".
    public static func age(_ seconds: Int64) -> String {
        switch seconds.magnitude {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// Returns a share such as "96.1 %".
    public static func percent(_ share: Double) -> String {
        (share * 100).decimals(1) + " %"
    }

    /// Returns a length on the ground such as "80 m", "1.2 km", "340 km".
    public static func metres(_ metres: Double) -> String {
        switch metres {
        case 0..<100: "\(Int((metres / 5).rounded()) * 5) m"
        case 0..<995: "\(Int((metres / 10).rounded()) * 10) m"
        case 0..<99_950: "\((metres / 1000).decimals(1)) km"
        case 0..<Double.infinity: "\(count(Int(clamping: metres / 1000))) km"
        default: "?"
        }
    }

    private static func pair(_ large: Int, _ unit: String, _ small: Int, _ smallUnit: String) -> String {
        "\(count(large)) \(unit)" + (small > 0 ? " \(small) \(smallUnit)" : "")
    }
}
