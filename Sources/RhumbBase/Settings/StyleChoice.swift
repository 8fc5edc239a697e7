/// The styles in which maps of vector tiles are drawn, one by day and one by night.
public struct StyleChoice: Hashable, Sendable {
    /// The name, file or address of the style by day; nil for Rhumb's own.
    public var day: String?
    /// The name, file or address of the style by night; nil for Rhumb's own.
    public var night: String?

    /// Rhumb's own two styles.
    public static let standard = StyleChoice(nil)

    /// Creates a choice of one style by day and another by night.
    public init(day: String?, night: String?) { (self.day, self.night) = (day, night) }

    /// Creates a choice of the same style by day and by night.
    public init(_ style: String?) { self.init(day: style, night: style) }

    /// Parses the text of a user: "default", one style, or "day=ONE night=OTHER" in either order.
    public init(text: String) {
        func style(_ word: Substring) -> String? { word == "default" ? nil : String(word) }
        let pairs = text.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        guard !pairs.isEmpty, pairs.allSatisfy({ $0.count == 2 && MapTheme(rawValue: String($0[0])) != nil })
        else {
            self.init(style(text[...]))
            return
        }
        self.init(nil)
        for pair in pairs { if pair[0] == "day" { day = style(pair[1]) } else { night = style(pair[1]) } }
    }

    /// The text that `init(text:)` parses.
    public var text: String {
        day == night ? day ?? "default" : "day=\(day ?? "default") night=\(night ?? "default")"
    }

    /// The style of a theme; nil for Rhumb's own.
    public subscript(theme: MapTheme) -> String? { theme == .day ? day : night }

    /// The styles other than Rhumb's own, each once.
    public var named: [String] { Set([day, night].compactMap(\.self)).sorted() }

    /// Returns the choice with each style changed.
    public func map<Failure: Error>(
        _ change: (String) throws(Failure) -> String
    ) throws(Failure) -> StyleChoice {
        var choice = self
        if let day { choice.day = try change(day) }
        if let night { choice.night = try change(night) }
        return choice
    }
}

extension StyleChoice {
    /// The choice as JSON: a text if both styles are the same, else an object of two; null for Rhumb's own.
    package var json: JSON {
        day == night ? .text(day) : ["day": .text(day), "night": .text(night)]
    }

    package init(json: JSON?) {
        self.init(day: json?.string ?? json?["day"]?.string, night: json?.string ?? json?["night"]?.string)
    }
}

/// The light or the dark theme of a map.
public enum MapTheme: String, CaseIterable, Sendable { case day, night }
