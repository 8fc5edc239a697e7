internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Place names in options that take coordinates, such as "Turku" or "Via dei Neri, Firenze".
extension Invocation {
    /// Returns the invocation with all place names replaced by coordinates.
    /// - Throws: A sentence that names the option if nothing has that name.
    func locatingPlaces() async throws -> Invocation {
        var located = self
        for option in [Option.center, .near, .around] {
            guard let name = placeName(of: option) else { continue }
            guard let place = try await place(named: name) else {
                throw UsageError(
                    "--\(option.name): no place found for \"\(SafeText.sanitised(name, limit: 60))\"; "
                        + "try rhumb search, or use coordinates such as 60.39,22.37")
            }
            located = located.locating(option, at: place)
        }
        guard [.open, .streets, .render].contains(command), let name = operand, isUnknownMap(name),
            let place = try EmbeddedPlaces.open().town(named: name)
        else { return located }
        return located.locatingMap(
            at: ParsedLocation(coordinate: place.coordinate, closeness: .width(metres: place.viewWidth)))
    }

    /// Rejects an operand that is neither a file nor a source nor a place, and suggests the most similar
    /// ones.
    /// - Throws: `Notice.Problem`
    func refuseUnknownMap() throws {
        guard let name = operand, isUnknownMap(name) else { return }
        let sources = try catalog().sources().map(\.id) + [EmbeddedWorld.name]
        let place = try EmbeddedPlaces.open().places(matching: name, near: nil, limit: 1).first?.place.name
        let guesses = [
            Files.names(in: ".").nearest(to: name).map { "the file \($0)" },
            sources.nearest(to: name).map { "the source \($0)" },
            place.map { "the place \($0)" },
        ].compactMap(\.self)
        let remedy =
            guesses.isEmpty ? "see rhumb source list" : "did you mean \(guesses.joined(separator: " or "))?"
        let shown = SafeText.sanitised(name, limit: 300)
        throw Notice.Problem("\(shown) is not a file, a source or a place; \(SafeText.sanitised(remedy))")
    }

    /// True if the specifier of a map names none: it is no file, source, address or coordinates.
    private func isUnknownMap(_ specifier: String) -> Bool {
        specifier != EmbeddedWorld.name && !specifier.contains { "/:.\\".contains($0) }
            && OverlayOrigin(specifier, isOver: false) == nil
            && namedPlace == nil && !Files.exists(specifier) && !isSource(specifier)
    }

    /// Looks up a name among the bookmarks, in the gazetteer, and in the stored maps.
    /// - Returns: nil if nothing has that name.
    func place(named name: String) async throws -> ParsedLocation? {
        let found = try await withSession(asksFirst: false) { session in
            var lookup = PlaceLookup(session, in: try searchedArea(session), timeLimit: .seconds(2))
            return try lookup.known(name)?.location
        }
        if let found { return found }
        // If "Via dei Neri" in "Via dei Neri, Firenze" is not found, the town is used.
        guard let comma = name.lastIndex(of: ","), case let town = String(name[name.index(after: comma)...]),
            let found = try EmbeddedPlaces.open().place(
                named: town.split(separator: " ").joined(separator: " "))
        else { return nil }
        let street = SafeText.sanitised(String(name[..<comma]), limit: 60)
        Output.note(
            "rhumb: \(street) is not in the stored maps; showing \(SafeText.sanitised(town, limit: 60))")
        return found
    }
}

extension PlaceSearch {
    /// Returns the best match of a name, with a view that shows it; nil if nothing has that name.
    fileprivate func place(named name: String) throws -> ParsedLocation? {
        try places(matching: name, near: nil, limit: 1).first.map {
            ParsedLocation(coordinate: $0.place.coordinate, closeness: .width(metres: $0.place.viewWidth))
        }
    }

    /// Returns a town, a country or a well-known place with exactly that name; nil if there is none. Villages
    /// are excluded, because many have names that users give to files and regions, such as "home".
    func town(named name: String) throws -> NamedPlace? {
        guard let found = try places(matching: name, near: nil, limit: 1, forgives: false).first,
            found.place.importance >= NamedPlace.importance(.town, population: 5_000),
            [found.place.name, found.otherName ?? ""].contains(where: { $0.isSameName(as: name) })
        else { return nil }
        return found.place
    }
}

extension String {
    fileprivate func isSameName(as other: String) -> Bool {
        withoutAccents.lowercased() == other.withoutAccents.lowercased()
    }
}

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
