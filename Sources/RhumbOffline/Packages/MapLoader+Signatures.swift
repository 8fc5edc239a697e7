internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// Signed catalogues.
extension MapLoader {
    /// Returns a sentence with the fingerprint of the catalogue's key if users should compare it with the
    /// publisher's: at the first installation, and when another key replaced it. nil if there is nothing new.
    /// Each key is reported once.
    public func takeKeyNotice() -> String? {
        let notice = loaded?.signature?.notice
        loaded?.signature?.news = nil
        return notice
    }

    /// Returns the catalogue with its signature.
    /// - Throws: `MapLoaderFailure.untrusted`
    func verified(
        _ loaded: LoadedCatalog, _ body: [UInt8], _ files: CatalogSignature.Files, _ pin: CatalogSignature.Pin
    ) throws(MapLoaderFailure) -> LoadedCatalog {
        var loaded = loaded
        loaded.signature = try CatalogSignature.verified(
            loaded.catalog, body, files, pin, at: opener.loader.date())
        if loaded.signature != nil { loaded.signatureDocuments = files.documents }
        return loaded
    }

    /// Returns the key with which a catalogue must be signed, as far as it is known.
    func pin(of catalog: PackageCatalog) throws(MapLoaderFailure) -> CatalogSignature.Pin {
        var pin = CatalogSignature.Pin(demanded: key)
        let records = try MapLoader.storing { () throws(RegionStoreFailure) in try regions.store.regions() }
        for record in records where record.package?.catalog == catalog.id { pin.add(record) }
        return pin
    }

    /// Loads the files beside a catalogue on a server. Nothing is requested for a catalogue that needs none.
    func signatureFiles(
        of catalog: PackageCatalog, _ pin: CatalogSignature.Pin, isReload: Bool
    ) async throws(MapLoaderFailure) -> CatalogSignature.Files {
        var files = CatalogSignature.Files()
        guard catalog.isSigned || !pin.isEmpty else { return files }
        files.signature = try await file(CatalogSignature.suffix, &files, isReload)
        let signature = files.signature.flatMap { try? MinisignSignature($0) }
        if let key = pin.key, signature?.isMade(by: key) != false { return files }
        files.key = try await file(CatalogSignature.keySuffix, &files, isReload)
        if pin.key != nil {
            files.succession = try await file(CatalogSignature.successionSuffix, &files, isReload)
        }
        return files
    }

    private func file(
        _ suffix: String, _ files: inout CatalogSignature.Files, _ isReload: Bool
    ) async throws(MapLoaderFailure) -> [UInt8]? {
        let resource = try resource(suffix)
        do throws(DocumentFailure) {
            let document = try await opener.loader.load(resource, isReload: isReload)
            // A withdrawn signature is missing, and not the one of an earlier catalogue.
            if case .outdated(let failure?) = document.standing, failure.isGone { return nil }
            if document.isStorable {
                files.documents.append(RegionDocument(address: document.address, document.stored))
            }
            return document.body
        } catch {
            if case .absent = error { return nil }
            throw MapLoaderFailure(error)
        }
    }

    /// Returns the files beside a catalogue without a request.
    func storedSignatureFiles() -> CatalogSignature.Files {
        var files = CatalogSignature.Files()
        files.signature = storedFile(CatalogSignature.suffix, &files)
        files.key = storedFile(CatalogSignature.keySuffix, &files)
        files.succession = storedFile(CatalogSignature.successionSuffix, &files)
        return files
    }

    private func storedFile(_ suffix: String, _ files: inout CatalogSignature.Files) -> [UInt8]? {
        guard SourceDefinition.isAddress(address) else {
            let path = localPath + suffix
            files.documents += [CachedFile.document(path)].compactMap(\.self)
            return CachedFile.read(path, opener.loader.store)
        }
        guard let document = (try? resource(suffix)).flatMap({ opener.loader.stored($0) }) else { return nil }
        files.documents.append(RegionDocument(address: document.address, document.stored))
        return document.body
    }

    /// Returns the source of a package that stores only tiles with the signed hashes.
    func checked(
        _ offered: PackageSource, _ package: CatalogPackage
    ) async throws(MapLoaderFailure) -> PackageSource {
        guard var archive = offered.archive, let hashes = offered.hashes, hashes.isSecure,
            await archive.fits(hashes, size: package.edition?.archiveBytes)
        else {
            let reason = offered.problem.isEmpty ? "it has another length or content" : offered.problem
            throw CatalogSignature.untrusted(
                "\(package.id): its archive is not the one in the signed catalogue (\(reason)); try again later"
            )
        }
        var offered = offered
        archive.signed = hashes
        offered.source.supply = archive
        return offered
    }

    /// Stores the time of the signature with all installed packages, so that no older catalogue is accepted.
    func noteSignature(of loaded: LoadedCatalog) throws(MapLoaderFailure) {
        guard let signature = loaded.signature else { return }
        let installed = try installed(loaded)
        for package in loaded.catalog.packages where installed[package.id]?.record.definition != nil {
            try note(package, in: loaded) { members in
                // The member "key" stays that of the stored edition, whose catalogue it has signed.
                members["pin"] = .string(signature.key.text)
                members["signed"] = .integer(Int(clamping: signature.time.value))
            }
        }
    }
}
