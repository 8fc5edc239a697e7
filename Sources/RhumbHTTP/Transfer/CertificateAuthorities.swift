internal import Glibc

/// The authorities that certify servers, in addition to the system's list or instead of it.
public struct CertificateAuthorities: Sendable, Equatable {
    /// A PEM file with their certificates; nil for the system's.
    public var file: String?
    /// A folder of PEM files named by hash as by openssl-rehash(1), or several folders separated by colons.
    public var folder: String?

    /// Creates authorities from a file, from a folder, or from the system.
    public init(file: String? = nil, folder: String? = nil) { (self.file, self.folder) = (file, folder) }

    /// Reads the authorities from the environment like curl: `CURL_CA_BUNDLE`, or else `SSL_CERT_FILE` and
    /// `SSL_CERT_DIR`.
    /// - Parameter named: A file that was named in another way and takes precedence.
    public init(_ environment: [String: String], named: String? = nil) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let file = named ?? value("CURL_CA_BUNDLE") {
            self.init(file: file)
        } else {
            self.init(file: value("SSL_CERT_FILE"), folder: value("SSL_CERT_DIR"))
        }
    }

    /// The first file or folder that can't be read; nil if all can.
    public var unreadable: String? {
        let folders = folder?.split(separator: ":").map(String.init) ?? []
        return ([file].compactMap { $0 } + folders).first { access($0, R_OK) != 0 }
    }
}
