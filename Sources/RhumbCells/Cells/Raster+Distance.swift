extension Raster {
    /// Returns the mean distance of the colours in OKLab, 0…1. 1 is the distance of black and white.
    /// Transparent parts count as white.
    /// - Returns: nil if the pictures have different sizes.
    public func meanDistance(to other: Raster) -> Double? {
        guard width == other.width, height == other.height else { return nil }
        let own = pixels, its = other.pixels
        var sum = 0.0
        for at in stride(from: 0, to: own.count, by: 4) where own[at..<at + 4] != its[at..<at + 4] {
            let distance = Raster.colour(own, at).squaredDistance(to: Raster.colour(its, at))
            sum += Double(distance.squareRoot())
        }
        return sum / Double(width * height)
    }

    private static func colour(_ pixels: [UInt8], _ at: Int) -> OKLab {
        let alpha = Float(pixels[at + 3]) / 255
        func channel(_ offset: Int) -> Float { Float(pixels[at + offset]) * alpha + 255 * (1 - alpha) }
        return OKLab(red: channel(0), green: channel(1), blue: channel(2))
    }
}
