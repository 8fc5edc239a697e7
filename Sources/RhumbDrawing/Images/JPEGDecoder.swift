internal import CTurboJPEG
internal import RhumbCore

/// Decodes JPEG (ITU-T T.81) with TurboJPEG: baseline and progressive, colour, grey and CMYK. CMYK is
/// converted as if the inks were perfect.
enum JPEGDecoder {
    /// Maximum number of pixels to scan, counted once per scan. Takes about a second.
    private static let scannedPixels = 1 << 30

    static func header(of bytes: [UInt8]) throws(ImageFailure) -> ImageHeader {
        try header(of: bytes, by: TurboJPEG()).header
    }

    /// Returns the size of the decoded pixels in bytes. A progressive file needs additional memory, two bytes
    /// for each of at most three colours, and one pass per scan.
    static func byteCount(
        _ header: ImageHeader, _ markers: JPEGMarkers, within limits: ImageLimits
    ) throws(ImageFailure) -> Int {
        let count = try header.byteCount(within: limits, decodingWeight: markers.isProgressive ? 10 : 4)
        guard markers.scans <= max(scannedPixels / max(count / 4, 1), 1) else {
            throw TurboJPEG.damaged("\(markers.scans) scans are too many for its size")
        }
        return count
    }

    static func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster {
        let turbo = try TurboJPEG()
        let (header, isCMYK) = try header(of: bytes, by: turbo)
        let markers = JPEGMarkers(bytes)
        let count = try byteCount(header, markers, within: limits)
        var code: Int32 = -1
        var pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            code = turbo.decompress(
                bytes, header, as: isCMYK ? TJPF_CMYK : TJPF_RGBA, into: buffer.baseAddress)
            filled = code == 0 ? count : 0
        }
        // Warnings count as damage, because TurboJPEG reports truncated files as warnings.
        guard code == 0 else { throw turbo.failure() }
        if isCMYK { mixInks(&pixels, isInverted: markers.isAdobe) }
        return try header.raster(of: pixels)
    }

    /// Converts cyan, magenta, yellow and black to red, green, blue and alpha.
    private static func mixInks(_ pixels: inout [UInt8], isInverted: Bool) {
        let flip: UInt8 = isInverted ? 0 : 255
        pixels.withUnsafeMutableBufferPointer { pixels in
            for at in stride(from: 0, to: pixels.count, by: 4) {
                let light = UInt16(pixels[at + 3] ^ flip)
                for channel in at..<at + 3 {
                    pixels[channel] = UInt8((UInt16(pixels[channel] ^ flip) * light + 127) / 255)
                }
                pixels[at + 3] = 255
            }
        }
    }

    private static func header(
        of bytes: [UInt8], by turbo: borrowing TurboJPEG
    ) throws(ImageFailure) -> (header: ImageHeader, isCMYK: Bool) {
        var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let code = tjDecompressHeader3(
            turbo.handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &space)
        // TurboJPEG has no name for unusual samplings of colours and reports them as an error, although it
        // has read the header and decodes the file.
        let hasUnusualSampling = subsampling < 0 && width > 0 && height > 0 && space >= 0
        guard code == 0 || hasUnusualSampling else { throw turbo.failure() }
        // TurboJPEG accepts a file with tables only, as an image of size 0×0.
        guard width > 0 && height > 0 else { throw TurboJPEG.damaged("no image in the file") }
        let isCMYK = space == TJCS_CMYK.rawValue || space == TJCS_YCCK.rawValue
        return (ImageHeader(kind: .jpeg, width: Int(width), height: Int(height)), isCMYK)
    }
}

/// Owns a TurboJPEG decompressor.
private struct TurboJPEG: ~Copyable {
    let handle: tjhandle

    init() throws(ImageFailure) {
        guard let handle = tjInitDecompress() else { throw Self.failure(of: nil) }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Decodes the pixels. Rejects more than 500 scans, because a small progressive file could otherwise take
    /// minutes.
    func decompress(
        _ bytes: [UInt8], _ header: ImageHeader, as format: TJPF, into pixels: UnsafeMutablePointer<UInt8>?
    ) -> Int32 {
        tjDecompress2(
            handle, bytes, UInt(bytes.count), pixels, Int32(clamping: header.width), 0,
            Int32(clamping: header.height), Int32(format.rawValue), TJFLAG_LIMITSCANS)
    }

    func failure() -> ImageFailure { Self.failure(of: handle) }

    private static func failure(of handle: tjhandle?) -> ImageFailure {
        let text = tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no reason given"
        if text.contains("data precision") {
            return .unsupported(kind: "JPEG with more than 8 bits a colour")
        }
        if text.contains("SOF type") { return .unsupported(kind: "lossless or hierarchical JPEG") }
        return damaged(SafeText.sanitised(text))
    }

    static func damaged(_ reason: String) -> ImageFailure {
        .corrupt(kind: ImageKind.jpeg.rawValue, reason: reason)
    }
}

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
