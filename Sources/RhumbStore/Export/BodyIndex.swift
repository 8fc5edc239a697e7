/// The places of the 130,000 to 260,000 most recently used bodies, so that equal bodies are stored once with
/// constant memory use.
struct BodyIndex<Place> {
    private static var generation: Int { 1 << 17 }
    private var recent: [ContentHash: Place] = [:]
    private var older: [ContentHash: Place] = [:]

    mutating func place(of hash: ContentHash) -> Place? {
        if let place = recent[hash] { return place }
        guard let place = older[hash] else { return nil }
        remember(place, for: hash)
        return place
    }

    mutating func remember(_ place: Place, for hash: ContentHash) {
        if recent.count >= BodyIndex.generation {
            older = recent
            recent = Dictionary(minimumCapacity: BodyIndex.generation)
        }
        recent[hash] = place
    }
}
