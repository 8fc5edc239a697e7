extension Configuration {
    /// A file that changes nothing and shows everything that may stand in one.
    public static var example: String {
        var lines = ["// Rhumb's configuration: long options by name. The command line takes precedence."]
        lines.append("{")
        let options = configurable
        for option in options {
            let words = option.value.map(words) ?? ""
            lines += [
                "    // \(option.help)\(words)",
                "    // \"\(option.name)\": \(option.value?.sample ?? "true"),",
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
            "    //   modes, reach: for a routing engine, the strings for {mode}, and the URL of another server",
            "    //   policy: the provider's limits, such as offline (allowed, ask, denied), viewing, lookAhead,",
            "    //     archives, needsAgreement, policyURL, reportURL, connections, requestsPerSecond, packLimit,",
            "    //     minimumCacheSeconds",
            "    // \"sources\": [{\"id\": \"mine\", \"url\": \"https://tiles.example/{z}/{x}/{y}.png\"}],",
        ]
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private static var configurable: [OptionSpec] {
        var names: Set<String> = []
        return CommandTable.commands.flatMap(\.options).filter {
            $0.isConfigurable && names.insert($0.name).inserted
        }
    }

    private static func words(of kind: ValueKind) -> String {
        switch kind {
        case .word(let words): ": " + words.joined(separator: ", ")
        case .wordOrFile(let words): ": " + words.joined(separator: ", ") + ", or a file"
        default: ""
        }
    }
}
