internal import Glibc

/// The authorities that certify servers, beside or instead of the system's list.
public struct CertificateAuthorities: Sendable, Equatable {
    /// A PEM file with their certificates; nil: the system's.
    public var file: String?
    /// A folder of PEM files, named by hash as openssl-rehash(1) does; several with colons between.
    public var folder: String?

    /// Authorities in a file, in a folder, or where the system has them.
    public init(file: String? = nil, folder: String? = nil) { (self.file, self.folder) = (file, folder) }

    /// Reads the authorities from the environment like curl: `CURL_CA_BUNDLE`, or else `SSL_CERT_FILE` and
    /// `SSL_CERT_DIR`.
    /// - Parameter named: A file that was given otherwise and comes first.
    public init(_ environment: [String: String], named: String? = nil) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let file = named ?? value("CURL_CA_BUNDLE") {
            self.init(file: file)
        } else {
            self.init(file: value("SSL_CERT_FILE"), folder: value("SSL_CERT_DIR"))
        }
    }

    /// The first file or folder of them that can't be read; nil if all can.
    public var unreadable: String? {
        let folders = folder?.split(separator: ":").map(String.init) ?? []
        return ([file].compactMap { $0 } + folders).first { access($0, R_OK) != 0 }
    }
}
