/// Writes numbers for readers of a language, as `number-format` prescribes.
struct StyleNumberFormat {
    /// The options in the order of the arguments after the number.
    static let options: [(name: String, type: StyleType)] = [
        ("locale", .string), ("currency", .string), ("unit", .string), ("min-fraction-digits", .number),
        ("max-fraction-digits", .number),
    ]

    private let point: String
    private let separator: String
    private let isEnglish: Bool

    /// Creates the format of a locale, such as "de-AT"; that of English for an unknown one.
    private init(locale: String?) {
        let language = locale?.prefix { $0 != "-" && $0 != "_" }.lowercased() ?? "en"
        isEnglish = !Self.separators.keys.contains(language)
        (point, separator) = Self.separators[language] ?? (".", ",")
    }

    /// The decimal and the grouping separator of languages that differ from English.
    private static let separators: [String: (String, String)] = {
        let groups: [(String, String, String)] = [
            ("de es it nl id tr da el hr sl ro pt is vi ca eu gl", ",", "."),
            ("ru uk pl cs sk sv nb no nn fi hu bg et lv lt be kk sq", ",", "\u{A0}"), ("fr", ",", "\u{202F}"),
        ]
        return Dictionary(
            groups.flatMap { group in group.0.split(separator: " ").map { (String($0), (group.1, group.2)) }
            },
            uniquingKeysWith: { first, _ in first })
    }()

    /// Returns the text of a number.
    /// - Parameter values: The number, then the options, null for a missing one.
    /// - Returns: nil for invalid options, or for a currency or unit that is unknown in the language.
    static func text(_ values: [StyleValue]) -> String? {
        guard values.count == options.count + 1, let number = values[0].number else { return nil }
        let format = StyleNumberFormat(locale: values[1].string)
        var digits = 0...3, prefix = "", suffix = ""
        if let code = values[2].string {
            guard format.isEnglish, code.utf8.count == 3 else { return nil }
            let code = code.uppercased()
            prefix = currencies[code] ?? code + "\u{A0}"
            digits = wholeCurrencies.contains(code) ? 0...0 : 2...2
        }
        if let unit = values[3].string {
            guard format.isEnglish, let sign = units[unit] else { return nil }
            suffix = sign
        }
        guard let limits = limits(values[4].number, values[5].number, usual: digits) else { return nil }
        guard number.isFinite else {
            let text = number.isNaN ? "NaN" : "∞"
            return (number < 0 ? "-" : "") + prefix + text + suffix
        }
        let text = format.text(number.magnitude, limits)
        return (number < 0 ? "-" : "") + prefix + text + suffix
    }

    private static func limits(
        _ least: Double?, _ most: Double?, usual: ClosedRange<Int>
    ) -> ClosedRange<Int>? {
        func count(_ number: Double) -> Int? { 0..<101 ~= number ? Int(number) : nil }
        switch (least.map(count), most.map(count)) {
        case (nil, nil): return usual
        case (let least??, nil): return least...Swift.max(least, usual.upperBound)
        case (nil, let most??): return Swift.min(usual.lowerBound, most)...most
        case (let least??, let most??): return least <= most ? least...most : nil
        default: return nil
        }
    }

    /// Returns the text of a number that isn't negative.
    private func text(_ number: Double, _ limits: ClosedRange<Int>) -> String {
        let decimal = Decimal(number, digits: limits.upperBound)
        var fraction = decimal.fraction
        while fraction.count > limits.lowerBound, fraction.last == 0 { fraction.removeLast() }
        while fraction.count < limits.lowerBound { fraction.append(0) }
        var whole = ""
        for (index, digit) in decimal.whole.enumerated() {
            if index > 0, (decimal.whole.count - index) % 3 == 0 { whole += separator }
            whole += String(digit)
        }
        return fraction.isEmpty ? whole : whole + point + fraction.map(String.init).joined()
    }

    /// The shortest decimal digits of a number, rounded.
    private struct Decimal {
        var whole: [Int] = []
        var fraction: [Int] = []

        init(_ number: Double, digits: Int) {
            let parts = "\(number)".split(separator: "e")
            let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
            var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            whole = mantissa[0].compactMap(\.wholeNumberValue)
            fraction = mantissa.count > 1 ? mantissa[1].compactMap(\.wholeNumberValue) : []
            while exponent > 0 {
                whole.append(fraction.isEmpty ? 0 : fraction.removeFirst())
                exponent -= 1
            }
            while exponent < 0 {
                fraction.insert(whole.popLast() ?? 0, at: 0)
                exponent += 1
            }
            round(to: digits)
            whole = Array(whole.drop { $0 == 0 })
            if whole.isEmpty { whole = [0] }
        }

        /// Rounds half away from zero.
        private mutating func round(to digits: Int) {
            guard fraction.count > digits else { return }
            let carries = fraction[digits] >= 5
            fraction.removeSubrange(digits...)
            guard carries else { return }
            for at in fraction.indices.reversed() {
                fraction[at] += 1
                if fraction[at] < 10 { return }
                fraction[at] = 0
            }
            for at in whole.indices.reversed() {
                whole[at] += 1
                if whole[at] < 10 { return }
                whole[at] = 0
            }
            whole.insert(1, at: 0)
        }
    }

    private static let currencies = [
        "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "BRL": "R$",
        "CAD": "CA$", "AUD": "A$", "NZD": "NZ$", "HKD": "HK$", "TWD": "NT$", "MXN": "MX$", "ILS": "₪",
        "VND": "₫", "PHP": "₱", "XAF": "FCFA\u{A0}", "XOF": "F\u{202F}CFA\u{A0}", "XPF": "CFPF\u{A0}",
        "XCD": "EC$",
    ]
    private static let wholeCurrencies: Set<String> = [
        "JPY", "KRW", "VND", "CLP", "ISK", "PYG", "UGX", "XAF", "XOF", "XPF", "RWF", "VUV", "KMF", "GNF",
        "DJF", "BIF",
    ]
    private static let units = [
        "millimeter": " mm", "centimeter": " cm", "meter": " m", "kilometer": " km", "inch": " in",
        "foot": " ft", "yard": " yd", "mile": " mi", "gram": " g", "kilogram": " kg", "ounce": " oz",
        "pound": " lb", "celsius": "°C", "fahrenheit": "°F", "degree": " deg", "percent": "%", "liter": " L",
        "milliliter": " mL", "acre": " ac", "hectare": " ha", "bit": " bit", "byte": " byte",
        "kilobit": " kb", "kilobyte": " kB", "megabit": " Mb", "megabyte": " MB", "gigabit": " Gb",
        "gigabyte": " GB", "terabyte": " TB", "mile-per-hour": " mph", "kilometer-per-hour": " km/h",
        "meter-per-second": " m/s", "millisecond": " ms", "second": " sec", "minute": " min", "hour": " hr",
    ]
}
