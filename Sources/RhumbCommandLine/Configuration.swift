public import RhumbCore

/// The configuration file: JSON with comments, whose keys are the names of the long options.
public struct Configuration: Sendable {
    private let object: JSONObject
    private let text: ConfigurationText
    private let path: String

    /// Parses the text of a file.
    /// - Parameter path: The name of the file in errors.
    /// - Throws: An error with the file, the line and a remedy.
    public init(_ bytes: [UInt8], path: String) throws(UsageError) {
        text = ConfigurationText(bytes)
        self.path = path
        let parsed: JSON
        do throws(JSONFailure) {
            parsed = try JSON.parse(text.plain)
        } catch {
            let location = TextLocation(offset: error.offset, in: text.plain)
            throw UsageError("\(path), \(location): \(error.problem); see rhumb --print-config")
        }
        guard let object = parsed.object else {
            throw UsageError("\(path): expected an object in braces; see rhumb --print-config")
        }
        self.object = object
        if let (name, location) = text.duplicate {
            throw UsageError("\(path), \(location): \"\(name)\" is set twice; keep one")
        }
        try check("sources", "an array of sources") { $0.array != nil }
        try check("keys", "an object of strings") { keys in
            keys.object?.names.allSatisfy { keys[$0]?.string != nil } == true
        }
    }

    /// Top-level members that are not options.
    private static let parts = ["sources", "keys"]

    private func check(_ name: String, _ wanted: String, _ isRight: (JSON) -> Bool) throws(UsageError) {
        guard let part = object[name], !isRight(part) else { return }
        throw UsageError("\(location(of: name)): \"\(name)\" must be \(wanted)")
    }

    /// Returns the position of a setting, for errors.
    /// - Parameter element: The index of an element if the setting is an array and the error is in it.
    public func location(of name: String, element: Int? = nil) -> String {
        text.location(of: name, element: element).map { "\(path), \($0)" } ?? path
    }

    /// The user's own web sources, as an object with the array "sources"; nil if the file has none.
    public var sources: JSON? {
        object["sources"].map { sources in
            var list = JSONObject()
            list["sources"] = sources
            return .object(list)
        }
    }

    /// Returns the key of a service, by its name in the list of sources.
    public func key(_ name: String) -> String? { object["keys"]?[name]?.string }

    /// The values of all keys.
    public var keys: [String] { Array(namedKeys.values) }

    /// All keys, by their names in the list of sources.
    public var namedKeys: [String: String] {
        let keys = object["keys"]?.object ?? JSONObject()
        return keys.names.reduce(into: [:]) { $0[$1] = keys[$1]?.string }
    }

    /// Returns the settings as words of the command line, except those that the command line overrides or
    /// that belong to other commands.
    /// - Throws: An error about an unknown setting or an invalid value.
    public func arguments(completing invocation: Invocation) throws(UsageError) -> [String] {
        var arguments: [String] = []
        var taken: [OptionSpec] = []
        for name in object.names where !Configuration.parts.contains(name) {
            let option = try option(named: name)
            if let rival = taken.first(where: { $0.isRival(of: option) }) {
                throw UsageError(
                    "\(location(of: name)): \"\(rival.name)\" and \"\(name)\" are mutually exclusive; keep "
                        + "one")
            }
            taken.append(option)
            let meant = try self.arguments(for: option, object[name] ?? .null)
            let isKnown = CommandTable.command(invocation.command).option(named: name) != nil
            if isKnown && !invocation.settles(option) { arguments += meant }
        }
        return arguments
    }

    /// Returns the positions of the options among words, by name.
    public func locations(of arguments: [String]) -> [String: String] {
        let names = arguments.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        return Dictionary(names.filter { object[$0] != nil }.map { ($0, location(of: $0)) }) { first, _ in
            first
        }
    }

    private func option(named name: String) throws(UsageError) -> OptionSpec {
        let all = CommandTable.commands.flatMap(\.options)
        guard let option = all.first(where: { $0.name == name }) else {
            let near = all.filter(\.isConfigurable).map(\.name).nearest(to: name)
            let hint = near.map { "did you mean \"\($0)\"?" } ?? "see rhumb --print-config"
            throw UsageError("\(location(of: name)): unknown option \"\(name)\"; \(hint)")
        }
        guard option.isConfigurable else {
            throw UsageError("\(location(of: name)): \"\(name)\" is only for the command line; remove it")
        }
        return option
    }

    private func arguments(for option: OptionSpec, _ value: JSON) throws(UsageError) -> [String] {
        guard let kind = option.value else {
            guard let isOn = value.bool else { throw wrong(option, "true or false") }
            return isOn ? ["--\(option.name)"] : []
        }
        let values = option.isRepeatable ? value.array ?? [value] : [value]
        var arguments: [String] = []
        for value in values {
            guard let text = value.string ?? value.int.map(String.init) ?? value.double.map({ "\($0)" })
            else { throw wrong(option, "a string or a number") }
            _ = try converting(kind.read(text, for: "\"\(option.name)\"")) { (error: UsageError) in
                UsageError("\(location(of: option.name)): \(error.description)")
            }
            arguments += ["--\(option.name)", text]
        }
        return arguments
    }

    private func wrong(_ option: OptionSpec, _ wanted: String) -> UsageError {
        UsageError("\(location(of: option.name)): \"\(option.name)\" must be \(wanted)")
    }

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
