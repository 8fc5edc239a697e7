package import RhumbCore

/// Sections of a file that are requested together. They are cut out of its bytes as they arrive.
package struct RangeBatch<Item: Sendable>: Sendable {
    /// A section and the item it is read for.
    package typealias Section = (item: Item, section: FileSection)

    /// The sections not yet complete, in the order of the file.
    package private(set) var missing: ArraySlice<Section>
    /// The bytes of the first missing section that have arrived.
    private var bytes: [UInt8] = []
    /// The position of `bytes` in the file.
    private var start: UInt64 = 0
    /// The end of the section requested last.
    private var end: UInt64 = 0

    package init(_ sections: [Section]) {
        missing = sections.sorted { $0.section.offset < $1.section.offset }[...]
    }

    /// The position of the next byte to arrive.
    package var position: UInt64 { start + UInt64(bytes.count) }
    /// True if all requested bytes have arrived.
    package var isRequestComplete: Bool { position >= end }

    /// Returns the part of the file to request next; nil if nothing is missing.
    /// - Parameter limit: Length in bytes. A longer section is requested as a whole.
    package mutating func request(limit: UInt64) -> FileSection? {
        guard let first = missing.first else { return nil }
        if bytes.isEmpty { start = first.section.offset }
        end = first.section.end
        for next in missing.dropFirst() {
            guard max(end, next.section.end) - position <= limit else { break }
            end = max(end, next.section.end)
        }
        return FileSection(position..<max(end, position))
    }

    /// Adds bytes that arrived.
    /// - Returns: The sections that are now complete, with their bytes.
    package mutating func add(_ piece: [UInt8]) -> [(item: Item, bytes: [UInt8])] {
        bytes += piece.prefix(Int(clamping: end - min(position, end)))
        let held = FileSection(start..<position)
        var complete: [(item: Item, bytes: [UInt8])] = []
        while let (item, section) = missing.first, let part = section.bytes(in: bytes, of: held) {
            complete.append((item, Array(part)))
            missing.removeFirst()
        }
        let needed = min(missing.first?.section.offset ?? held.end, held.end)
        if needed > start {
            bytes.removeFirst(Int(needed - start))
            start = needed
        }
        return complete
    }

    /// Drops the bytes of an incomplete section, which must not be joined with those of another response.
    package mutating func dropIncomplete() { bytes = [] }
}
