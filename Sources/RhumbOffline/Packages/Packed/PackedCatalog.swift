internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// A binary form of a catalogue that loads quickly, cached beside its document. If it is missing, damaged or
/// made from another document, it is created again from the document.
///
///     "RhumbPC4"
///     check       content hash of everything that follows: a text
///     document    its hash and address: a text
///     versions    of editions, without duplicates: texts
///     catalogue   id, titles, attribution, signed, expires; its packages: id, parent, level, titles, area,
///                 content, zooms, editions
///
/// Counts and other numbers are unsigned LEB128. A text is its count of bytes, followed by UTF-8. A list
/// begins with its count; an optional value is a list of at most one. Coordinates are 8-byte IEEE 754 numbers
/// in little-endian order.
struct PackedCatalog {
    /// The cache of the binary form; nil for none.
    private let store: (any ResponseStore)?
    private let key: ResourceKey

    private static let mark = Array("RhumbPC4".utf8)

    /// - Parameters:
    ///   - address: The address of the stored document.
    ///   - store: The cache of the binary form; nil if it may not be stored.
    init(of address: String, in store: (any ResponseStore)?) {
        key = .document(address + "#packages")
        self.store = store
    }

    /// Returns the catalogue of a document.
    /// - Parameter address: The document's address; relative addresses in it are resolved against it.
    /// - Throws: `PackageCatalogFailure`
    func catalog(_ document: [UInt8], at address: String) throws(PackageCatalogFailure) -> PackageCatalog {
        let name = "\(ContentHash(document)) \(address)"
        if let cached = store?.response(for: key)?.body,
            let catalog = PackedCatalog.unpacked(cached, of: name)
        {
            return catalog
        }
        let catalog = try PackageCatalog(document, at: address)
        let life = Freshness(receivedAt: .now, initialAge: 0, lifetime: 0)
        store?.store(StoredResponse(body: PackedCatalog.packed(catalog, of: name), freshness: life), for: key)
        return catalog
    }

    /// - Parameter document: The document's hash and address.
    static func packed(_ catalog: PackageCatalog, of document: String) -> [UInt8] {
        var content = PackedCatalogWriter()
        content.add(document)
        content.add(catalog)
        var head = PackedCatalogWriter()
        head.add(ContentHash(content.bytes).description)
        return mark + head.bytes + content.bytes
    }

    /// Returns a catalogue from its binary form; nil if that is damaged or made from another document.
    static func unpacked(_ bytes: [UInt8], of document: String) -> PackageCatalog? {
        guard bytes.starts(with: mark) else { return nil }
        return bytes.withUnsafeBytes { memory in
            var reader = PackedCatalogReader(memory[mark.count...])
            guard let check = try? reader.text(), check == ContentHash(Array(reader.rest)).description,
                (try? reader.text()) == document
            else { return nil }
            return try? reader.catalog()
        }
    }
}
