/// A section of a file, as declared by untrusted data. Ends beyond 2^63 − 1 are clamped, so that arithmetic
/// doesn't overflow; no file is that large.
package struct FileSection: Hashable, Sendable {
    package let offset: UInt64
    /// The offset of the first byte after the section.
    package let end: UInt64

    /// The offset to which sections are clamped.
    package static let farthest = UInt64(Int64.max)

    package init(offset: UInt64 = 0, length: UInt64 = 0) {
        self.offset = min(offset, FileSection.farthest)
        let (end, isTooFar) = offset.addingReportingOverflow(length)
        self.end = isTooFar ? FileSection.farthest : min(end, FileSection.farthest)
    }

    /// Creates a section from a range.
    package init(_ range: Range<UInt64>) {
        self.init(offset: range.lowerBound, length: range.upperBound - range.lowerBound)
    }

    package var length: UInt64 { end - offset }

    /// True if the declared section isn't empty, even if it was clamped.
    package var claimsBytes: Bool { length > 0 || end == FileSection.farthest }

    /// Returns true if the section fits in a file of a size in bytes; nil for any possible file.
    package func fits(size: UInt64?) -> Bool { end <= size ?? FileSection.farthest - 1 }

    /// Returns the part at an offset relative to the section; nil if it exceeds the section.
    package func part(offset: UInt64, length: UInt64) -> FileSection? {
        guard length <= self.length, offset <= self.length - length else { return nil }
        return FileSection(offset: self.offset + offset, length: length)
    }

    /// Returns this section's bytes from those of an enclosing section; nil if it isn't enclosed or bytes are
    /// missing.
    package func bytes(in whole: [UInt8], of section: FileSection) -> ArraySlice<UInt8>? {
        guard offset >= section.offset, end - section.offset <= UInt64(whole.count) else { return nil }
        return whole[Int(offset - section.offset)..<Int(end - section.offset)]
    }

    /// Returns items in the order of their sections, in groups to read together, each with the section that
    /// covers it.
    /// - Parameters:
    ///   - gap: The maximum number of unneeded bytes between two sections of a group.
    ///   - limit: The maximum length of a group in bytes, unless a single section is longer.
    package static func groups<Item>(
        of items: [Item], gap: UInt64 = 64 << 10, limit: UInt64 = 4 << 20, by section: (Item) -> FileSection
    ) -> [(section: FileSection, items: [Item])] {
        var groups: [(section: FileSection, items: [Item])] = []
        for item in items.sorted(by: { section($0).offset < section($1).offset }) {
            let next = section(item)
            if let last = groups.last?.section, next.offset <= last.end + gap,
                max(next.end, last.end) - last.offset <= limit || next.end <= last.end
            {
                groups[groups.count - 1].section = FileSection(last.offset..<max(next.end, last.end))
                groups[groups.count - 1].items.append(item)
            } else {
                groups.append((next, [item]))
            }
        }
        return groups
    }
}
