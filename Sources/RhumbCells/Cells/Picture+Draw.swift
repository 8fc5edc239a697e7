extension Picture {
    /// Adds a raster, averaged over the area of each sub-cell. Enlarged rasters are interpolated smoothly.
    ///
    /// Tiles of one layer must not overlap. They are added, so tiles that share an edge leave no seam.
    /// Transparent areas stay transparent.
    /// - Parameters:
    ///   - box: The target, in 65536ths of a cell from the picture's top left. It may extend outside the
    ///     picture. Beyond ±16384 cells or pixels nothing is drawn.
    ///   - part: The part of the raster to draw, in 65536ths of a pixel; all of it by default.
    ///   - strength: The share of this raster, 0…1, if two rasters are mixed. Multiples of 1/4 keep sums
    ///     exact.
    public mutating func draw(
        _ raster: Raster, at box: FixedPointRect, part: FixedPointRect? = nil, strength: Float = 1
    ) {
        let whole = FixedPointRect(x0: 0, y0: 0, x1: raster.width << 16, y1: raster.height << 16)
        let part = part ?? whole
        guard box.isUsable, part.isUsable, part.x0 >= 0, part.y0 >= 0, part.x1 <= whole.x1,
            part.y1 <= whole.y1
        else { return }
        let across = FilterTaps(
            cut: across, target: box.x0..<box.x1, source: part.x0..<part.x1,
            size: raster.width, limit: width)
        let down = FilterTaps(
            cut: down, target: box.y0..<box.y1, source: part.y0..<part.y1,
            size: raster.height, limit: height)
        guard across.count > 0, down.count > 0 else { return }
        add(raster, across: across, down: down, strength: strength)
    }

    /// Adds one row of sub-cells after another. Source rows are summed first, whole and in 16 bits (the
    /// weights of a row add up to at most 256), and then across.
    private mutating func add(_ raster: Raster, across: FilterTaps, down: FilterTaps, strength: Float) {
        let width = width, reach = across.reach
        let sums = UnsafeMutablePointer<SIMD4<UInt16>>.allocate(capacity: reach.count)
        defer { sums.deallocate() }
        pixels.withUnsafeMutableBufferPointer { target in
            guard let target = target.baseAddress else { return }
            for row in 0..<down.count {
                sums.update(repeating: .zero, count: reach.count)
                let taps = down.offsets[row]..<down.offsets[row + 1],
                    line = down.sources[row] - taps.lowerBound
                raster.withPixels { bytes in
                    guard let bytes = bytes.baseAddress else { return }
                    for tap in taps where down.weights[tap] > 0 {
                        let source = bytes + ((line + tap) * raster.width + reach.lowerBound) * 4
                        sums.withMemoryRebound(to: UInt16.self, capacity: reach.count * 4) { sums in
                            if raster.isOpaque {
                                addRow(source, times: down.weights[tap], to: sums, count: reach.count * 4)
                            } else {
                                addClearRow(source, times: down.weights[tap], to: sums, count: reach.count)
                            }
                        }
                    }
                } packed: { runs in
                    for tap in taps where down.weights[tap] > 0 {
                        runs.addRow(line + tap, reach, times: down.weights[tap], to: sums)
                    }
                    for at in 1..<max(reach.count, 1) { sums[at] &+= sums[at - 1] }
                }
                let index = target + (down.start + row) * width + across.start
                addAcross(sums, reach: reach, taps: across, strength: strength, to: index)
            }
        }
    }
}

private func addRow(
    _ source: UnsafePointer<UInt8>, times weight: UInt16, to sums: UnsafeMutablePointer<UInt16>,
    count: Int
) {
    for at in 0..<count { sums[at] &+= UInt16(source[at]) &* weight }
}

/// Adds a row of pixels with straight alpha. Their colours are first multiplied by it, rounded to the
/// nearest. Skips groups of four fully transparent pixels, which make up most of a layer of roads.
private func addClearRow(
    _ source: UnsafePointer<UInt8>, times weight: UInt16, to sums: UnsafeMutablePointer<UInt16>,
    count: Int
) {
    let alphas = SIMD4<UInt32>(repeating: UInt32(0xFF00_0000).littleEndian)
    let groups = UnsafeRawPointer(source)
    for start in stride(from: 0, to: count, by: 4) {
        let end = min(start + 4, count)
        if end == start + 4 {
            let pixels = groups.loadUnaligned(fromByteOffset: start * 4, as: SIMD4<UInt32>.self)
            if pixels & alphas == .zero { continue }
        }
        for at in stride(from: start * 4, to: end * 4, by: 4) {
            addClearPixel(source + at, times: weight, to: sums + at)
        }
    }
}

private func addClearPixel(
    _ source: UnsafePointer<UInt8>, times weight: UInt16, to sums: UnsafeMutablePointer<UInt16>
) {
    let alpha = UInt32(source[3])
    for channel in 0..<3 {
        let product = UInt32(source[channel]) &* alpha &+ 128
        sums[channel] &+= UInt16(truncatingIfNeeded: (product &+ product >> 8) >> 8) &* weight
    }
    sums[3] &+= UInt16(source[3]) &* weight
}

private func addAcross(
    _ sums: UnsafePointer<SIMD4<UInt16>>, reach: Range<Int>, taps: FilterTaps, strength: Float,
    to target: UnsafeMutablePointer<SIMD4<Float>>
) {
    taps.weights.withUnsafeBufferPointer { weights in
        var tap = 0
        for column in 0..<taps.count {
            let end = taps.offsets[column + 1]
            var at = taps.sources[column] - reach.lowerBound
            var sum = SIMD4<Float>.zero
            while tap < end {
                let value = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: sums[at]))
                sum += value * Float(weights[tap])
                at += 1
                tap += 1
            }
            target[column] += sum * (strength / 65536)
        }
    }
}
