internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// A catalogue in a form that is read at once, kept beside its document, of which it says nothing more.
/// Where there is none, or it is damaged or of another document, it is made of the document anew.
///
///     "RhumbPC2"
///     check      of all that follows: a text document   its hash and address: a text versions   of editions,
///     each once: texts catalogue  id, titles, attribution; its packages: id, parent, level, titles, area,
///     content, zooms, editions
///
/// Counts and other numbers are unsigned LEB128; a text is the count of its bytes, and UTF-8; a list has its
/// count before it, and what may be missing is a list; coordinates are IEEE 754, 8 bytes, the lowest first.
struct PackedCatalog {
    /// The store that holds it; nil for none.
    private let store: (any ResponseStore)?
    private let key: ResourceKey

    private static let mark = Array("RhumbPC2".utf8)

    /// - Parameters:
    ///   - address: that the document is kept under.
    ///   - store: nil where it may not be kept.
    init(of address: String, in store: (any ResponseStore)?) {
        key = .document(address + "#packages")
        self.store = store
    }

    /// The catalogue of a document.
    /// - Parameter address: where the document was found: others in it are relative to that.
    /// - Throws: `PackageCatalogFailure`
    func catalog(_ document: [UInt8], at address: String) throws(PackageCatalogFailure) -> PackageCatalog {
        let name = "\(ContentHash(document)) \(address)"
        if let kept = store?.response(for: key)?.body, let catalog = PackedCatalog.unpacked(kept, of: name) {
            return catalog
        }
        let catalog = try PackageCatalog(document, at: address)
        let life = Freshness(receivedAt: .now, initialAge: 0, lifetime: 0)
        store?.keep(StoredResponse(body: PackedCatalog.packed(catalog, of: name), freshness: life), for: key)
        return catalog
    }

    /// - Parameter document: what tells it from others.
    static func packed(_ catalog: PackageCatalog, of document: String) -> [UInt8] {
        var content = PackedCatalogWriter()
        content.add(document)
        content.add(catalog)
        var head = PackedCatalogWriter()
        head.add(ContentHash(content.bytes).description)
        return mark + head.bytes + content.bytes
    }

    /// Nil where the bytes are not as described, or of another document.
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
