internal import RhumbBase

/// Google's encoded polyline format: differences of degrees in groups of five bits.
public enum Polyline {
    /// The reason why a text is not a polyline.
    public enum Failure: String, Error, Sendable {
        /// The text ends within a number, or between a latitude and its longitude.
        case cutOff = "truncated"
        case letter = "invalid character"
        /// A number is too large, or a position is not on Earth.
        case outOfRange = "coordinates out of range; the precision may be wrong"
        case tooLong = "too many points"
    }

    /// The maximum number of points in a line.
    public static let pointLimit = 1_000_000

    /// Decodes a polyline.
    /// - Parameter precision: Decimals of a degree: 5 for OSRM's `polyline`, 6 for `polyline6` and
    ///   Valhalla's.
    /// - Throws: `Failure`, without partial results.
    public static func places(_ text: some Sequence<UInt8>, precision: Int) throws(Failure) -> [Coordinate] {
        var line: [Coordinate] = []
        try append(text, precision: precision, to: &line)
        return line
    }

    /// Appends the positions of a polyline to a line, skipping positions equal to the previous one.
    package static func append(
        _ text: some Sequence<UInt8>, precision: Int, to line: inout [Coordinate]
    ) throws(Failure) {
        let scale = Double.tens(precision)
        var latitude = 0, longitude = 0, value = 0, shift = 0, isLatitude = true
        for byte in text {
            guard (63...127).contains(byte) else { throw .letter }
            let group = Int(byte) - 63
            guard shift < 60 else { throw .outOfRange }
            value |= (group & 0x1F) << shift
            shift += 5
            if group & 0x20 != 0 { continue }
            let step = value & 1 != 0 ? ~(value >> 1) : value >> 1
            value = 0
            shift = 0
            if isLatitude {
                latitude &+= step
            } else {
                longitude &+= step
                try take(Double(latitude) / scale, Double(longitude) / scale, &line)
            }
            isLatitude.toggle()
        }
        guard shift == 0, isLatitude else { throw .cutOff }
    }

    @inline(__always)
    static func take(_ latitude: Double, _ longitude: Double, _ line: inout [Coordinate]) throws(Failure) {
        guard abs(latitude) <= 90, abs(longitude) <= 360 else { throw .outOfRange }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        guard place != line.last else { return }
        guard line.count < pointLimit else { throw .tooLong }
        line.append(place)
    }

    /// Encodes a polyline; the inverse of `places(_:precision:)` except for rounding.
    public static func text(_ line: [Coordinate], precision: Int) -> String {
        let scale = Double.tens(precision)
        var bytes: [UInt8] = [], before = (0, 0)
        for place in line {
            let now = (Int((place.latitude * scale).rounded()), Int((place.longitude * scale).rounded()))
            write(now.0 - before.0, &bytes)
            write(now.1 - before.1, &bytes)
            before = now
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ step: Int, _ bytes: inout [UInt8]) {
        var value = step < 0 ? ~(step << 1) : step << 1
        while value >= 0x20 {
            bytes.append(UInt8(0x20 | value & 0x1F) + 63)
            value >>= 5
        }
        bytes.append(UInt8(value) + 63)
    }
}

/// HERE's flexible polyline format, whose header contains the precision, optionally with heights.
public enum FlexiblePolyline {
    /// Decodes a polyline.
    /// - Throws: `Polyline.Failure`, without partial results.
    public static func places(_ text: some Sequence<UInt8>) throws(Polyline.Failure) -> [Coordinate] {
        try line(text).places
    }

    /// Decodes a polyline with its heights, one for each position or none.
    /// - Throws: `Polyline.Failure`, without partial results.
    package static func line(
        _ text: some Sequence<UInt8>
    ) throws(Polyline.Failure) -> (places: [Coordinate], heights: [Float]) {
        var numbers = Numbers(text)
        guard let version = try numbers.next() else { throw .cutOff }
        guard version == 1 else { throw .letter }
        guard let header = try numbers.next() else { throw .cutOff }
        let scale = Double.tens(Int(header & 15)), third = header >> 4 & 7,
            heightScale = Double.tens(Int(header >> 7 & 15))
        var latitude = 0, longitude = 0, height = 0
        var line: [Coordinate] = [], heights: [Float] = []
        while let first = try numbers.next() {
            guard let second = try numbers.next() else { throw .cutOff }
            latitude &+= signed(first)
            longitude &+= signed(second)
            if third != 0 {
                guard let more = try numbers.next() else { throw .cutOff }
                height &+= signed(more)
            }
            try Polyline.take(Double(latitude) / scale, Double(longitude) / scale, &line)
            // Types 2 and 3 are altitudes and elevations; the others, such as levels, aren't heights.
            if third == 2 || third == 3, heights.count < line.count {
                heights.append(Float(Double(height) / heightScale))
            }
        }
        return (line, heights)
    }

    private static func signed(_ value: UInt64) -> Int {
        let half = Int(value >> 1)
        return value & 1 != 0 ? ~half : half
    }

    private struct Numbers<Bytes: Sequence<UInt8>> {
        private var bytes: Bytes.Iterator

        init(_ bytes: Bytes) { self.bytes = bytes.makeIterator() }

        /// Returns the next number; nil at the end.
        mutating func next() throws(Polyline.Failure) -> UInt64? {
            var value: UInt64 = 0, shift: UInt64 = 0
            while let byte = bytes.next() {
                guard let group = FlexiblePolyline.value(of: byte) else { throw .letter }
                guard shift < 60 else { throw .outOfRange }
                value |= UInt64(group & 0x1F) << shift
                shift += 5
                if group & 0x20 == 0 { return value }
            }
            if shift > 0 { throw .cutOff }
            return nil
        }
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 65...90: byte - 65
        case 97...122: byte - 71
        case 48...57: byte + 4
        case 45: 62
        case 95: 63
        default: nil
        }
    }
}
