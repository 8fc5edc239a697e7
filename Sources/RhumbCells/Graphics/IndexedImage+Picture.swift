extension IndexedImage {
    /// Creates an image from an opaque picture, with one pixel for each sub-cell.
    public init(_ picture: Picture) {
        let hues = picture.pixels.map { pixel in
            let whole = SIMD4<UInt32>(
                (pixel + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
            return whole.x << 16 | whole.y << 8 | whole.z
        }
        self.init(width: picture.width, height: picture.height, hues: hues)
    }
}
