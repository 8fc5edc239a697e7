internal import RhumbBase

/// The sizes of a source's tiles of one zoom.
public struct ByteSample: Hashable, Sendable {
    /// The number of examined tiles.
    public private(set) var count: Int
    private var sum: Double
    private var sumOfSquares: Double

    /// No tile yet.
    public init() { self.init(count: 0, sum: 0, sumOfSquares: 0) }

    /// Of the sums a database makes: of the sizes in bytes, and of their squares.
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

    /// True if it predicts other sizes: a few absent tiles, perhaps in the sea, do not.
    fileprivate var tells: Bool { sum > 0 || count >= 30 }
}

/// A number of bytes and how far off it may be.
public struct ByteEstimate: Hashable, Sendable {
    /// Saturated at the largest Int.
    public var bytes: Int
    /// Either way.
    public var margin: Int

    /// An estimate in bytes, with its margin.
    public init(bytes: Int, margin: Int) {
        self.bytes = bytes
        self.margin = margin
    }

    /// Estimates the size of tiles by those of their zoom, or else of the nearest zoom; without any, a
    /// default size whose margin is its whole. The margin is meant to hold in 19 of 20 cases, and is at least
    /// a tenth, because the examined tiles are no random sample.
    public init(tiles: Int, zoom: Int, samples: [Int: ByteSample]) {
        let known = samples.filter { $0.value.tells }
        let nearest = known.min { (abs($0.key - zoom), $0.key) < (abs($1.key - zoom), $1.key) }
        guard let (from, sample) = nearest else {
            self.init(Double(tiles) * ByteEstimate.usualTile, share: 1)
            return
        }
        let relative = sample.mean > 0 ? sample.deviation / sample.mean : 1
        let chance = 2 * relative * (1 / Double(sample.count) + 1 / Double(max(tiles, 1))).squareRoot()
        let few = sample.count < 30 ? 1 / Double(sample.count).squareRoot() : 0
        let foreign = from == zoom ? 0.1 : min(0.5 + 0.1 * Double(abs(from - zoom)), 1)
        self.init(Double(tiles) * sample.mean, share: min(max(chance, few, foreign), 1))
    }

    /// The size in bytes assumed of a tile where nothing is known: of 256-pixel pictures.
    private static let usualTile = 15_000.0

    private init(_ bytes: Double, share: Double) {
        self.init(bytes: Int(clamping: bytes), margin: Int(clamping: bytes * share))
    }

    /// Both together; margins add up, for one mistake is in all zooms.
    public static func + (a: ByteEstimate, b: ByteEstimate) -> ByteEstimate {
        ByteEstimate(bytes: a.bytes.saturatingAdd(b.bytes), margin: a.margin.saturatingAdd(b.margin))
    }
}

extension ByteEstimate {
    /// "12.3 MB ± 1.2 MB".
    public var text: String {
        bytes == 0 ? "0 B" : "\(AmountText.bytes(bytes)) ± \(AmountText.bytes(margin))"
    }
}
