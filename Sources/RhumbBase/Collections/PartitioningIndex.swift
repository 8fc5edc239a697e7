extension RandomAccessCollection {
    /// Where the elements begin that belong to the second part of a collection in two parts; `endIndex` where
    /// none does. Some log₂ of their number are looked at.
    /// - Parameter belongs: whether an element is in the second part: true for all after one for which it is.
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
