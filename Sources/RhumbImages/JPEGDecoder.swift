internal import CTurboJPEG
internal import RhumbCore

/// JPEG (ITU-T T.81) through TurboJPEG: baseline and progressive, colour and grey.
enum JPEGDecoder {
    /// CMYK needs a printer's colour profile to look right; it is refused by this name.
    private static let printKind = "CMYK JPEG"

    static func header(of bytes: [UInt8]) throws(ImageFailure) -> ImageHeader {
        try header(of: bytes, by: TurboJPEG())
    }

    static func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster {
        let turbo = try TurboJPEG()
        let header = try header(of: bytes, by: turbo)
        let count = try header.byteCount(within: limits)
        var code: Int32 = -1
        let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            code = turbo.decompress(bytes, header, into: buffer.baseAddress)
            filled = code == 0 ? count : 0
        }
        // Warnings count as damage: that is how TurboJPEG reports a file cut short.
        guard code == 0 else { throw turbo.failure() }
        return try header.raster(of: pixels)
    }

    private static func header(
        of bytes: [UInt8], by turbo: borrowing TurboJPEG
    ) throws(ImageFailure) -> ImageHeader {
        var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let code = tjDecompressHeader3(
            turbo.handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &space)
        guard code == 0 else { throw turbo.failure() }
        guard space != TJCS_CMYK.rawValue && space != TJCS_YCCK.rawValue else {
            throw .unsupported(kind: printKind)
        }
        // TurboJPEG lets a file of tables alone pass as 0×0.
        guard width > 0 && height > 0 else { throw TurboJPEG.damaged("there is no picture in it") }
        return ImageHeader(kind: .jpeg, width: Int(width), height: Int(height))
    }
}

/// Owns one TurboJPEG decompressor.
private struct TurboJPEG: ~Copyable {
    let handle: tjhandle

    init() throws(ImageFailure) {
        guard let handle = tjInitDecompress() else { throw Self.failure(of: nil) }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Refuses more than 500 scans: a small progressive file can otherwise take minutes.
    func decompress(
        _ bytes: [UInt8], _ header: ImageHeader, into pixels: UnsafeMutablePointer<UInt8>?
    ) -> Int32 {
        tjDecompress2(
            handle, bytes, UInt(bytes.count), pixels, Int32(clamping: header.width), 0,
            Int32(clamping: header.height), Int32(TJPF_RGBA.rawValue), TJFLAG_LIMITSCANS)
    }

    func failure() -> ImageFailure { Self.failure(of: handle) }

    private static func failure(of handle: tjhandle?) -> ImageFailure {
        let text = tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no reason given"
        return damaged(SafeText.sanitised(text))
    }

    static func damaged(_ reason: String) -> ImageFailure {
        .corrupt(kind: ImageKind.jpeg.rawValue, reason: reason)
    }
}
