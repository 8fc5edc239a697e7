/// The locations of the 130,000 to 260,000 most recently used bodies, so that equal bodies are stored once
/// with constant memory use.
struct BodyIndex<Location> {
    private static var generation: Int { 1 << 17 }
    private var recent: [ContentHash: Location] = [:]
    private var older: [ContentHash: Location] = [:]

    mutating func location(of hash: ContentHash) -> Location? {
        if let location = recent[hash] { return location }
        guard let location = older[hash] else { return nil }
        remember(location, for: hash)
        return location
    }

    mutating func remember(_ location: Location, for hash: ContentHash) {
        if recent.count >= BodyIndex.generation {
            older = recent
            recent = Dictionary(minimumCapacity: BodyIndex.generation)
        }
        recent[hash] = location
    }
}
