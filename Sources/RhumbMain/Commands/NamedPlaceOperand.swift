internal import Rhumb
internal import RhumbCommandLine

/// A place given instead of a map, as "geo:60.39,22.37?z=12", a link to a map, a geohash or a plus code.
extension Invocation {
    /// The place; nil if the operand is a map, a file or the name of a source.
    var namedPlace: ParsedLocation? {
        guard watchedStyle == nil, let text = operand, !Files.exists(text), !isSource(text) else {
            return nil
        }
        return try? ParsedLocation(text)
    }

    func isSource(_ text: String) -> Bool {
        // Web map links contain no tiles, and documents contain no place.
        let path = URLReference(text).path
        if SourceDefinition.isAddress(text) {
            return text.contains("{") || path.hasSuffix(".json") || SourceDefinition.isArchive(path)
        }
        return ((try? catalog().source(named: text)) ?? nil) != nil
    }
}
