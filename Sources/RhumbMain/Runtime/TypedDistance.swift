/// A distance as users type it: "500", "1.5 km", "1,5 KM", "1 km 500 m".
enum TypedDistance {
    /// The lengths of units in metres.
    private static let units = [
        "": 1, "m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1, "km": 1000, "kilometre": 1000,
        "kilometres": 1000, "kilometer": 1000, "kilometers": 1000, "mi": 1609.344, "mile": 1609.344,
        "miles": 1609.344, "ft": 0.3048, "foot": 0.3048, "feet": 0.3048,
    ]

    /// Returns the sum of the parts in metres; nil if one of them is no distance.
    static func metres(_ text: String) -> Double? {
        var rest = text.lowercased().replacing(" ", with: "")[...], sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." || $0 == "," }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix(while: \.isLetter)
            rest = rest.dropFirst(unit.count)
            guard let number = Double(plain(digits)), let length = units[String(unit)] else { return nil }
            sum += number * length
        }
        return text.isEmpty ? nil : sum
    }

    /// Returns a number with a decimal point. Commas before three digits separate thousands.
    private static func plain(_ digits: Substring) -> String {
        let groups = digits.split(separator: ",", omittingEmptySubsequences: false)
        let isGrouped = groups.dropFirst().allSatisfy { $0.prefix { $0 != "." }.count == 3 }
        return groups.joined(separator: isGrouped ? "" : ".")
    }
}
