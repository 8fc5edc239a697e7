extension Configuration {
    /// A configuration file that sets nothing, with a sample of each member.
    public static var example: String {
        var lines = ["// Rhumb's configuration: long options by name. The command line takes precedence."]
        lines.append("{")
        let options = configurable
        for option in options {
            lines += [
                "    // \(option.help)\(choices(of: option))",
                "    // \"\(option.name)\": \(sample(of: option)),",
            ]
        }
        lines += [
            "    // keys of services, by the names in rhumb source show",
            "    // \"keys\": {\"tomtom\": \"YOUR-KEY\"},",
            "    // your own web sources. Members of a source:",
            "    //   id, url: required; url: a template, TileJSON document, archive or server",
            "    //   name, attribution: texts to show",
            "    //   kind: tiles, tilejson, pmtiles, osrm, valhalla, tomtom-routing, here-routing, nominatim, photon",
            "    //   tileSize: pixels (default from @2x, tileSize= or /512/{z} in the URL, else any size)",
            "    //   minzoom, maxzoom, bounds: zooms and box [west, south, east, north] with tiles",
            "    //   feature: the feature of the layer; overlay, vector, local: true for tiles drawn over a map, for",
            "    //     vector tiles, and for a local file; encoding: terrarium or mapbox, for tiles of heights",
            "    //   builds: {\"url\": …, \"version\": …}, the list of an archive's builds, for {build} in the URL",
            "    //   vectorLayers: layer names in its vector tiles",
            "    //   subdomains, values: strings for {s}, and for other tokens by name",
            "    //   keys: {\"key\": {\"environment\": \"MY_KEY\", \"config\": \"mine\"}}, for {key}",
            "    //   replaceable: {\"base\": {\"environment\": \"MY_URL\", \"default\": \"https://…\"}}, for {base}",
            "    //   headers: HTTP headers to send with each request",
            "    //   cacheProxy: URL of your team's caching proxy",
            "    //   modes, reach: for a routing engine, the strings for {mode}, and the URL of another server",
            "    //   policy: the provider's limits, such as offline (allowed, ask, denied), viewing, lookAhead,",
            "    //     archives, sharedCache, needsAgreement, policyURL, reportURL, connections, requestsPerSecond,",
            "    //     packLimit, minimumCacheSeconds",
            "    // \"sources\": [{\"id\": \"mine\", \"url\": \"https://tiles.example/{z}/{x}/{y}.png\"}],",
        ]
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// Sample values that are more useful than those of the option's kind.
    private static let samples = [
        "streets": "openfreemap", "gpsd": "localhost", "style-by": "speed", "tile-size": "512",
        "labels": "on", "names": "de", "contours": "auto", "colors": "256",
        "ca-file": "/etc/ssl/certs/office.pem", "cache-path": "~/.cache/rhumb/tiles.db",
        "data-path": "~/.local/share/rhumb",
        "engine": "http://127.0.0.1:5000", "traffic": "flow", "pass-through": "trafficFlow",
        "prefetch": "rendering",
        "cache-size": "200MB", "rate": "500k", "region-quota": "20GB", "terrain": "alps.mbtiles",
        "over": "walk.gpx", "quilt": "~/charts",
        "catalog": "https://maps.example/catalog.json", "budget": "30k",
        "endpoint": "https://s3.example", "cache-proxy": "http://cache.example:8080",
        "user-agent": "Hikes/2.1 (+https://hikes.example)",
    ]

    /// Sample numbers that are more useful than those of the option's kind.
    private static let numbers = ["ttl": "600", "timeout": "30", "zoom": "12"]

    private static func sample(of option: OptionSpec) -> String {
        samples[option.name].map { "\"\($0)\"" } ?? numbers[option.name] ?? option.value?.sample ?? "true"
    }

    private static var configurable: [OptionSpec] {
        var names: Set<String> = []
        return CommandTable.commands.flatMap(\.options).filter {
            $0.isConfigurable && names.insert($0.name).inserted
        }
    }

    /// Returns the values to choose from, unless the help names them.
    private static func choices(of option: OptionSpec) -> String {
        switch option.value {
        case .word(let choices)? where choices.allSatisfy(option.help.contains): ""
        case .word(let choices)?: ": " + choices.joined(separator: ", ")
        case .wordOrFile(let choices)? where choices.allSatisfy(option.help.contains): ""
        case .wordOrFile(let choices)?: ": " + choices.joined(separator: ", ") + ", or a file"
        default: ""
        }
    }
}
