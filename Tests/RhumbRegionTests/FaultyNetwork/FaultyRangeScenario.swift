import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
import RhumbTestSupport

/// Sections of a file that are read together, over a faulty network, while the file may be replaced.
struct FaultyRangeScenario {
    private static let url = "http://maps.example/file.bin"
    private static let size = 12_000

    private let clock = ManualClock()
    private let origin: SimulatedOrigin
    private let transport: FaultyTransport
    private var generator: SplitMix

    /// The bytes of two versions. They differ at each position.
    private static let files = (1...2).map { version in
        (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8 &+ version &* 101) }
    }

    init(seed: UInt64) {
        generator = SplitMix(seed: seed)
        var rules = SimulatedOrigin.Rules(content: { _, version in Self.files[version - 1] })
        rules.validation = SimulatedOrigin.Validation.allCases.randomElement(using: &generator) ?? .both
        origin = SimulatedOrigin(rules, clock)
        var plan = FaultyTransport.Plan(seed: generator.next())
        plan.limit = Int.random(in: 0...6, using: &generator)
        transport = FaultyTransport(origin, clock, plan)
    }

    /// Returns sections in the order of the file, with gaps between some of them.
    private mutating func sections() -> [FileSection] {
        var sections: [FileSection] = [], end: UInt64 = 0
        while end < 8000 {
            let gap = Bool.random(using: &generator) ? 0 : UInt64.random(in: 1...800, using: &generator)
            sections.append(
                FileSection(offset: end + gap, length: UInt64.random(in: 1...2000, using: &generator)))
            end = sections.last?.end ?? end
        }
        return sections
    }

    private var isReplaced: Bool { origin.version(of: Self.url) > 1 }

    mutating func run() async throws {
        let sections = sections(), headers = origin.validators(Self.url, 1), version = headers.fileVersion
        let file = FileVersion(
            StoredResponse(
                body: [], freshness: Freshness(receivedAt: clock.date, initialAge: 0, lifetime: 0),
                headers: headers), hash: "unstated")
        var batch = RangeBatch(sections.enumerated().map { (item: $0.offset, section: $0.element) })
        var taken: [Int: [UInt8]] = [:], isTwice = false
        if Int.random(in: 0..<3, using: &generator) == 0 || version == nil {
            let last = Int.random(in: 2...4, using: &generator)
            transport.onRequest { [origin] in if $0 == last { origin.publish(Self.url) } }
        }
        let client = CachedClient(transport, stores: { (nil, nil) }, date: { [clock] in clock.date })
        // The limits of the faults and of the versions end the loop.
        for _ in 0..<20 where !batch.missing.isEmpty {
            let count = transport.exchanges.count, end = taken.keys.max().map { sections[$0].end } ?? 0
            do throws(RangeFailure) {
                try await client.load(
                    &batch, of: file, limit: RangeLimit(), priority: .prefetch,
                    retrying: RetryRule(tries: 3, backoff: Backoff(base: 0, cap: 0)),
                    range: { section in
                        WebResource(
                            document: HTTPAddress(Self.url),
                            range: ByteRange(offset: section.offset, count: section.length))
                    }
                ) { item, range in
                    isTwice = isTwice || taken.updateValue(range.bytes, forKey: item) != nil
                }
            } catch {
                let exchanges = transport.exchanges[count...]
                let isExplained =
                    exchanges.contains { $0.fault != nil } || isReplaced || exchanges.isEmpty
                try hold(isExplained, "\(error) without a fault")
            }
            for exchange in transport.exchanges[count...] {
                try hold(exchange.request.range?.offset ?? 0 >= end, "bytes before \(end) requested again")
            }
            let missing = Set(batch.missing.map(\.item)), rest = Set(sections.indices).subtracting(taken.keys)
            try hold(missing == rest, "missing \(missing), not \(rest)")
            if isReplaced { break }
            clock.advance(by: .seconds(4000))
        }
        try hold(!isTwice, "a section was reported twice")
        for (item, bytes) in taken {
            let section = sections[item]
            // Without a version, sections may be of different versions, but each is of one.
            let isSound = Self.files.prefix(version == nil ? 2 : 1).contains {
                $0[Int(section.offset)..<Int(section.end)] == bytes[...]
            }
            try hold(isSound, "section \(item) has other bytes")
        }
        let isDone = taken.count == sections.count || isReplaced
        try hold(isDone, "\(sections.count - taken.count) sections are missing at the end")
    }
}
