/// The location in a link to a web map.
struct MapLinkParser {
    let latitude: Double
    let longitude: Double
    let zoom: Double?

    /// Parses OpenStreetMap's "#map=12/60.39/22.37" and "?mlat=60.39&mlon=22.37", Google's "@60.39,22.37,12z"
    /// and "q=60.39,22.37", Bing's "cp=60.39~22.37", and similar links.
    /// - Parameter text: A text in lower case.
    /// - Returns: nil if the text is not such a link.
    init?(_ text: String) {
        let isLink = text.hasPrefix("http://") || text.hasPrefix("https://")
        guard isLink || text.hasPrefix("#map=") else { return nil }
        let whole = MapLinkParser.resolved(text)
        let parts = whole.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let fields = MapLinkParser.fields(parts[0])
        let view = parts.count > 1 ? MapLinkParser.view(parts[1]) : nil
        let shown = view ?? MapLinkParser.at(parts[0])
        guard let place = MapLinkParser.marker(fields) ?? shown.map({ ($0.latitude, $0.longitude) }) else {
            return nil
        }
        (latitude, longitude) = place
        zoom = shown?.zoom ?? (fields["zoom"] ?? fields["z"] ?? fields["lvl"]).flatMap { Double($0) }
    }

    /// Decodes percent-encoded characters such as "%2c", and "+" as a space.
    private static func resolved(_ link: String) -> String {
        var text = "", rest = link[...]
        while let first = rest.first {
            rest.removeFirst()
            let digits = rest.prefix(2)
            if first == "%", digits.count == 2, let code = UInt8(digits, radix: 16), code >= 0x20, code < 0x7F
            {
                text.unicodeScalars.append(Unicode.Scalar(code))
                rest.removeFirst(2)
            } else {
                text.append(first == "+" ? " " : first)
            }
        }
        return text
    }

    private static func fields(_ address: Substring) -> [Substring: Substring] {
        guard let mark = address.firstIndex(of: "?") else { return [:] }
        var fields: [Substring: Substring] = [:]
        for field in address[address.index(after: mark)...].split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { fields[pair[0]] = pair[1] }
        }
        return fields
    }

    /// Returns the point that the link refers to.
    private static func marker(_ fields: [Substring: Substring]) -> (Double, Double)? {
        for (north, east) in [("mlat", "mlon"), ("lat", "lon"), ("lat", "lng")] {
            if let latitude = fields[north[...]].flatMap({ Double($0) }),
                let longitude = fields[east[...]].flatMap({ Double($0) })
            {
                return (latitude, longitude)
            }
        }
        for name in ["q", "query", "ll", "center", "daddr", "destination", "cp"] {
            guard let value = fields[name[...]] else { continue }
            let text = value.hasPrefix("loc:") ? value.dropFirst(4) : value
            if let pair = pair(text) { return pair }
        }
        return nil
    }

    private static func pair(_ text: Substring) -> (Double, Double)? {
        let numbers = text.split(whereSeparator: { $0 == "," || $0 == "~" }).map {
            Double($0.drop { $0 == " " })
        }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        return (latitude, longitude)
    }

    private typealias View = (latitude: Double, longitude: Double, zoom: Double?)

    /// Parses "map=12/60.39/22.37", with or without "map=".
    private static func view(_ fragment: Substring) -> View? {
        let named = fragment.split(separator: "&").first { $0.hasPrefix("map=") }?.dropFirst(4)
        let numbers = (named ?? fragment).split(separator: "/").prefix(3).map { Double($0) }
        guard numbers.count == 3, let zoom = numbers[0], let latitude = numbers[1],
            let longitude = numbers[2]
        else { return nil }
        return (latitude, longitude, zoom)
    }

    /// Parses "@60.39,22.37,12z". Google may give a height in metres instead of the zoom.
    private static func at(_ address: Substring) -> View? {
        guard let at = address.firstIndex(of: "@") else { return nil }
        let parts = address[address.index(after: at)...].prefix { $0 != "/" && $0 != "?" }.split(
            separator: ",")
        guard parts.count >= 2, let latitude = Double(parts[0]), let longitude = Double(parts[1])
        else { return nil }
        let zoom = parts.count > 2 && parts[2].hasSuffix("z") ? Double(parts[2].dropLast()) : nil
        return (latitude, longitude, zoom)
    }
}
