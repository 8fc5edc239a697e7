/// What concerns the network and what is kept of it.
extension CommandTable {
    static let cachePath = OptionSpec(.cachePath, nil, .path, help: "the file of the shared cache")

    static let store = [
        cachePath,
        OptionSpec(
            .cacheSize, nil, .bytes(0...1_000_000_000_000),
            help: "the bytes the shared cache may take on disk (52428800); 0 keeps nothing"),
    ]

    static let lockTimeout = OptionSpec(
        .timeout, nil, .number(0...3600), metavar: "SECONDS",
        help: "how long to wait for another program that writes to the cache or the regions (30)")

    static let featureList = OptionSpec(
        .features, nil, .list, help: "the features that are enabled: what regions contain")

    private static let layers = [
        featureList,
        OptionSpec(
            .prefetch, nil, .list, help: "the features fetched before they are looked at; none for the least traffic"),
        passing,
    ]

    static let passing = OptionSpec(
        .passThrough, nil, .list, help: "the features that may use the network while offline")

    static let client = [
        OptionSpec(.offline, help: "never use the network"),
        OptionSpec(
            .authorities, nil, .path,
            help: "trust servers that these authorities vouch for (PEM); CURL_CA_BUNDLE, SSL_CERT_FILE and "
                + "SSL_CERT_DIR are read too"),
        OptionSpec(
            .userAgent, nil, .text,
            help: "what Rhumb tells servers it is; they refuse programs that hide or imitate others"),
    ]

    static let network = client + store + layers + [
        OptionSpec(
            .rate, nil, .bytes(1000...1_000_000_000),
            help: "bytes a second that downloads of regions may take together, such as 500k"),
        OptionSpec(.metered, help: "the connection is metered: maps are shown as ever, regions wait"),
        OptionSpec(.traffic, nil, .list, help: "live traffic: flow, incidents, all, off, a mode or style by name; vector: drawn here"),
        OptionSpec(.trafficColors, nil, .word(["standard", "colourblind"]), help: "the colours of traffic flow"),
    ]

    static let features = CommandSpec(
        name: .features, summary: "List the features and the lists they are in.", operand: nil,
        options: [json] + layers + [config] + common,
        details: ["Features are groups of layers and data. What no source provides is said so."])

    static let json = OptionSpec(.json, isConfigurable: false, help: "for programs to read")

    static let cacheCommands: [CommandSpec] = {
        let members = [
            cache(.stats, "Say how full the shared cache is, and of what."),
            cache(.list, "List what is kept.", filter + [
                OptionSpec(
                    .sort, nil, .word(["use", "key", "size", "age"]), isConfigurable: false,
                    help: "by last use, by key, by size or by age"),
                OptionSpec(.limit, "n", .whole(1...1_000_000), isConfigurable: false, help: "at most so many (100)"),
            ]),
            cache(.why, "Explain what is kept of a tile, in the cache and by regions, and whether it will be used.", [
                OptionSpec(.source, nil, .source, isConfigurable: false, help: "the source it belongs to"), dataPath,
            ], operand: OperandSpec(placeholder: "Z/X/Y", help: "a tile", isRequired: true)),
            cache(.verify, "Check the file and every body in it."),
            cache(.invalidate, "Have everything, or some of it, asked about before it is used again.", filter),
            cache(.clear, "Remove everything, or some of it.", filter),
            cache(.trim, "Remove what was used least, down to a size, and give the disk its space back.", [
                OptionSpec(.trimmedSize, nil, .bytes(0...1_000_000_000_000), isConfigurable: false, help: "bytes to keep at most"),
            ]),
            cache(.prefetch, "Fetch a part of a source into the cache, as far as its provider allows.", [
                OptionSpec(.source, nil, .source, isConfigurable: false, help: "where from"),
            ] + ground + [
                OptionSpec(.estimate, isConfigurable: false, help: "only say what it would fetch"),
                permitted,
            ]),
        ]
        return [.family(.cache(nil), "Look into the shared cache.", of: members)] + members
    }()

    static let permitted = OptionSpec(
        .permitted, isConfigurable: false,
        help: "the provider has allowed me this, where its terms leave it open")

    private static let filter = [
        OptionSpec(.source, nil, .source, isConfigurable: false, help: "only of this source"),
        OptionSpec(.zooms, "z", .zooms, isConfigurable: false, help: "only these zooms"),
        OptionSpec(.bbox, "b", .bounds, isConfigurable: false, help: "only in this box of degrees"),
        OptionSpec(
            .state, nil, .word(["fresh", "stale", "absent"]), isConfigurable: false, help: "only in this state"),
    ]

    private static func cache(
        _ verb: CacheVerb, _ summary: String, _ options: [OptionSpec] = [], operand: OperandSpec? = nil
    ) -> CommandSpec {
        CommandSpec(
            name: .cache(verb), summary: summary, operand: operand,
            options: options + [json] + store + [lockTimeout, config] + common)
    }
}
