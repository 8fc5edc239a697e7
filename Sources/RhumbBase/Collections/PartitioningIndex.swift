extension RandomAccessCollection {
    /// Returns the start of the second part of a partitioned collection; `endIndex` if it is empty. It
    /// examines log₂ of the elements.
    /// - Parameter belongs: Returns true for elements of the second part, which all follow those of the
    ///   first.
    @inlinable
    public func partitioningIndex(where belongs: (Element) -> Bool) -> Index {
        var low = startIndex, length = count
        while length > 0 {
            let half = length / 2, middle = index(low, offsetBy: half)
            if belongs(self[middle]) {
                length = half
            } else {
                low = index(after: middle)
                length -= half + 1
            }
        }
        return low
    }
}
