/// A part of a file, as something claims it. Whatever was claimed, its end can be counted and a
/// little added to it: claims beyond 2^63 - 1 bytes are cut off there, where no file reaches.
package struct FileSection: Equatable, Sendable {
    package let offset: UInt64
    /// The first byte after it.
    package let end: UInt64

    /// The limit of claimed offsets.
    package static let farthest = UInt64(Int64.max)

    package init(offset: UInt64 = 0, length: UInt64 = 0) {
        self.offset = min(offset, FileSection.farthest)
        let (end, isTooFar) = offset.addingReportingOverflow(length)
        self.end = isTooFar ? FileSection.farthest : min(end, FileSection.farthest)
    }

    /// From one byte to before another, which lies not before it.
    package init(_ range: Range<UInt64>) {
        self.init(offset: range.lowerBound, length: range.upperBound - range.lowerBound)
    }

    package var length: UInt64 { end - offset }

    /// True if the section claims to have bytes, even beyond the limit.
    package var claimsBytes: Bool { length > 0 || end == FileSection.farthest }

    /// Returns true if the section lies within a file of that size; nil for a file of any size.
    package func fits(size: UInt64?) -> Bool { end <= size ?? FileSection.farthest - 1 }

    /// Returns the part of the section at an offset from its start; nil unless all of it is inside.
    package func part(offset: UInt64, length: UInt64) -> FileSection? {
        guard length <= self.length, offset <= self.length - length else { return nil }
        return FileSection(offset: self.offset + offset, length: length)
    }

    /// Returns the bytes of the section from those of a section around it; nil if it is not inside, or bytes
    /// are missing.
    package func bytes(in whole: [UInt8], of section: FileSection) -> ArraySlice<UInt8>? {
        guard offset >= section.offset, end - section.offset <= UInt64(whole.count) else { return nil }
        return whole[Int(offset - section.offset)..<Int(end - section.offset)]
    }
}
