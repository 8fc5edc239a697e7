extension Sequence {
    /// Returns the first result of the closure that isn't nil; nil if there is none.
    ///
    /// `lazy.compactMap(transform).first` calls the closure again for the element that it finds, and ends the
    /// program if the second result is nil, as when a file can't be read any more.
    @inlinable
    package func firstNonNil<Result, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        for element in self {
            if let result = try transform(element) { return result }
        }
        return nil
    }
}
