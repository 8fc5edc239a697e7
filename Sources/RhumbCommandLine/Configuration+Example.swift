extension Configuration {
    /// A file that changes nothing and shows everything that may stand in one.
    public static var example: String {
        var lines = ["// Rhumb's configuration: the long options by name. Options given by hand win."]
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
            "    // keys of services by the names that rhumb source show tells",
            "    // \"keys\": {\"tomtom\": \"YOUR-KEY\"},",
            "    // your own web sources; the members of a source:",
            "    //   id, url: required; a template, a TileJSON document, an archive or a server",
            "    //   name, attribution: the texts shown",
            "    //   kind: tiles, tilejson, pmtiles, osrm, valhalla, tomtom-routing, here-routing, nominatim, photon",
            "    //   tileSize: pixels; if not given, as the address tells (@2x, tileSize=, /512/{z}), or any size",
            "    //   minzoom, maxzoom, bounds: the zooms and the box [west, south, east, north] that have tiles",
            "    //   feature, overlay, vector, local: the layer's feature; true for tiles laid over a map, for vector",
            "    //     tiles, and for a file on this machine",
            "    //   vectorLayers: the names of the layers in its vector tiles",
            "    //   subdomains, values: the texts for {s}, and for other tokens by their names",
            "    //   keys: {\"key\": {\"environment\": \"MY_KEY\", \"config\": \"mine\"}}, for {key}",
            "    //   replaceable: {\"base\": {\"environment\": \"MY_URL\", \"default\": \"https://…\"}}, for {base}",
            "    //   headers: fields to send with each request",
            "    //   modes, reach: of a routing engine, the texts for {mode}, and the address of another server",
            "    //   policy: what its provider allows: offline (allowed, ask, denied), lookAhead, archives,",
            "    //     needsAgreement, policyURL, reportURL, connections, requestsPerSecond, packLimit,",
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
