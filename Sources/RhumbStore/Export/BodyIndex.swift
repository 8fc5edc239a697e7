/// Remembers where bodies were stored, to store equal ones once: some 130,000 to 260,000 of those
/// met or used last, so that memory stays the same however many there are.
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
