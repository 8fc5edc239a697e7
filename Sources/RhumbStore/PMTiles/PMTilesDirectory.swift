internal import RhumbCore
internal import RhumbEngine

/// A PMTiles directory, which maps ranges of tile ids to bytes; ascending by id.
package struct PMTilesDirectory: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        /// The first tile id of the entry.
        package var id: UInt64
        /// The offset from the start of the tile data, or of the leaves if `run` is 0.
        package var offset: UInt64
        /// The number of bytes. An entry with none, which the format forbids, is a tile without content.
        package var length: UInt32
        /// The number of consecutive tiles that share the body; 0 if the entry points to a leaf directory.
        package var run: UInt32

        package init(id: UInt64, run: UInt32, length: UInt32, offset: UInt64) {
            self.id = id
            self.run = run
            self.length = length
            self.offset = offset
        }

        package var isLeaf: Bool { run == 0 }

        /// Returns the section of the entry's bytes; nil if it exceeds the enclosing section.
        func section(in section: FileSection) -> FileSection? {
            section.part(offset: offset, length: UInt64(length))
        }
    }

    package var entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// Returns the entry of an id, or of the leaf that may contain it; nil if there is none.
    package func entry(for id: UInt64) -> Entry? {
        let next = entries.partitioningIndex { $0.id > id }
        guard next > 0 else { return nil }
        let entry = entries[next - 1]
        return entry.isLeaf || id - entry.id < UInt64(entry.run) ? entry : nil
    }

    /// The first entry that can lead to a tile's body; nil if there is none.
    package var firstUsable: Entry? { entries.first { $0.length > 0 } }

    /// The maximum number of entries of a directory, at 24 bytes each.
    package static let entryLimit = 1 << 20

    /// Decodes an unpacked directory.
    /// - Throws: `Varints.Failure` naming the invalid entry.
    package init(decoding bytes: [UInt8]) throws(Varints.Failure) {
        var varints = Varints(bytes)
        let count = try varints.next("the number of entries")
        guard count <= UInt64(bytes.count / 4) else {
            throw Varints.Failure(description: "it claims \(count) entries in \(bytes.count) bytes")
        }
        guard count <= UInt64(PMTilesDirectory.entryLimit) else {
            throw Varints.Failure(
                description: "it has \(count) entries, over the limit of \(PMTilesDirectory.entryLimit)")
        }
        entries = Array(repeating: Entry(id: 0, run: 0, length: 0, offset: 0), count: Int(count))
        try readIDs(&varints)
        for index in entries.indices { entries[index].run = try varints.next32("run length", index) }
        for index in entries.indices {
            entries[index].length = try varints.next32("length", index)
        }
        try readOffsets(&varints)
        guard varints.isAtEnd else {
            throw Varints.Failure(description: "there is data after the last entry")
        }
    }

    private mutating func readIDs(_ varints: inout Varints) throws(Varints.Failure) {
        var id: UInt64 = 0
        for index in entries.indices {
            let delta = try varints.next("tile id")
            let (sum, isTooLarge) = id.addingReportingOverflow(delta)
            // A repeated id, which the format forbids, is readable like runs that overlap.
            guard !isTooLarge else {
                throw Varints.Failure(description: "entry \(index) has a tile id beyond 64 bits")
            }
            id = sum
            entries[index].id = id
        }
    }

    private mutating func readOffsets(_ varints: inout Varints) throws(Varints.Failure) {
        for index in entries.indices {
            let value = try varints.next("offset")
            if value > 0 {
                entries[index].offset = value - 1
            } else {
                guard index > 0 else { throw Varints.Failure(description: "the first entry has no offset") }
                let before = entries[index - 1]
                let (sum, isTooLarge) = before.offset.addingReportingOverflow(UInt64(before.length))
                guard !isTooLarge else {
                    throw Varints.Failure(description: "entry \(index) has an offset beyond 64 bits")
                }
                entries[index].offset = sum
            }
        }
    }

    /// The encoded directory before compression.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(varint: UInt64(entries.count))
        var id: UInt64 = 0
        for entry in entries {
            bytes.append(varint: entry.id &- id)
            id = entry.id
        }
        for entry in entries { bytes.append(varint: UInt64(entry.run)) }
        for entry in entries { bytes.append(varint: UInt64(entry.length)) }
        var end: UInt64?
        for entry in entries {
            bytes.append(varint: entry.offset == end ? 0 : entry.offset + 1)
            end = entry.offset + UInt64(entry.length)
        }
        return bytes
    }
}

/// Iterates over all tile entries of an archive, reading each leaf directory once. Iteration always ends:
/// nested leaves, and more entries than a file of that size can have, are reported as faults.
struct PMTilesEntries: Sequence, IteratorProtocol {
    enum Element {
        case tiles(PMTilesDirectory.Entry)
        /// An entry that points to a leaf, and the first id of that leaf. The entries of the leaf follow.
        case leaf(PMTilesDirectory.Entry, first: UInt64?)
        /// A fault of a directory. Iteration continues if possible.
        case fault(String)
    }

    /// The minimum number of entries to read, for small files.
    private static let leastBudget = 1 << 20
    /// The maximum number of entries for each byte of a file. An entry takes at least four bytes of a
    /// directory, which gzip packs by a factor of up to 1032 if few bodies are shared in a regular pattern.
    private static let mostPerByte: UInt64 = 258

    private let file: PMTilesFile
    /// The directory being read, and the index of its next entry.
    private var directory: PMTilesDirectory
    private var at = 0
    /// The directories above it.
    private var stack: [(directory: PMTilesDirectory, at: Int)] = []
    private var visited: Set<UInt64> = []
    private var leafBytes: UInt64 = 0
    private var entriesLeft: UInt64

    init(_ file: PMTilesFile) {
        self.file = file
        directory = file.root
        let (most, overflows) = file.bytes.size.multipliedReportingOverflow(by: Self.mostPerByte)
        entriesLeft = overflows ? .max : Swift.max(UInt64(PMTilesEntries.leastBudget), most)
    }

    mutating func next() -> Element? {
        while at == directory.entries.count {
            guard let upper = stack.popLast() else { return nil }
            (directory, at) = upper
        }
        guard entriesLeft > 0 else { return end("more entries than a file of this size can have") }
        entriesLeft -= 1
        let entry = directory.entries[at]
        at += 1
        return entry.isLeaf ? enter(entry) : .tiles(entry)
    }

    private mutating func enter(_ entry: PMTilesDirectory.Entry) -> Element {
        guard stack.count + 1 < PMTilesIndex.deepest, visited.insert(entry.offset).inserted else {
            return .fault("the leaf at \(entry.offset) is nested too deep or used twice")
        }
        leafBytes += UInt64(entry.length)
        guard leafBytes <= file.header.leaves.length else { return end("the leaves overlap") }
        do throws(TileFailure) {
            let leaf = try file.readLeaf(entry)
            stack.append((directory, at))
            directory = leaf
            at = 0
            return .leaf(entry, first: leaf.entries.first?.id)
        } catch {
            return .fault(error.message)
        }
    }

    private mutating func end(_ fault: String) -> Element {
        stack = []
        at = directory.entries.count
        return .fault("\(fault); the rest was not checked")
    }
}
