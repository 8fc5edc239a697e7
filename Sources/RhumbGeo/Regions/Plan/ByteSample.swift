internal import RhumbBase

/// The sizes of a source's tiles of one zoom.
public struct ByteSample: Hashable, Sendable {
    /// The number of examined tiles.
    public private(set) var count: Int
    private var sum: Double
    private var sumOfSquares: Double

    /// Creates a sample without tiles.
    public init() { self.init(count: 0, sum: 0, sumOfSquares: 0) }

    /// Creates a sample from the sums of the sizes in bytes and of their squares.
    public init(count: Int, sum: Double, sumOfSquares: Double) {
        self.count = max(count, 0)
        self.sum = sum
        self.sumOfSquares = sumOfSquares
    }

    /// Adds a tile's size.
    public mutating func add(_ bytes: Int) {
        count += 1
        sum += Double(bytes)
        sumOfSquares += Double(bytes) * Double(bytes)
    }

    /// The mean size in bytes; 0 without tiles.
    public var mean: Double { count > 0 ? sum / Double(count) : 0 }

    /// The standard deviation in bytes; 0 for fewer than two tiles.
    public var deviation: Double {
        count > 1 ? max(sumOfSquares - sum * mean, 0).squareRoot() / Double(count - 1).squareRoot() : 0
    }

    /// True if the sample predicts other sizes. A few absent tiles, such as those of the sea, don't.
    fileprivate var tells: Bool { sum > 0 || count >= 30 }
}

/// A number of bytes with a margin of error.
public struct ByteEstimate: Hashable, Sendable {
    /// The estimate, at most the largest Int.
    public var bytes: Int
    /// The margin in either direction.
    public var margin: Int

    /// Creates an estimate in bytes with its margin.
    public init(bytes: Int, margin: Int) {
        self.bytes = bytes
        self.margin = margin
    }

    /// Estimates the size of tiles from samples of their zoom, or of the nearest zoom. The margin should hold
    /// in 19 of 20 cases. It is at least 10 %, because the sampled tiles are not chosen at random.
    /// - Parameter usual: The size of one tile without samples.
    public init(
        tiles: Int, zoom: Int, samples: [Int: ByteSample], usual: ByteEstimate = .usualTile()
    ) {
        let known = samples.filter { $0.value.tells }
        let nearest = known.min { (abs($0.key - zoom), $0.key) < (abs($1.key - zoom), $1.key) }
        guard let (from, sample) = nearest else {
            self = usual.times(Double(tiles))
            return
        }
        let relative = sample.mean > 0 ? sample.deviation / sample.mean : 1
        let chance = 2 * relative * (1 / Double(sample.count) + 1 / Double(max(tiles, 1))).squareRoot()
        let few = sample.count < 30 ? 1 / Double(sample.count).squareRoot() : 0
        let foreign = from == zoom ? 0.1 : min(0.5 + 0.1 * Double(abs(from - zoom)), 1)
        self.init(Double(tiles) * sample.mean, share: min(max(chance, few, foreign), 1))
    }

    /// Returns the size of a tile of a source without samples. Pictures and vector tiles vary more than
    /// heights. A tile of heights with 256 pixels has 60 to 140 kB, whether Terrarium or terrain-RGB.
    /// - Parameter side: The width of pictures in pixels; 256 for vector tiles.
    public static func usualTile(side: Int = 256, isHeights: Bool = false) -> ByteEstimate {
        let area = Double(side) * Double(side) / 65_536
        return isHeights
            ? ByteEstimate(100_000 * area, share: 0.4) : ByteEstimate(15_000 * area, share: 1)
    }

    private init(_ bytes: Double, share: Double) {
        self.init(bytes: Int(clamping: bytes), margin: Int(clamping: bytes * share))
    }

    /// Returns a multiple of the estimate.
    /// - Parameter factor: At least 0.
    func times(_ factor: Double) -> ByteEstimate {
        if factor == 1 { return self }
        return ByteEstimate(
            bytes: Int(clamping: Double(bytes) * factor), margin: Int(clamping: Double(margin) * factor))
    }

    /// Adds two estimates. Margins are added, because all zooms share the same error.
    public static func + (a: ByteEstimate, b: ByteEstimate) -> ByteEstimate {
        ByteEstimate(bytes: a.bytes.saturatingAdd(b.bytes), margin: a.margin.saturatingAdd(b.margin))
    }

    /// The estimate as text: "12.3 MB ± 1.2 MB", or "12.3 MB" if it is exact.
    public var text: String {
        AmountText.bytes(bytes) + (margin == 0 ? "" : " ± \(AmountText.bytes(margin))")
    }
}
