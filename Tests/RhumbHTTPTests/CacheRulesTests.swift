import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the table that decides between a stored copy and the server. Needs no server, clock or store.
struct CacheRulesTests {
    private static let now = UnixSeconds(1_000_000)

    /// Returns a copy received 100 seconds ago.
    private static func copy(
        _ control: String, _ place: StoreMatch.Location = .cache, isReloaded: Bool = false
    ) -> StoreMatch {
        let received = now.adding(-100), headers: HTTPHeaders = ["Cache-Control": control, "ETag": "\"1\""]
        let freshness = Freshness(
            headers: headers, requestedAt: received, receivedAt: received, policy: .tiles())
        return StoreMatch(
            StoredResponse(body: [1], freshness: freshness, headers: headers), place, isReloaded: isReloaded)
    }

    private static func changed(_ match: StoreMatch, _ change: (inout StoreMatch) -> Void) -> StoreMatch {
        var match = match
        change(&match)
        return match
    }

    private static let fresh = Validity.fresh(until: now.adding(900)),
        stale = Validity.stale(since: now.adding(-90))
    private static let marked = Validity.stale(since: now)
    private static let ask = Validators(etag: "\"1\""), anything = Validators()
    private static let modes: [FetchMode] = [
        .show, .prefetch, .fill(acceptsExpired: false), .refresh(olderThan: nil), .reload,
    ]

    /// A row of the table.
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let match: StoreMatch?
        var network: [NetworkAccess] = [.available, .offline, .refused]
        var isStorable = true
        /// The decisions for `show`, `prefetch`, `fill`, `refresh` and `reload`; nil to skip a mode.
        let decisions: [CacheDecision?]

