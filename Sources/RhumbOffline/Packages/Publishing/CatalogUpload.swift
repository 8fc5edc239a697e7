public import RhumbCore
public import RhumbHTTP
internal import RhumbOpening

/// Uploads a published folder to an object store. The archives and the lists of hashes come first and the
/// catalogue last, so that readers never see packages whose files are missing.
public struct CatalogUpload {
    private let folder: String
    private let address: String
    private let uploader: S3Uploader

    /// - Parameters:
    ///   - folder: The folder with the catalogue.
    ///   - address: The address of the folder in the store, such as `s3://maps/finland`.
    public init(_ folder: String, to address: String, _ uploader: S3Uploader) {
        self.folder = folder
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.uploader = uploader
    }

    /// The result of an upload.
    public struct Outcome: Sendable, Equatable {
        /// The names of the uploaded files.
        public fileprivate(set) var uploaded: [String] = []
        /// The names of the files that the store already had.
        public fileprivate(set) var unchanged: [String] = []
    }

    /// Uploads the files of a catalogue, and then the catalogue.
    /// - Throws: `S3Uploader.Failure`. The catalogue in the store is then unchanged.
    public func upload(_ catalog: PackageCatalog) throws(S3Uploader.Failure) -> Outcome {
        let place = "\(address)/\(CatalogPublisher.fileName)", bytes = Array(catalog.json.text.utf8)
        let old = try uploader.object(at: place)
        if let old { try check(old.body, against: catalog, place) }
        var outcome = Outcome()
        let names = CatalogUpload.files(of: catalog).filter { Files.exists(folder + "/" + $0) }
        let sizes = names.map { Files.size(folder + "/" + $0) ?? 0 }, total = sizes.reduce(0, +)
        for (at, name) in names.enumerated() {
            let result = WorkProgress.part(after: sizes[..<at].reduce(0, +), of: total) {
                Result { () throws(S3Uploader.Failure) in
                    try uploader.upload(
                        folder + "/" + name, to: "\(address)/\(name)", type: CatalogUpload.type(of: name))
                }
            }
            if try result.get() { outcome.uploaded.append(name) } else { outcome.unchanged.append(name) }
        }
        guard old?.body != bytes else {
            outcome.unchanged.append(CatalogPublisher.fileName)
            return outcome
        }
        let condition: S3Uploader.Condition =
            old.map { $0.etag.map { .unchanged(etag: $0) } ?? .none } ?? .absent
        try uploader.put(bytes, to: place, type: "application/json", condition)
        outcome.uploaded.append(CatalogPublisher.fileName)
        return outcome
    }

    /// Throws if the store's catalogue has editions that this one lacks, because another user published them.
    private func check(
        _ bytes: [UInt8], against catalog: PackageCatalog, _ place: String
    ) throws(S3Uploader.Failure) {
        guard let stored = try? PackageCatalog(bytes, at: CatalogPublisher.fileName) else { return }
        for package in stored.packages {
            guard let edition = package.edition else { continue }
            let own = catalog.packages.first { $0.id == package.id }?.edition
            guard own.map({ $0.version < edition.version }) ?? true else { continue }
            throw .conflict(
                "\(place): the store has edition \(edition.version) of \(SafeText.sanitised(package.id)), which is "
                    + "not in this folder; download its catalogue and publish again")
        }
    }

    /// Returns the relative paths of the archives and the lists of hashes.
    private static func files(of catalog: PackageCatalog) -> [String] {
        catalog.packages.flatMap { package -> [String] in
            guard case .archive(let archive)? = package.content else { return [] }
            return [archive] + package.editions.compactMap(\.hashes)
        }
        .filter { URLReference($0).scheme == nil && !$0.hasPrefix("/") }
    }

    private static func type(of name: String) -> String {
        name.hasSuffix(".pmtiles") ? "application/vnd.pmtiles" : "application/octet-stream"
    }
}
