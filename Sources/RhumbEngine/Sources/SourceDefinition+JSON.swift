public import RhumbCore

extension SourceDefinition {
    /// The definition in the format of lists of sources, for storage with a region. It contains no secrets:
    /// neither headers, which may contain keys, nor the values of parameters with secret names in addresses.
    public var json: JSON {
        var object = JSONObject()
        object["id"] = .string(id)
        object["name"] = .string(name)
        object["kind"] = .string(kind.rawValue)
        object["url"] = .string(SourceDefinition.withoutSecrets(addresses.first ?? ""))
        if !subdomains.isEmpty { object["subdomains"] = .array(subdomains.map { .string($0) }) }
        object["values"] = .object(texts(values))
        object["replaceable"] = .object(
            members(
                replaceable.map {
                    ($0, ["environment": .string($1.environment), "default": .string($1.standard)])
                }))
        object["keys"] = .object(
            members(
                keys.map {
                    ($0.token, ["environment": .string($0.environment), "config": .string($0.configuration)])
                }))
        if !isTileSizeAssumed { object["tileSize"] = .integer(tileSize.rawValue) }
        object["minzoom"] = .integer(zooms.lowerBound)
        object["maxzoom"] = .integer(zooms.upperBound)
        if let bounds { object["bounds"] = bounds.json }
        object["attribution"] = .string(attribution)
        object["feature"] = .string(feature.name)
        object["overlay"] = .bool(isOverlay)
        if isLocal { object["local"] = true }
        if isVector { object["vector"] = true }
        if let encoding = elevation?.name { object["encoding"] = .string(encoding) }
        if !vectorLayers.isEmpty { object["vectorLayers"] = .array(vectorLayers.map { .string($0) }) }
        if let builds {
            object["builds"] = ["url": .string(builds.address), "version": .string(builds.version)]
        }
        if let cacheProxy { object["cacheProxy"] = .string(cacheProxy) }
        if let document { object["document"] = .string(document) }
        if let dataVersion { object["dataVersion"] = .string(dataVersion) }
        object["policy"] = policy.json
        return .object(object)
    }

    private func texts(_ values: [String: String]) -> JSONObject { members(values.map { ($0, .string($1)) }) }

    private func members(_ pairs: [(String, JSON)]) -> JSONObject {
        var object = JSONObject()
        for (name, value) in pairs.sorted(by: { $0.0 < $1.0 }) { object[name] = value }
        return object
    }

    private static func withoutSecrets(_ address: String) -> String {
        var reference = URLReference(address)
        let remaining = (reference.query ?? "").split(separator: "&").filter { item in
            !SecretNames.isSecret(item.prefix { $0 != "=" }) || item.contains("{")
        }
        reference.query = remaining.isEmpty ? nil : remaining.joined(separator: "&")
        if reference.userInfo?.contains("{") == false {
            reference.authority = reference.authority?.split(separator: "@").last.map(String.init)
        }
        return reference.description
    }
}

extension SourcePolicy {
    /// The policy as part of an entry in a list of sources.
    public var json: JSON {
        var object = JSONObject()
        object["offline"] = .string(offline.rawValue)
        object["lookAhead"] = .bool(lookAhead)
        if !viewing { object["viewing"] = false }
        object["connections"] = .integer(connections)
        if let requestsPerSecond { object["requestsPerSecond"] = .number(requestsPerSecond) }
        object["minimumCacheSeconds"] = .integer(Int(minimumCacheSeconds))
        object["archives"] = .bool(archives)
        if !sharedCache { object["sharedCache"] = false }
        object["packLimit"] = .count(packLimit)
        if let policyURL { object["policyURL"] = .string(policyURL) }
        if let reportURL { object["reportURL"] = .string(reportURL) }
        return .object(object)
    }
}
