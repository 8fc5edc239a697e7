extension FeatureReader {
    /// Returns true if the beginning of a file looks like features.
    /// - Parameter isNamedJSON: True if the file is named as JSON, which may also be a style or a TileJSON
    ///   document.
    public static func mayHold(_ head: [UInt8], isNamedJSON: Bool) -> Bool {
        head.withUnsafeBufferPointer { bytes in
            if FITReader.begins(bytes) { return true }
            guard let first = bytes.first(where: { $0 > 0x20 }) else { return false }
            let text = String(decoding: head, as: UTF8.self)
            switch first {
            case UInt8(ascii: "<"):
                return ["<gpx", "<kml", "<TrainingCenterDatabase"].contains(where: text.contains)
            case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E:
                let words = ["\"FeatureCollection\"", "\"Feature\"", "\"coordinates\"", "\"geometry\""]
                return words.contains(where: text.contains) && !text.contains("\"layers\"")
            case UInt8(ascii: "$"): return text.hasPrefix("$G")
            default:
                guard !isNamedJSON, let line = text.split(separator: "\n").first else { return false }
                var reader = FeatureReader()
                reader.read(Array((String(line) + "\n0,0\n").utf8))
                reader.finish()
                return reader.faults.count == 0 && !text.utf8.contains(0)
            }
        }
    }
}
