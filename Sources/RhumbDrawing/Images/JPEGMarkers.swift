/// The information in the markers of a JPEG file (ITU-T T.81, annex B), without decoding.
struct JPEGMarkers {
    /// The number of scans; a progressive file has about ten.
    private(set) var scans = 0
    private(set) var isProgressive = false
    /// True if the file has Adobe's marker, which means inverted CMYK.
    private(set) var isAdobe = false
    /// True if the file has its end marker.
    private(set) var isWhole = false

    private enum Marker {
        static let start: UInt8 = 0xD8, end: UInt8 = 0xD9, scan: UInt8 = 0xDA, adobe: UInt8 = 0xEE
        static let progressiveFrames: Set<UInt8> = [0xC2, 0xC6, 0xCA, 0xCE]
        /// True for markers without a length, such as stuffed zeros and restarts.
        static func isBare(_ marker: UInt8) -> Bool { marker <= 0x01 || (0xD0...start).contains(marker) }
    }

    init(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            var at = 2
            while at + 1 < bytes.count, !isWhole {
                guard bytes[at] == 0xFF, bytes[at + 1] != 0xFF else {
                    at += 1
                    continue
                }
                let marker = bytes[at + 1]
                note(marker)
                at += 2
                guard !Marker.isBare(marker), at + 1 < bytes.count else { continue }
                at += max(Int(bytes[at]) << 8 | Int(bytes[at + 1]), 2)
            }
        }
    }

    private mutating func note(_ marker: UInt8) {
        if Marker.progressiveFrames.contains(marker) { isProgressive = true }
        switch marker {
        case Marker.scan: scans += 1
        case Marker.adobe: isAdobe = true
        case Marker.end: isWhole = true
        default: break
        }
    }
}
