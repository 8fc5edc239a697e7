import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Decoding JPEG` {
    private let decoder = SniffingDecoder()

    @Test(arguments: [Gradient.jpeg, Gradient.progressiveJPEG])
    func `baseline and progressive files decode to the picture`(bytes: [UInt8]) throws {
        let raster = try decoder.decode(bytes, limits: .tile)
        expect(raster, side: 16, within: 24, row: gradientRow)
        #expect(raster.isOpaque)
    }

    @Test func `a grey file has equal red, green and blue`() throws {
        let raster = try decoder.decode(Gradient.greyJPEG, limits: .tile)
        expect(raster, side: 16, within: 3) { y in
            let grey = 54 - y * 35 / 15
            return [grey, grey, grey, 255]
        }
    }

    @Test func `the inks of CMYK are mixed`() throws {
        let raster = try decoder.decode(Gradient.cmykJPEG, limits: .tile)
        expect(raster, side: 16, within: 32, row: gradientRow)
        #expect(raster.isOpaque)
    }

    @Test func `a large file with many scans is rejected before they are decoded`() throws {
        var bytes = Gradient.progressiveJPEG
        let frame = try #require(
            bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x10, 0, 0x10, 0])
        let scan = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        let last = Array(bytes[scan..<bytes.count - 2])
        bytes = bytes.prefix(scan) + (0..<90).flatMap { _ in last } + [0xFF, 0xD9]
        let reason = "99 scans are too many for its size"
        #expect(throws: ImageFailure.corrupt(kind: "JPEG", reason: reason)) {
            try decoder.decode(bytes, limits: .tile)
        }
        #expect(throws: ImageFailure.corrupt(kind: "JPEG", reason: reason)) {
            try ImageHeader(ofWhole: bytes, limits: .tile)
        }
    }

    @Test func `a picture that needs too much memory is rejected before any is allocated`() throws {
        let limits = ImageLimits(side: 4096, bytes: 1000, memory: 16 * 16 * 9)
        _ = try decoder.decode(Gradient.jpeg, limits: limits)
        #expect(throws: ImageFailure.tooMuchMemory(width: 16, height: 16, limit: limits.memory)) {
            try decoder.decode(Gradient.progressiveJPEG, limits: limits)
        }
    }

    @Test(arguments: [Gradient.jpeg, Gradient.progressiveJPEG, Gradient.greyJPEG])
    func `a file truncated anywhere is rejected`(whole: [UInt8]) {
        for count in whole.indices {
            #expect(throws: ImageFailure.self, "cut after \(count) bytes") {
                try decoder.decode(Array(whole.prefix(count)), limits: .tile)
            }
        }
    }

    @Test func `a file without its end is damaged, in TurboJPEG's words`() {
        #expect(
            throws: ImageFailure.corrupt(kind: "JPEG", reason: "Premature end of JPEG file")
        ) {
            try decoder.decode(Gradient.jpeg.dropLast(2), limits: .tile)
        }
    }

    @Test func `a header with too many pixels is rejected before memory is allocated`() throws {
        var bytes = Gradient.jpeg
        let frame = try #require(
            bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        // After the marker: length (2), precision (1), height (2), width (2).
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xEA, 0x60, 0xEA, 0x60])
        #expect(throws: ImageFailure.tooLarge(width: 60000, height: 60000, limit: 4096)) {
            try decoder.decode(bytes, limits: .tile)
        }
    }

    @Test func `a progressive file with hundreds of scans is rejected`() throws {
        let whole = Gradient.progressiveJPEG
        let scan = try #require(
            whole.indices.dropLast().last { at in
                whole[at] == 0xFF && whole[at + 1] == 0xDA
            })
        let last = Array(whole[scan..<whole.count - 2])
        func file(scans: Int) -> [UInt8] {
            whole.prefix(scan) + (0..<scans).flatMap { _ in last } + [0xFF, 0xD9]
        }
        let tooMany = "Progressive JPEG image has more than 500 scans"
        #expect(throws: ImageFailure.corrupt(kind: "JPEG", reason: tooMany)) {
            try decoder.decode(file(scans: 600), limits: .tile)
        }
    }

    @Test func `a file with an unusual sampling of colours is read`() throws {
        // The brightness has 4 × 2 samples for two of one colour and one of another.
        let text =
            "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoK"
            + "CgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK"
            + "CgoKCgoKCgr/wAARCAAQABADAUIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAUH/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/E"
            + "ABQBAQAAAAAAAAAAAAAAAAAAAAb/xAAaEQACAgMAAAAAAAAAAAAAAAAAGGWjpOPk/9oADAMBAAIRAxEAPwDDwFQAmWGWo3DJ2IHK"
            + "5j//2Q=="
        let raster = try decoder.decode(try #require(Base64.decoded(text)), limits: .tile)
        #expect(raster.width == 16 && raster.height == 16 && raster.isOpaque)
        for (row, colour) in [(3, [202, 60, 40]), (12, [38, 121, 201])] {
            for channel in 0..<3 {
                let value = Int(raster.pixels[(row * 16 + 3) * 4 + channel])
                #expect(abs(value - colour[channel]) <= 3, "\(row) \(channel): \(value)")
            }
        }
    }

    @Test func `kinds of JPEG that can't be read are not reported as damage`() throws {
        let whole = Gradient.jpeg
        let frame = try #require(whole.indices.first { whole[$0...].starts(with: [0xFF, 0xC0]) })
        for (offset, value) in [(1, UInt8(0xC3)), (4, 12)] {
            var bytes = whole
            bytes[frame + offset] = value
            let failure = #expect(throws: ImageFailure.self) { try decoder.decode(bytes, limits: .tile) }
            #expect("\(failure.map(String.init(describing:)) ?? "")".contains("the image format is"))
        }
    }
}
