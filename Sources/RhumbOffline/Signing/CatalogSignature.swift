internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// The verified signature of a catalogue.
struct CatalogSignature: Sendable, Equatable {
    let key: MinisignKey
    /// The time at which the catalogue was signed.
    let time: UnixSeconds
    /// The reason to show the key to the user; nil for a known one.
    var news: News?

    /// A key that the user should learn about.
    enum News: Sendable {
        /// No earlier catalogue and no option named the key.
        case first
        /// The key of the earlier catalogues signed this one.
        case successor
    }

    /// A sentence about a key that the user should compare with the publisher's; nil for a known one.
    var notice: String? {
        switch news {
        case .first: "the catalogue is signed with the key \(key.fingerprint); later ones must be, too"
        case .successor: "the publisher has replaced the key of the catalogue by \(key.fingerprint)"
        case nil: nil
        }
    }

    /// The ends of the names of the files beside a catalogue.
    static let suffix = ".minisig", keySuffix = ".pub", successionSuffix = ".pub.minisig"
    /// The suffixes of the catalogue and of the files beside it.
    static let suffixes = ["", suffix, keySuffix, successionSuffix]
    /// The number of seconds by which a clock may be wrong.
    private static let tolerance: Int64 = 600

    /// The files beside a catalogue.
    struct Files: Sendable {
        var signature: [UInt8]?
        var key: [UInt8]?
        /// The signature of `key` by the key that it replaces.
        var succession: [UInt8]?
        /// The documents to store with packages, so that the signature can be checked without a network.
        var documents: [RegionDocument] = []
    }

    /// The requirements of a catalogue's signature that are known before it is read.
    struct Pin: Sendable {
        /// The key with which the catalogue of installed packages was signed; nil for none.
        var key: MinisignKey?
        /// The time of the newest signature of that catalogue.
        var time = UnixSeconds(0)
        /// The key that the user demands, or its fingerprint; nil for any.
        var demanded: String?

        var isEmpty: Bool { key == nil && demanded == nil }

        /// Adds the key of an installed package.
        mutating func add(_ record: RegionRecord) {
            let package = record.definition?.metadata["package"], name = package?["pin"] ?? package?["key"]
            let time = UnixSeconds(Int64(package?["signed"]?.int ?? 0))
            guard let key = name?.string.flatMap({ MinisignKey($0) }), self.key == nil || time > self.time
            else {
                return
            }
            self.key = key
            self.time = time
        }
    }

    /// Verifies the signature of a catalogue.
    /// - Returns: The signature; nil if the catalogue has none and needs none.
    /// - Throws: `MapLoaderFailure.untrusted`
    static func verified(
        _ catalog: PackageCatalog, _ document: [UInt8], _ files: Files, _ pin: Pin, at now: UnixSeconds
    ) throws(MapLoaderFailure) -> CatalogSignature? {
        guard catalog.isSigned || !pin.isEmpty else { return nil }
        let name = "the catalogue \(catalog.id)"
        let (key, news) = try key(of: name, files, pin)
        guard let bytes = files.signature, !bytes.isEmpty else {
            throw untrusted(
                "\(name) is not signed, but must be; ask its publisher"
                    + (pin.key == nil
                        ? "" : ", and only if that is intended, remove its packages and install them again"))
        }
        let comment: String
        do throws(MinisignFailure) {
            comment = try MinisignSignature(bytes).verify(document, by: key)
        } catch .library {
            throw untrusted("\(name) can't be checked: \(MinisignFailure.library)")
        } catch .otherKey {
            throw untrusted(
                "\(name) is signed with another key than \(key.fingerprint); ask its publisher"
                    + (pin.key == nil ? "" : ", and only if that is intended, demand the new key"))
        } catch {
            let advice = error == .legacy ? "its publisher must sign it without -l" : "try again later"
            throw untrusted("the signature of \(name) is invalid: \(error); \(advice)")
        }
        let time = time(in: comment)
        guard time.seconds(since: now) <= tolerance else {
            throw untrusted(
                "\(name) was signed at \(time.iso8601), which is in the future; set this computer's clock")
        }
        guard time >= pin.time else {
            throw untrusted(
                "\(name) is older than the one of \(pin.time.iso8601), which this computer knows; try again later"
            )
        }
        if let expires = catalog.expires, now.day > expires {
            throw untrusted("\(name) expired on \(expires); ask its publisher for a new one")
        }
        if let open = catalog.packages.first(where: { !$0.isCovered }) {
            throw untrusted("\(name) does not sign the tiles of package \(open.id); ask its publisher to")
        }
        return CatalogSignature(key: key, time: time, news: news)
    }

