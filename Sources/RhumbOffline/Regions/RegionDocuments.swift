internal import RhumbCore
public import RhumbEngine
public import RhumbHTTP
public import RhumbStore

extension DocumentLoader {
    /// Returns the documents that a region needs to show its map offline, fetching those that are not stored.
    /// - Parameter others: Additional documents, such as a style that the user named.
    /// - Throws: `DocumentFailure`, also for a document that may not be stored.
    public func documents(
        of sources: [RegionSource], and others: [WebResource] = []
    ) async throws(DocumentFailure) -> [RegionDocument] {
        var documents: [RegionDocument] = []
        for resource in sources.flatMap(\.layer.documents) + others {
            guard case .document(let address)? = resource.key,
                !documents.contains(where: { $0.address == address })
            else { continue }
            let document = try await load(resource)
            guard document.isStorable else {
                throw .unreadable(
                    address: address, "the server forbids storing it (no-store), but the region needs it")
            }
            documents.append(RegionDocument(address: address, document.stored))
        }
        return documents
    }
}
