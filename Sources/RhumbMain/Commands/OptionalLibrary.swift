internal import Rhumb
internal import RhumbDrawing
internal import RhumbHTTP
internal import RhumbServer
internal import RhumbStore

/// A library that is loaded for the first function that needs it.
struct OptionalLibrary {
    let name: String
    /// The Debian package of the library.
    let package: String
    let purpose: String
    let isFound: Bool

    /// The libraries that Rhumb can load, the most important ones first.
    static var all: [OptionalLibrary] {
        [
            OptionalLibrary(
                name: "libcairo", package: "libcairo2", purpose: "vector maps, images",
                isFound: VectorPainter.canDraw),
            OptionalLibrary(
                name: "libspng", package: "libspng0", purpose: "PNG tiles and images",
                isFound: SniffingDecoder.canDecodePNG),
            OptionalLibrary(
                name: "libexpat", package: "libexpat1", purpose: "GPX, KML and other XML",
                isFound: XMLParser.isAvailable),
            OptionalLibrary(
                name: "libcurl", package: "libcurl4", purpose: "web maps, downloads, online search",
                isFound: HTTPClient.isAvailable),
            OptionalLibrary(
                name: "libcrypto", package: "libssl3", purpose: "signatures, object stores",
                isFound: SHA256Sum() != nil),
            OptionalLibrary(
                name: "libbrotlidec", package: "libbrotli1", purpose: "archives compressed with Brotli",
                isFound: Compression.brotli.missingPackage == nil),
            OptionalLibrary(
                name: "libzstd", package: "libzstd1", purpose: "archives compressed with Zstandard",
                isFound: Compression.zstd.missingPackage == nil),
            OptionalLibrary(
                name: "libmicrohttpd", package: "libmicrohttpd12", purpose: "the map server",
                isFound: HTTPServer.isAvailable),
        ]
    }

    /// The state of the library and its purpose.
    var state: String {
        isFound ? "found, for \(purpose)" : "missing, for \(purpose); install \(package)"
    }
}