    /// Returns the key that the signature needs: the demanded one, else the pinned one or the one that it
    /// signed as its successor. The key beside the catalogue counts only if none is known.
    private static func key(
        of name: String, _ files: Files, _ pin: Pin
    ) throws(MapLoaderFailure) -> (MinisignKey, News?) {
        let beside = files.key.flatMap { MinisignKey(String(decoding: $0, as: UTF8.self)) }
        if let demanded = pin.demanded {
            let own = MinisignKey(demanded), name = own?.text ?? demanded
            let found = [own, beside, pin.key].compactMap(\.self)
            if let key = found.first(where: { $0.isNamed(name) }) { return (key, nil) }
            if let other = found.first {
                throw untrusted(
                    "\(name) has the key \(other.fingerprint), which is not the demanded one; check both")
            }
        } else if let pinned = pin.key {
            guard let beside, let key = files.key, let succession = files.succession, beside != pinned,
                (try? MinisignSignature(succession).verify(key, by: pinned)) != nil
            else { return (pinned, nil) }
            return (beside, .successor)
        }
        guard let beside else {
            throw untrusted("the key of \(name) is missing; name it with the publisher's key file")
        }
        return (beside, .first)
    }

    /// Returns the time in a signed comment, as minisign writes it; the earliest one if there is none.
    private static func time(in comment: String) -> UnixSeconds {
        let field = comment.split { $0 == "\t" || $0 == " " }.first { $0.hasPrefix("timestamp:") }
        return UnixSeconds(field.flatMap { Int64($0.dropFirst("timestamp:".count)) } ?? 0)
    }

    static func untrusted(_ sentence: String) -> MapLoaderFailure { MapLoaderFailure(.untrusted, sentence) }
}

extension CatalogPackage {
    /// True if the catalogue contains the hash of everything that is fetched for the package.
    var isCovered: Bool {
        guard let content else { return true }
        if case .archive = content { return edition?.hashes != nil && edition?.sha256 != nil }
        return false
    }
}

/// Imported packages with a signature.
extension CatalogSignature {
    /// Returns the reason why a package from a set is refused; nil if it is not signed and needs no
    /// signature, or each of its tiles has the signed hash.
    /// - Parameters:
    ///   - documents: The package's documents by address.
    ///   - archives: The paths of its tiles.
    static func refusal(
        of definition: RegionDefinition, _ documents: [String: [UInt8]], _ archives: [String],
        _ store: RegionStore,
        at now: UnixSeconds
    ) throws -> String? {
        guard let name = PackageName(regionID: definition.id.text) else { return nil }
        var pin = Pin()
        for record in try store.regions() where record.package?.catalog == name.catalog { pin.add(record) }
        let stated = definition.metadata["package"]?["key"]?.string.flatMap { MinisignKey($0) }
        guard stated != nil || pin.key != nil else { return nil }
        let signature = documents.first {
            documents[$0.key + suffix] != nil && !$0.key.hasSuffix(keySuffix)
        }
        guard let (address, body) = signature, let catalog = try? PackageCatalog(body, at: address),
            catalog.id == name.catalog
        else { return "the catalogue of \(name) is not signed, but must be; ask its publisher" }
        let files = Files(
            signature: documents[address + suffix],
            key: documents[address + keySuffix] ?? stated.map { Array($0.file.utf8) },
            succession: documents[address + successionSuffix])
        do throws(MapLoaderFailure) {
            _ = try verified(catalog, body, files, pin, at: now)
        } catch {
            return error.message
        }
        let sums = Set(catalog.tree[name.package]?.editions.compactMap(\.sha256) ?? [])
        let list = documents.values.first {
            $0.starts(with: TileHashes.secureMark) && sums.contains(SHA256Sum.of($0) ?? "")
        }
        guard let list, let hashes = try? TileHashes(list) else {
            return "the signed list of its tiles is missing"
        }
        for path in archives {
            let archive = try PMTilesArchive(path)
            var isSame = true
            try archive.walk(.bodies()) { run in
                let digest = TileDigest(ofUnpacked: try run.plain(in: path))
                isSame =
                    isSame
                    && run.ids.allSatisfy { id in TileID(hilbertID: id).flatMap { hashes[$0] } == digest }
            }
            if !isSame {
                return
                    "a tile \(RemoteArchiveSupply.mismatch), or lacks data groups; export it with all of them"
            }
        }
        return nil
    }
}
