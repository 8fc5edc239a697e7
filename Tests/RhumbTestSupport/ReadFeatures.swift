package import RhumbCore

/// The features read from a text that arrives in pieces.
package struct ReadFeatures {
    package let features: [OverlayFeature]
    package let reader: FeatureReader

    /// - Parameter pieces: The number of bytes per piece.
    package init(_ text: String, pieces: Int = .max, isLive: Bool = false) {
        self.init(Array(text.utf8), pieces: pieces, isLive: isLive)
    }

    package init(_ bytes: [UInt8], pieces: Int = .max, isLive: Bool = false) {
        var reader = FeatureReader(isLive: isLive), start = 0
        while start < bytes.count {
            let end = start + min(pieces, bytes.count - start)
            reader.read(bytes[start..<end])
            start = end
        }
        reader.finish()
        features = reader.takeFeatures()
        self.reader = reader
    }

    package var names: [String] { features.map(\.name) }
    package var places: [Coordinate] { features.map(\.coordinate) }
    package var faults: [String] { reader.faults.first.map { "\($0)" } }
}
