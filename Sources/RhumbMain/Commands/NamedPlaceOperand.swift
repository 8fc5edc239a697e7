internal import Rhumb
internal import RhumbCommandLine

/// A place that stands where a map is named: "geo:60.39,22.37?z=12", a link to a map, a geohash, a plus code.
extension Invocation {
    /// The place; nil where a map is meant, which a file or source of that name is.
    var namedPlace: ParsedLocation? {
        guard watchedStyle == nil, let words = operand, !Files.exists(words), !isSource(words) else {
            return nil
        }
        return try? ParsedLocation(words)
    }

    func isSource(_ words: String) -> Bool {
        // Links to maps on the web have no tiles, documents have no place.
        let path = URLReference(words).path
        if SourceDefinition.isAddress(words) {
            return words.contains("{") || path.hasSuffix(".json") || path.hasSuffix(".pmtiles")
        }
        return ((try? catalog().source(named: words)) ?? nil) != nil
    }
}
