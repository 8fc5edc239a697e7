internal import Glibc

/// A server's certificate and key for 127.0.0.1 and localhost, signed by an authority made only for the
/// test.
public final class TestIdentity: Sendable {
    private let folder = TemporaryFolder()
    /// The path of the authority that a program must trust.
    public var authority: String { trusted + "/authority.pem" }
    /// The path of a folder of trusted authorities with only this one.
    public var trusted: String { folder.path + "/trusted" }
    public var certificate: String { folder.path + "/certificate.pem" }
    public var key: String { folder.path + "/key.pem" }

    /// The path of openssl(1).
    private static let program = "/usr/bin/openssl"
    /// True if openssl(1), which makes the certificates, is installed.
    public static let canBeMade = access(program, X_OK) == 0

    /// Makes a certificate. Fails if openssl(1) is not installed or fails.
    public init?() {
        let kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-x509"]
        let names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
        mkdir(trusted, 0o700)
        let authorityKey = folder.path + "/authority-key.pem"
        guard
            TestIdentity.request(kind + ["-subj", "/CN=Test", "-keyout", authorityKey, "-out", authority]),
            TestIdentity.request(
                kind + names + [
                    "-CA", authority, "-CAkey", authorityKey, "-keyout", key, "-out", certificate,
                ]),
            TestIdentity.run(["rehash", trusted])
        else { return nil }
    }

    private static func request(_ words: [String]) -> Bool { run(["req"] + words) }

    private static func run(_ words: [String]) -> Bool {
        canBeMade && ChildProgram(program, words, errors: "/dev/null").wait() == 0
    }
}
