extension Raster {
    /// Returns the picture over a background of one colour, opaque.
    public func flattened(over background: RGB) -> Raster {
        guard !isOpaque else { return self }
        let behind = [Int(background.red), Int(background.green), Int(background.blue)]
        var flat = pixels
        for at in stride(from: 0, to: flat.count, by: 4) {
            let alpha = Int(flat[at + 3])
            guard alpha != 255 else { continue }
            for channel in 0..<3 {
                let mixed = Int(flat[at + channel]) * alpha + behind[channel] * (255 - alpha)
                flat[at + channel] = UInt8((mixed + 127) / 255)
            }
            flat[at + 3] = 255
        }
        return Raster(width: width, height: height, pixels: flat) ?? self
    }
}
