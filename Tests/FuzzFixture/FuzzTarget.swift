import RhumbTestSupport

/// A parser with inputs it understands.
struct FuzzTarget: Sendable {
    let name: String
    let samples: [[UInt8]]
    /// Reads an input as far as the program ever would.
    let read: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ samples: [[UInt8]], _ read: @escaping @Sendable ([UInt8]) -> Void) {
        (self.name, self.samples, self.read) = (name, samples, read)
    }

    init(_ name: String, texts: [String], _ read: @escaping @Sendable ([UInt8]) -> Void) {
        self.init(name, texts.map { Array($0.utf8) }, read)
    }

    static let all = tileTargets + documentTargets + smallTargets
}
