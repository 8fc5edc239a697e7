internal import RhumbGeo

/// Points that have only an id, a name and attributes, in a third of the memory. Overlays may have millions
/// of them.
struct PackedPoints: Sendable {
    private struct Entry {
        let point: WorldPoint
        /// The end of its text.
        let end: UInt32
        /// The sizes of its id and its name, with which its text begins.
        let idSize: UInt16, nameSize: UInt16
    }

    private let entries: [Entry]
    /// The ids, names and attributes in UTF-8.
    private let text: [UInt8]

    var count: Int { entries.count }

    /// - Returns: nil if a feature has other properties, or a long id or name.
    init?(_ features: [OverlayFeature]) {
        var entries: [Entry] = [], text: [UInt8] = []
        entries.reserveCapacity(features.count)
        for feature in features {
            guard case .point(let point) = feature.shape, feature.look == nil, !feature.isTrack,
                feature.time.isNaN, feature.heading.isNaN,
                let idSize = UInt16(exactly: feature.id.utf8.count),
                let nameSize = UInt16(exactly: feature.name.utf8.count)
            else { return nil }
            text += feature.id.utf8
            text += feature.name.utf8
            text += feature.attributes.packed
            guard let end = UInt32(exactly: text.count) else { return nil }
            entries.append(Entry(point: point, end: end, idSize: idSize, nameSize: nameSize))
        }
        self.entries = entries
        // Without the spare room of an array that grew.
        self.text = Array(text[...])
    }

    subscript(at: Int) -> OverlayFeature {
        let entry = entries[at], start = at == 0 ? 0 : Int(entries[at - 1].end)
        let name = start + Int(entry.idSize), attributes = name + Int(entry.nameSize)
        return OverlayFeature(
            packed: entry.point, id: String(decoding: text[start..<name], as: UTF8.self),
            name: String(decoding: text[name..<attributes], as: UTF8.self),
            attributes: OverlayAttributes(packed: text[attributes..<Int(entry.end)]))
    }

    func point(_ at: Int) -> WorldPoint { entries[at].point }
}
