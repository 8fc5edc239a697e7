internal import RhumbCore

/// The number of requests for each tile, as counted from the logs of a server.
public struct TileRequests: Sendable, Equatable {
    /// A line that can't be read.
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The number of the line, from 1.
        public let line: Int
        /// The problem, with the line.
        public let description: String
    }

    /// The ids of the tiles in ascending order, and the numbers of requests.
    private let ids: [UInt64]
    private let counts: [Int]

    /// The number of all requests.
    public let total: Int

    /// Parses lines of zoom, column, row and requests, separated by tabs, spaces, commas or slashes. A line
    /// that starts with no digit, such as a header, and empty lines are skipped. Lines for the same tile are
    /// added. Rows count from the north.
    /// - Parameter bytes: The text, possibly compressed with gzip.
    /// - Throws: `Failure` for the first invalid line.
    public init(_ bytes: [UInt8]) throws(Failure) {
        var text = bytes
        if Gzip.isWrapped(bytes) {
            do {
                text = try Gzip.unpacked(bytes, limit: Self.sizeLimit)
            } catch .tooLarge {
                throw Failure(
                    line: 0, description: "it decompresses to more than \(Self.sizeLimit >> 20) MiB")
            } catch {
                throw Failure(line: 0, description: "its gzip data is damaged")
            }
        }
        var found: [(id: UInt64, count: Int)] = [], number = 0
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard let first = line.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
                continue
            }
            found.append(try Self.entry(line, number))
        }
        guard !found.isEmpty else {
            throw Failure(
                line: 0, description: "it has no line of zoom, column, row and number of requests")
        }
        found.sort { $0.id < $1.id }
        var ids: [UInt64] = [], counts: [Int] = []
        for (id, count) in found {
            if ids.last == id {
                counts[counts.count - 1] = counts[counts.count - 1].saturatingAdd(count)
            } else {
                ids.append(id)
                counts.append(count)
            }
        }
        self.ids = ids
        self.counts = counts
        total = counts.reduce(0) { $0.saturatingAdd($1) }
    }

    /// The maximum size of the text in bytes.
    public static let sizeLimit = 512 << 20

    private static func entry(
        _ line: ArraySlice<UInt8>, _ number: Int
    ) throws(Failure) -> (id: UInt64, count: Int) {
        let separators = Array(" \t,/\r".utf8)
        let fields = line.split { separators.contains($0) }
        let numbers = fields.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard fields.count == 4, numbers.count == 4, numbers[3] >= 0,
            let tile = TileID(zoom: numbers[0], x: numbers[1], y: numbers[2])
        else {
            throw Failure(line: number, description: "line \(number) is not zoom, column, row and requests")
        }
        return (tile.hilbertID, numbers[3])
    }

    func requests(for tiles: Range<UInt64>) -> Int {
        self.tiles(in: tiles).reduce(0) { $0.saturatingAdd($1.requests) }
    }

    /// Returns the requested tiles in a range of ids.
    func tiles(in range: Range<UInt64>) -> some Sequence<(id: UInt64, requests: Int)> {
        let start = ids.partitioningIndex { $0 >= range.lowerBound }
        return (start..<ids.count).lazy.map { (id: ids[$0], requests: counts[$0]) }
            .prefix(while: { $0.id < range.upperBound })
    }
}
