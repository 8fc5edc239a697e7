internal import Glibc
internal import Synchronization

/// A real Varnish on a free port of 127.0.0.1, with its own temporary folder.
public final class VarnishServer: Sendable {
    public let port: UInt16
    private let folder = TemporaryFolder()
    private let process: pid_t
    private let hasEnded = Mutex(false)

    /// The path of Varnish; nil if it is not installed.
    public static let program: String? = ["/usr/sbin/varnishd", "/usr/local/sbin/varnishd"].first {
        access($0, X_OK) == 0
    }

    /// Starts Varnish. Fails if it is not installed or doesn't start.
    /// - Parameter configuration: The text of its VCL file.
    public init?(configuration: String) {
        guard let program = VarnishServer.program, let listener = try? Socket.listen(on: 0) else {
            return nil
        }
        port = Socket.port(of: listener)
        Socket.close(listener)
        chmod(folder.path, 0o755)
        folder.write(Array(configuration.utf8), to: "rhumb.vcl")
        let words = [
            "-F", "-a", "127.0.0.1:\(port)", "-f", "\(folder.path)/rhumb.vcl", "-n", "\(folder.path)/work",
            "-s", "malloc,64m", "-j", "none",
        ]
        guard let process = NginxServer.spawn(program, words) else { return nil }
        self.process = process
        guard Socket.waitForListener(port) else { return nil }
    }

    deinit { stop() }

    public var url: String { "http://127.0.0.1:\(port)" }

    /// Kills the process.
    public func stop() { NginxServer.end(process, hasEnded) }
}
