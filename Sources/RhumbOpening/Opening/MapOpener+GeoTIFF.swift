internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Addresses of GeoTIFF files.
enum GeoTIFFAddress {
    /// Returns true for the address of a .tif or .tiff file.
    static func matches(_ address: String) -> Bool {
        let path = URLReference(address).path.lowercased()
        return !address.contains("{") && [".tif", ".tiff"].contains(where: path.hasSuffix)
    }
}

extension MapOpener {
    /// Opens a GeoTIFF on a server.
    func geoTIFF(
        _ address: String, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> TileLayer {
        let resource: WebResource
        do throws(WebSourceFailure) {
            resource = try web.resource(document: address)
        } catch {
            throw .web(error)
        }
        // Opens the stores here, where waiting for them is allowed.
        _ = web.loader.store
        let file = RemoteFile(resource: resource, loader: web.loader)
        let isStored = web.loader.stored(file.beginning) != nil
        let name = TileProbes.stem(URLReference(address).path)
        if !isStored { onFetch(name) }
        do throws(ArchiveFailure) {
            return try await RemoteGeoTIFF.open(
                file, name: name, prefersStored: isStored && !asksFirst
            ).layer(id: "web:\(address)")
        } catch {
            throw .archive(error)
        }
    }
}