        var testDescription: String {
            "\(name), network \(network.map { "\($0)" }.joined(separator: " or "))"
        }
    }

    private static let rows: [Row] = [
        Row(
            name: "no copy", match: nil, network: [.available],
            decisions: [CacheDecision](repeating: .fetch(anything, meanwhile: nil), count: 5)),
        Row(
            name: "no copy", match: nil, network: [.offline],
            decisions: [.fail(.offline), .missing, .fail(.offline), .fail(.offline), .fail(.offline)]),
        Row(
            name: "no copy", match: nil, network: [.refused],
            decisions: [.fail(.refused), .missing, .fail(.refused), .fail(.refused), .fail(.refused)]),
        Row(
            name: "fresh", match: copy("max-age=1000"),
            decisions: [.use(fresh), .use(fresh), .use(fresh), nil, nil]),
        Row(
            name: "fresh", match: copy("max-age=1000"), network: [.available],
            decisions: [nil, nil, nil, .fetch(ask, meanwhile: nil), .fetch(ask, meanwhile: nil)]),
        Row(
            name: "fresh", match: copy("max-age=1000"), network: [.offline],
            decisions: [nil, nil, nil, .fail(.offline), .fail(.offline)]),
        Row(
            name: "fresh and immutable", match: copy("max-age=1000, immutable"),
            decisions: [CacheDecision](repeating: .use(fresh), count: 5)),
        Row(
            name: "stale", match: copy("max-age=10"), network: [.available],
            decisions: [.fetch(ask, meanwhile: stale)]
                + [CacheDecision](repeating: .fetch(ask, meanwhile: nil), count: 4)),
        Row(
            name: "stale", match: copy("max-age=10"), network: [.offline],
            decisions: [.use(stale), .missing, .fail(.offline), .fail(.offline), .fail(.offline)]),
        Row(
            name: "stale and immutable", match: copy("max-age=10, immutable"), network: [.available],
            decisions: [nil, nil, nil, .fetch(ask, meanwhile: nil), .fetch(ask, meanwhile: nil)]),
        Row(
            name: "stale, but usable while revalidated",
            match: copy("max-age=10, stale-while-revalidate=91"), network: [.available],
            decisions: [.useAndRevalidate(stale, ask)]
                + [CacheDecision](repeating: .fetch(ask, meanwhile: nil), count: 4)),
        Row(
            name: "stale, but usable while revalidated",
            match: copy("max-age=10, stale-while-revalidate=91"), network: [.offline],
            decisions: [.use(stale), .missing, .fail(.offline), .fail(.offline), .fail(.offline)]),
        Row(
            name: "stale for longer than it is usable while revalidated",
            match: copy("max-age=10, stale-while-revalidate=90"), network: [.available],
            decisions: [.fetch(ask, meanwhile: stale), nil, nil, nil, nil]),
        Row(
            name: "must revalidate, whatever else is allowed",
            match: copy("max-age=10, stale-while-revalidate=1000, must-revalidate"), network: [.available],
            decisions: [.fetch(ask, meanwhile: nil), nil, nil, nil, nil]),
        Row(
            name: "no-cache, whatever else is allowed",
            match: copy("no-cache, max-age=10, stale-while-revalidate=1000"), network: [.available],
            decisions: [.fetch(ask, meanwhile: nil), nil, nil, nil, nil]),
        Row(
            name: "must revalidate", match: copy("max-age=10, must-revalidate"), network: [.available],
            decisions: [CacheDecision](repeating: .fetch(ask, meanwhile: nil), count: 5)),
        Row(
            name: "must revalidate", match: copy("max-age=10, must-revalidate"), network: [.offline],
            decisions: [.use(stale), .missing, .fail(.offline), .fail(.offline), .fail(.offline)]),
        Row(
            name: "invalidated", match: changed(copy("max-age=1000")) { $0.response.isInvalidated = true },
            network: [.available],
            decisions: [CacheDecision](repeating: .fetch(ask, meanwhile: nil), count: 5)),
        Row(
            name: "reloaded by the user", match: copy("max-age=1000", isReloaded: true),
            network: [.available],
            decisions: [CacheDecision](repeating: .fetch(ask, meanwhile: nil), count: 5)),
        Row(
            name: "reloaded by the user", match: copy("max-age=1000", isReloaded: true), network: [.offline],
            decisions: [.use(marked), .missing, .fail(.offline), .fail(.offline), .fail(.offline)]),
        Row(
            name: "fresh in a region", match: copy("max-age=1000", .region), network: [.available],
            decisions: [
                .use(fresh), .use(fresh), .use(fresh), .fetch(ask, meanwhile: nil),
                .fetch(ask, meanwhile: nil),
            ]),
        Row(
            name: "stale in a region", match: copy("no-cache", .region), network: [.available],
            decisions: [
                .fetch(ask, meanwhile: marked), .use(marked),
                .fetch(ask, meanwhile: nil), .fetch(ask, meanwhile: nil), .fetch(ask, meanwhile: nil),
            ]),
        Row(
            name: "incomplete in a region",
            match: changed(copy("max-age=1000", .region)) { $0.response.omits = ["search"] },
            network: [.available], decisions: [.fetch(anything, meanwhile: marked), nil, nil, nil, nil]),
        Row(
            name: "in another edition", match: copy("max-age=1000, must-revalidate", .otherEdition),
            network: [.available],
            decisions: [
                .fetch(ask, meanwhile: marked), .fetch(ask, meanwhile: nil), .fetch(ask, meanwhile: nil), nil,
                nil,
            ]),
        Row(
            name: "in another edition", match: copy("max-age=1000", .otherEdition), network: [.offline],
            decisions: [.use(marked), .missing, .fail(.offline), nil, nil]),
        Row(
            name: "in a style pack", match: copy("no-cache, max-age=1000", .stylePack),
            decisions: [.use(fresh), .use(fresh), .use(fresh), .use(fresh), nil]),
        Row(
            name: "in a style pack", match: copy("max-age=1000, immutable", .stylePack),
            network: [.available],
            decisions: [nil, nil, nil, nil, .fetch(ask, meanwhile: nil)]),
        Row(
            name: "damaged", match: changed(copy("max-age=1000", .region)) { $0.response.isDamaged = true },
            network: [.available],
            decisions: [CacheDecision](repeating: .fetch(anything, meanwhile: nil), count: 5)),
        Row(
            name: "never stored", match: nil, network: [.available], isStorable: false,
            decisions: [
                .fetch(anything, meanwhile: nil), .missing, .fail(.refused), .fetch(anything, meanwhile: nil),
                .fetch(anything, meanwhile: nil),
            ]),
    ]

    @Test(arguments: rows) func `each row of the table is decided as stated`(row: Row) {
        for network in row.network {
            for (mode, decision) in zip(Self.modes, row.decisions) {
                guard let decision else { continue }
                #expect(
                    CacheRules.decide(row.match, mode, network, isStorable: row.isStorable, at: Self.now)
                        == decision,
                    "\(mode), \(network)")
            }
        }
    }

    @Test(arguments: ["max-age=1000", "max-age=10", "no-cache"])
    func `stored copies are read without a request`(control: String) {
        let match = Self.copy(control)
        for network in [NetworkAccess.available, .offline] {
            #expect(
                CacheRules.decide(match, .stored, network, at: Self.now) == .use(match.validity(at: Self.now))
            )
            #expect(CacheRules.decide(nil, .stored, network, at: Self.now) == .missing)
        }
    }

    @Test func `an expired copy fills a region that accepts it, unless it must be and can be revalidated`() {
        let mode = FetchMode.fill(acceptsExpired: true), must = Self.copy("max-age=10, must-revalidate")
        #expect(
            CacheRules.decide(Self.copy("max-age=10"), mode, .available, at: Self.now) == .use(Self.stale))
        #expect(CacheRules.decide(must, mode, .available, at: Self.now) == .fetch(Self.ask, meanwhile: nil))
        #expect(CacheRules.decide(must, mode, .offline, at: Self.now) == .use(Self.stale))
    }

    @Test(arguments: [(-100, true), (-101, true), (-99, false)] as [(Int64, Bool)])
    func `a refresh skips copies that it has already received`(start: Int64, isUsed: Bool) {
        let decision = CacheRules.decide(
            Self.copy("max-age=10"), .refresh(olderThan: Self.now.adding(start)), .available, at: Self.now)
        #expect(decision == (isUsed ? .use(Self.stale) : .fetch(Self.ask, meanwhile: nil)))
    }

    @Test func `the network doesn't affect a fresh copy`() {
        for mode in Self.modes.prefix(3) {
            let decisions = Set(
                [NetworkAccess.available, .offline, .refused].map { network in
                    "\(CacheRules.decide(Self.copy("max-age=1000"), mode, network, at: Self.now))"
                })
            #expect(decisions.count == 1)
        }
    }

    /// Returns a part of version 1 of a file.
    private static func part(_ control: String, _ change: (inout StoreMatch) -> Void = { _ in }) -> StoreMatch
    {
        changed(copy(control)) {
            $0.response.dataVersion = "1"
            change(&$0)
        }
    }

    @Test(
        arguments: [
            (nil, "1", .fetch(anything, meanwhile: nil)),
            (part("max-age=1000"), "2", .fetch(anything, meanwhile: nil)),
            (part("max-age=1000"), "1", .use(fresh)), (part("max-age=10"), "1", .use(stale)),
            (part("max-age=10, must-revalidate"), "1", .use(stale)),
            (part("max-age=1000") { $0.response.isDamaged = true }, "1", .fetch(anything, meanwhile: nil)),
            (part("max-age=1000") { $0.isReloaded = true }, "1", .fetch(anything, meanwhile: marked)),
            (
                part("max-age=1000") { $0.response.isInvalidated = true }, "1",
                .fetch(anything, meanwhile: marked)
            ),
        ] as [(StoreMatch?, String, CacheDecision)])
    func `a part of a file is used regardless of its age, but only for its own version`(
        match: StoreMatch?, version: String, decision: CacheDecision
    ) {
        #expect(CacheRules.decide(match, ofVersion: version, at: Self.now) == decision)
    }

    @Test(
        arguments: [
            ("max-age=10, stale-if-error=91", 503, true), ("max-age=10, stale-if-error=90", 503, false),
            ("max-age=10, stale-if-error=91", 404, false), ("max-age=10, stale-if-error=91", nil, false),
            ("max-age=10, stale-if-error=91, must-revalidate", 503, false), ("max-age=10", 503, false),
        ] as [(String, Int?, Bool)])
    func `a stale tile survives an error of its server as long as the server allows`(
        control: String, status: Int?, survives: Bool
    ) {
        #expect(CacheRules.survivesErrors(Self.copy(control), status: status, at: Self.now) == survives)
    }
}
