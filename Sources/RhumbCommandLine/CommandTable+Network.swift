/// The options and commands of the network and the cache.
extension CommandTable {
    static let cachePath = OptionSpec(
        .cachePath, .path, isConfigurable: true, help: "file of the shared cache")

    static let store = [
        cachePath,
        OptionSpec(
            .cacheSize, .bytes(0...1_000_000_000_000), isConfigurable: true,
            help:
                "size limit of the shared cache, such as 200M, 200MB or 1GiB (default 50MiB; 0: cache nothing)"
        ),
    ]

    static let lockTimeout = OptionSpec(
        .timeout, .number(0...3600), metavar: "SECONDS", isConfigurable: true,
        help: "seconds to wait for another process that is writing to the cache or the regions (default 30)")

    static let featureList = OptionSpec(
        .features, .list, isConfigurable: true,
        help: "enabled features: the layers and data that regions contain")

    private static let layers = [
        featureList,
        OptionSpec(
            .prefetch, .list, isConfigurable: true, help: "features to fetch ahead; none: use the least data"),
        passing,
    ]

    static let passing = OptionSpec(
        .passThrough, .list, isConfigurable: true, help: "features that may use the network while offline")

    static let client = [
        OptionSpec(.offline, isConfigurable: true, help: "never use the network"),
        OptionSpec(
            .authorities, .path, isConfigurable: true,
            help: "CA certificates to trust (PEM); CURL_CA_BUNDLE, SSL_CERT_FILE and "
                + "SSL_CERT_DIR are used, too"),
        OptionSpec(
            .endpoint, .text, metavar: "URL", isConfigurable: true,
            help: "object store for s3:// addresses (default: Amazon's, or AWS_ENDPOINT_URL)"),
        OptionSpec(
            .cacheProxy, .text, metavar: "URL", isConfigurable: true,
            help: "caching proxy of your team, for requests without a personal key"),
        OptionSpec(
            .cacheProxyOnly, isConfigurable: true,
            help: "don't ask sources directly while the caching proxy is down"),
        OptionSpec(
            .userAgent, .text, isConfigurable: true,
            help: "User-Agent header; servers block clients that hide their identity or imitate another"),
    ]

    /// The options of commands that download.
    static let downloading =
        client + store + [featureList] + [
            OptionSpec(
                .rate, .bytes(1000...1_000_000_000), isConfigurable: true,
                help: "speed limit for all region downloads together, in bytes per second, e.g. 500k"),
            OptionSpec(
                .metered, isConfigurable: true,
                help: "the connection is metered: download no regions and packages; maps load as usual"),
        ]

    /// The options of commands that show maps.
    static let network =
        downloading + layers.filter { $0.name != Option.features.name } + [
            OptionSpec(
                .traffic, .list, isConfigurable: true,
                help:
                    "live traffic: flow, incidents, all, off, or the name of a mode or style; vector: drawn by Rhumb"
            ),
            OptionSpec(
                .trafficColors, .word(["standard", "colourblind"]), isConfigurable: true,
                help: "colour scheme of traffic flow"),
        ]

    static let features = CommandSpec(
        name: .source(.features),
        summary: "List the features, and whether each is enabled, prefetched or used "
            + "offline.", operand: nil,
        options: [json] + layers + [config] + common,
        details: [
            "Features are groups of layers, data and services. --features enables exactly those that it lists."
        ])

    static let json = OptionSpec(.json, help: "output JSON")

    static let cacheCommands: [CommandSpec] = {
        let members = [
            cache(.stats, "Report how full the shared cache is, by source."),
            cache(
                .list, "List cached tiles and documents.",
                filter + [
                    OptionSpec(
                        .sort, .word(["use", "key", "size", "age"]),
                        help: "sort by last use, key, size or age"),
                    OptionSpec(
                        .limit, .whole(1...1_000_000), "n", help: "show at most N entries " + "(default 100)"),
                ]),
            cache(
                .why, "Explain which copies of a tile the cache and regions have, and which is used.",
                [
                    OptionSpec(.source, .source, help: "source of the tile"),
                    dataPath,
                ],
                operand: OperandSpec(
                    placeholder: "Z/X/Y", help: "a tile, or the address of a document such as a style",
                    isRequired: true)),
            cache(.verify, "Check the cache file and every entry in it."),
            cache(.invalidate, "Mark cached tiles as stale, so they are revalidated on next use.", filter),
            cache(.clear, "Remove all or some cached tiles and documents.", filter),
            cache(
                .trim, "Remove the least recently used entries and free their disk space.",
                [
                    OptionSpec(
                        .trimmedSize, .bytes(0...1_000_000_000_000),
                        help: "maximum size to keep, such as 20MB")
                ]),
            cache(
                .prefetch, "Fetch an area of a source into the cache, within its provider's limits.",
                [
                    OptionSpec(.source, .source, help: "source to fetch from")
                ] + ground + [
                    OptionSpec(.estimate, help: "only report the download size"),
                    permitted, featureList,
                ]),
        ]
        return [.family(.cache(nil), "Inspect and manage the shared cache.", of: members)] + members
    }()

    static let permitted = OptionSpec(
        .permitted, help: "I have the provider's permission (only where its terms allow that)")

    private static let filter = [
        OptionSpec(.source, .source, help: "only this source"),
        OptionSpec(.zooms, .zooms, "z", help: "only these zooms"),
        OptionSpec(
            .bbox, .bounds, "b", help: "only in this box, in degrees; W above E crosses the antimeridian"),
        OptionSpec(.state, .word(["fresh", "stale", "absent"]), help: "only entries in this " + "state"),
    ]

    private static func cache(
        _ verb: CacheVerb, _ summary: String, _ options: [OptionSpec] = [], operand: OperandSpec? = nil
    ) -> CommandSpec {
        CommandSpec(
            name: .cache(verb), summary: summary, operand: operand,
            options: options + [json] + store + [lockTimeout, config] + common)
    }
}
