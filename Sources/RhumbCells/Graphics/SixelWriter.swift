internal import RhumbBase

/// Writes images as sixel graphics (DEC STD 070): bands of six rows, with a bit for each pixel of a colour.
public enum SixelWriter {
    /// Returns the control string of an image. Each colour is a percentage, so that there are 101 levels.
    public static func bytes(_ image: IndexedImage) -> [UInt8] {
        var bytes = Array("\u{1B}P0;1;0q\"1;1;\(image.width);\(image.height)".utf8)
        for (index, colour) in image.palette.enumerated() {
            let shares = [colour.red, colour.green, colour.blue].map { (Int($0) * 100 + 127) / 255 }
            bytes += "#\(index);2;\(shares[0]);\(shares[1]);\(shares[2])".utf8
        }
        var masks = [UInt8](repeating: 0, count: 256 * image.width)
        for top in stride(from: 0, to: image.height, by: 6) { band(image, top, &masks, &bytes) }
        return bytes + "\u{1B}\\".utf8
    }

    /// - Parameter masks: The bits of each colour and column, all 0 before and after.
    private static func band(
        _ image: IndexedImage, _ top: Int, _ masks: inout [UInt8], _ bytes: inout [UInt8]
    ) {
        let width = image.width
        var isUsed = [Bool](repeating: false, count: 256)
        for row in top..<min(top + 6, image.height) {
            let bit: UInt8 = 1 << UInt8(row - top)
            for column in 0..<width {
                let index = Int(image.pixels[row * width + column])
                masks[index * width + column] |= bit
                isUsed[index] = true
            }
        }
        var isFirst = true
        for index in isUsed.indices where isUsed[index] {
            if !isFirst { bytes.append(UInt8(ascii: "$")) }
            isFirst = false
            bytes += "#\(index)".utf8
            line(&masks, index * width..<(index + 1) * width, &bytes)
        }
        bytes.append(UInt8(ascii: "-"))
    }

    /// Writes a colour's bits in runs, without those at the end that are 0, and clears them.
    private static func line(_ masks: inout [UInt8], _ range: Range<Int>, _ bytes: inout [UInt8]) {
        var at = range.lowerBound
        while at < range.upperBound {
            let mask = masks[at]
            var end = at
            while end < range.upperBound, masks[end] == mask {
                masks[end] = 0
                end += 1
            }
            if mask == 0, end == range.upperBound { return }
            let character = 63 + mask, count = end - at
            if count > 3 {
                bytes += "!\(count)".utf8
                bytes.append(character)
            } else {
                for _ in 0..<count { bytes.append(character) }
            }
            at = end
        }
    }
}

/// The images of iTerm2: `OSC 1337 ; File=`.
public enum InlineImage {
    /// Returns the control string that shows an image file at the cursor in its own size.
    public static func bytes(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
        let size = "size=\(file.count);width=\(width)px;height=\(height)px"
        let start = "\u{1B}]1337;File=inline=1;\(size);preserveAspectRatio=0;doNotMoveCursor=1:"
        return Array(start.utf8) + Base64.bytes(file) + [0x07]
    }
}
