internal import RhumbCore
internal import RhumbEngine

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
