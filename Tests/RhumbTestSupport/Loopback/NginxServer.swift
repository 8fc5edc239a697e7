internal import Glibc
internal import Synchronization

/// A real nginx on a free port of 127.0.0.1, with its own temporary folder.
public final class NginxServer: Sendable {
    public let port: UInt16
    private let folder = TemporaryFolder()
    private let process: pid_t
    private let isSecure: Bool
    private let hasEnded = Mutex(false)

    /// The path of nginx; nil if it is not installed.
    public static let program: String? = {
        let places: [String] = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
        return places.first { access($0, X_OK) == 0 }
    }()

    /// Starts nginx with files, given by their paths relative to the root. Fails if nginx is not installed
    /// or doesn't start.
    /// - Parameters:
    ///   - extra: Additional lines of the server's configuration.
    ///   - identity: The server's identity for HTTPS; nil for plain HTTP.
    public init?(files: [String: [UInt8]], extra: String = "", identity: TestIdentity? = nil) {
        guard let program = NginxServer.program, let listener = try? Socket.listen(on: 0) else { return nil }
        port = Socket.port(of: listener)
        Socket.close(listener)
        chmod(folder.path, 0o755)
        for (path, bytes) in files { folder.write(bytes, to: "root/" + path) }
        isSecure = identity != nil
        let configuration = NginxServer.configuration(folder.path, port, identity, extra)
        folder.write(Array(configuration.utf8), to: "nginx.conf")
        guard let process = NginxServer.spawn(program, folder.path) else { return nil }
        self.process = process
        guard Socket.waitForListener(port) else { return nil }
    }

    /// Starts nginx with a configuration for its folder `conf.d`, such as the manual's. Its port 8080 and its
    /// cache are replaced.
    public init?(site: String) {
        guard let program = NginxServer.program, let listener = try? Socket.listen(on: 0) else { return nil }
        port = Socket.port(of: listener)
        Socket.close(listener)
        isSecure = false
        chmod(folder.path, 0o755)
        let site = site.replacing("/var/cache/nginx/rhumb", with: "\(folder.path)/cache")
            .replacing("listen 8080", with: "listen 127.0.0.1:\(port)")
        let text = NginxServer.configuration(folder.path, site: site)
        folder.write(Array(text.utf8), to: "nginx.conf")
        guard let process = NginxServer.spawn(program, folder.path) else { return nil }
        self.process = process
        guard Socket.waitForListener(port) else { return nil }
    }

    deinit { stop() }

    /// Ends the process.
    public func stop() { NginxServer.end(process, hasEnded) }

    /// Ends a process, once.
    static func end(_ process: pid_t, _ hasEnded: borrowing Mutex<Bool>) {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return }
            hasEnded = true
            kill(process, SIGTERM)
            waitpid(process, nil, 0)
        }
    }

    public func url(_ path: String) -> String { "http\(isSecure ? "s" : "")://127.0.0.1:\(port)/\(path)" }

    /// Replaces a file.
    public func replace(_ path: String, by bytes: [UInt8]) { folder.write(bytes, to: "root/" + path) }

    private static func configuration(
        _ folder: String, _ port: UInt16, _ identity: TestIdentity?, _ extra: String
    ) -> String {
        NginxServer.configuration(
            folder,
            site: """
                server {
                  listen 127.0.0.1:\(port)\(identity == nil ? "" : " ssl");
                  \(identity.map { "ssl_certificate \($0.certificate); ssl_certificate_key \($0.key);" } ?? "")
                  root \(folder)/root;
                  \(extra)
                }
                """)
    }

    private static func configuration(_ folder: String, site: String) -> String {
        """
        worker_processes 1;
        daemon off;
        pid \(folder)/pid;
        error_log \(folder)/error.log;
        events { worker_connections 512; }
        http {
          access_log off;
          sendfile on;
          tcp_nopush on;
          keepalive_requests 1000000;
          client_body_temp_path \(folder)/body;
          proxy_temp_path \(folder)/proxy;
          fastcgi_temp_path \(folder)/fastcgi;
          uwsgi_temp_path \(folder)/uwsgi;
          scgi_temp_path \(folder)/scgi;
          types { image/png png; application/json json; text/html html; }
          \(site)
        }
        """
    }

    private static func spawn(_ program: String, _ folder: String) -> pid_t? {
        spawn(program, ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", "\(folder)/error.log"])
    }

    /// Starts a program without input and output.
    static func spawn(_ program: String, _ words: [String]) -> pid_t? {
        var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) }
        arguments.append(nil)
        defer { arguments.forEach { free($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        // The threads of Swift's pool block signals, which the program must receive.
        var attributes = posix_spawnattr_t(), noSignals = sigset_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        return posix_spawn(&process, program, &actions, &attributes, &arguments, environ) == 0 ? process : nil
    }
}
