public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// The documents that describe sources, and the keys in them.
extension WebSourceOpener {
    /// Returns the source that a TileJSON document describes, with the definition's remaining properties.
    /// - Parameter json: The document.
    /// - Throws: `WebSourceFailure` if it is not TileJSON.
    public func described(
        _ source: SourceDefinition, by json: JSON
    ) throws(WebSourceFailure) -> SourceDefinition {
        let plain = try withoutKeys(json, of: source), url = try url(of: source)
        return try converting(
            TileJSON.read(plain, from: url, id: source.id, base: providers.governed(source)),
            to: WebSourceFailure.source)
    }

    /// Returns a document with tokens in place of the keys of its request. Servers write these keys into
    /// addresses, which may be on other servers.
    func withoutKeys(_ json: JSON, of source: SourceDefinition) throws(WebSourceFailure) -> JSON {
        do throws(SourceFailure) {
            let secrets = try providers.governed(source).secrets(
                environment: environment, configuration: keys)
            return secrets.reduce(json) { $0.masked($1.value, with: "{\($1.key)}") }
        } catch {
            throw .source(error)
        }
    }

    /// Returns the address of a source's document without keys, as the base of relative addresses.
    func url(of source: SourceDefinition) throws(WebSourceFailure) -> String {
        return try converting(
            source.templates(environment: environment).first?.canonical ?? "", to: WebSourceFailure.source)
    }

    func json(_ document: Document) throws(WebSourceFailure) -> JSON {
        return try converting(document.json(), to: WebSourceFailure.document)
    }

    /// Returns the JSON of a source's document.
    func json(_ document: Document, of source: SourceDefinition) throws(WebSourceFailure) -> JSON {
        let isJSON = document.body.first == UInt8(ascii: "{")
        if FeatureReader.mayHold(document.body, isNamedJSON: isJSON) == true {
            throw .document(.features(address: try url(of: source)))
        }
        return try json(document)
    }

    /// Returns the resource of a document at an address, with its keys filled in.
    /// - Parameter isLocal: True if the document may be a file on this machine.
    /// - Throws: `WebSourceFailure` if a key is missing or not meant for that server.
    public func resource(
        document address: String, isLocal: Bool = false
    ) throws(WebSourceFailure) -> WebResource {
        var source = SourceDefinition(id: URLReference(address).host ?? "", name: "", addresses: [address])
        source.kind = .tilejson
        source.isLocal = isLocal
        source.nameKeys()
        return try resource(source)
    }

    /// Returns the resource that a source is opened from: its document, or the start of its archive.
    /// - Throws: `WebSourceFailure` for an invalid definition or a missing key.
    public func resource(_ source: SourceDefinition) throws(WebSourceFailure) -> WebResource {
        let source = providers.governed(source)
        do throws(SourceFailure) {
            let address = try source.documentAddress(environment: environment, configuration: keys)
            let start = ByteRange(offset: 0, count: UInt64(PMTilesIndex.startLength))
            var resource = WebResource(
                document: address, range: source.kind == .archive ? start : nil, rules: source.rules,
                headers: source.headers)
            resource.passesThrough = { [passesThrough, feature = source.feature] in passesThrough(feature) }
            return resource
        } catch {
            throw .source(error)
        }
    }
}
