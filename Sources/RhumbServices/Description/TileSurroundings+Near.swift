internal import RhumbGeo

extension TileSurroundings.Near {
    /// The maximum distance in metres from the middle of a river to its bank.
    static let halfWidth = 300.0

    /// The sort key: the distance, with the handicap of things.
    var rank: Double { distance + handicap }

    /// Takes the nearest point of a segment if it is nearer.
    mutating func approach(_ from: LocalPlane.Point, _ to: LocalPlane.Point) {
        let nearest = PlaneGeometry.nearest(.zero, from, to)
        guard nearest.distance < distance else { return }
        point = from + (to - from) * nearest.share
        distance = nearest.distance
    }

    /// Keeps the nearer one of two parts of a water.
    func join(into known: inout Self?) {
        let isInside = isInside || known?.isInside == true
        if distance < known?.distance ?? .infinity || known == nil { known = self }
        known?.isInside = isInside
    }
}

extension String {
    /// The words that some tiles put before the name of a river, and others leave out.
    private static let waterWords: Set<String> = [
        "afon", "fiume", "fluss", "fleuve", "reka", "rijeka", "rio", "rivière", "river", "rivo", "rzeka",
        "río",
        "torrente", "řeka",
    ]

    /// The name without such a word in front.
    var withoutWaterWord: String {
        guard let space = firstIndex(of: " "), Self.waterWords.contains(self[..<space].lowercased()) else {
            return self
        }
        return String(self[index(after: space)...])
    }
}
