internal import RhumbCore

/// The configuration of a caching proxy for a team, ready for use.
struct ProxyConfiguration {
    /// A server that the proxy may ask.
    struct Server {
        let scheme: String
        /// The host, with the port if it is not the default one.
        let host: String
        /// True if it serves archives that are read in parts.
        let hasArchives: Bool

        /// Creates a server; nil if the origin is not http or https, or can't be part of a configuration.
        init?(_ origin: String, hasArchives: Bool) {
            let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, ["http:", "https:"].contains(parts[0]), !parts[2].isEmpty,
                parts[2].utf8.allSatisfy(Server.isHostByte)
            else { return nil }
            scheme = String(parts[0].dropLast())
            host = String(parts[2])
            self.hasArchives = hasArchives
        }

        private init(_ server: Server, hasArchives: Bool) {
            scheme = server.scheme
            host = server.host
            self.hasArchives = hasArchives
        }

        private static func isHostByte(_ byte: UInt8) -> Bool {
            (97...122).contains(byte) || (48...57).contains(byte) || "-.:[]_".utf8.contains(byte)
        }

        func joined(with other: Server) -> Server {
            Server(self, hasArchives: hasArchives || other.hasArchives)
        }

        var origin: String { "\(scheme)://\(host)" }
        /// The beginning of the paths in the proxy.
        var path: String { "/\(scheme)/\(host)/" }
        /// The host and the port.
        var place: (host: Substring, port: Substring) {
            guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else {
                return (host[...], scheme == "https" ? "443" : "80")
            }
            return (host[..<colon], host[host.index(after: colon)...])
        }
    }

    private let servers: [Server]
    private let port: Int

    /// - Parameter port: The port that the proxy listens on.
    init(_ servers: [Server], port: Int) {
        self.servers = servers.sorted { $0.origin < $1.origin }
        self.port = port
    }

    // MARK: nginx

    /// The configuration of nginx.
    var nginx: String {
        """
        # A shared map cache. Save this as /etc/nginx/conf.d/rhumb.conf, then run: nginx -t && systemctl reload nginx
        # The limits (max_size, inactive) and the port are yours to change.
        proxy_cache_path /var/cache/nginx/rhumb levels=1:2 keys_zone=rhumb:50m max_size=20g inactive=60d use_temp_path=off;

        map $upstream_cache_status $rhumb_cache_status {
            HIT         "nginx; hit";
            STALE       "nginx; hit; detail=stale";
            UPDATING    "nginx; hit; detail=updating";
            REVALIDATED "nginx; fwd=stale; fwd-status=304";
            EXPIRED     "nginx; fwd=stale; stored";
            MISS        "nginx; fwd=uri-miss; stored";
        }

        server {
            listen \(port);

            proxy_cache rhumb;
            # The address of the source is the key. Requests with personal keys bypass this proxy.
            proxy_cache_key $request_uri;
            # One request to the source, however many people wait for the answer.
            proxy_cache_lock on;
            proxy_cache_lock_timeout 30s;
            proxy_cache_lock_age 30s;
            # Old tiles are sent at once and revalidated behind, and are used while the source is down.
            proxy_cache_background_update on;
            proxy_cache_revalidate on;
            proxy_cache_use_stale updating error timeout http_429 http_500 http_502 http_503 http_504;
            # For responses without a lifetime of their own.
            proxy_cache_valid 200 206 1d;
            proxy_cache_valid 404 410 1h;

            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Authorization "";
            proxy_set_header Cookie "";
            proxy_ignore_headers Set-Cookie;
            proxy_hide_header Set-Cookie;
            # The age of a response counts from the source's date.
            proxy_pass_header Date;
            proxy_ssl_server_name on;
            proxy_ssl_verify on;
            proxy_ssl_verify_depth 4;
            proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
            proxy_connect_timeout 5s;
            proxy_read_timeout 30s;
            add_header Cache-Status $rhumb_cache_status always;

            # Other servers are refused, so that this is no open proxy.
            location / { return 403; }

        \(servers.map(ProxyConfiguration.location).joined(separator: "\n"))
        }

        """
    }

    private static func location(_ server: Server) -> String {
        guard server.hasArchives else {
            return "    location \(server.path) { proxy_pass \(server.origin)/; }"
        }
        return """
                location \(server.path) {
                    # Parts of archives are stored in slices.
                    slice 1m;
                    proxy_cache_key $request_uri$slice_range;
                    proxy_set_header Range $slice_range;
                    proxy_set_header Connection "";
                    proxy_set_header Authorization "";
                    proxy_set_header Cookie "";
                    proxy_pass \(server.origin)/;
                }
            """
    }

    // MARK: Varnish

    /// The first local port of the tunnels to https servers.
    private static let firstTunnel = 8401

    /// The servers with the names of their backends and the ports of their tunnels.
    private var backends: [(server: Server, name: String, tunnel: Int?)] {
        var tunnel = ProxyConfiguration.firstTunnel - 1
        return servers.enumerated().map { number, server in
            if server.scheme == "https" { tunnel += 1 }
            return (server, "source\(number + 1)", server.scheme == "https" ? tunnel : nil)
        }
    }

    /// The configuration of Varnish.
    var varnish: String {
        let backends = self.backends
        return """
            vcl 4.1;
            # A shared map cache. Save this as /etc/varnish/rhumb.vcl, then run:
            #   varnishd -a :\(port) -f /etc/varnish/rhumb.vcl -s malloc,2g
            \(stunnel(backends))
            \(backends.map(backend).joined(separator: "\n"))

            sub vcl_recv {
                if (req.method != "GET" && req.method != "HEAD") { return (synth(405)); }
                unset req.http.Cookie;
                unset req.http.Authorization;
            \(backends.map(choice).joined(separator: " else "))
                else {
                    # Other servers are refused, so that this is no open proxy.
                    return (synth(403));
                }
                # Parts of archives are passed on, because Varnish would fetch the whole file.
                if (req.http.Range) { return (pass); }
                return (hash);
            }

            sub vcl_backend_fetch {
                set bereq.url = regsub(bereq.url, "^/https?/[^/]+", "");
            }

            sub vcl_backend_response {
                unset beresp.http.Set-Cookie;
                # While a tile is revalidated, and while its source is down, the old one is sent.
                if (bereq.is_bgfetch && beresp.status >= 500) { return (abandon); }
                if (beresp.grace < 7d) { set beresp.grace = 7d; }
                set beresp.keep = 60d;
                # For responses without a lifetime of their own.
                if (!beresp.http.Cache-Control && !beresp.http.Expires && beresp.status == 200) {
                    set beresp.ttl = 1d;
                }
            }

            sub vcl_deliver {
                if (obj.hits > 0) {
                    set resp.http.Cache-Status = "varnish; hit; ttl=" + regsub("" + obj.ttl, "\\..*", "");
                } else {
                    set resp.http.Cache-Status = "varnish; fwd=miss";
                }
            }

            """
    }

    private func stunnel(_ backends: [(server: Server, name: String, tunnel: Int?)]) -> String {
        let lines = backends.flatMap { server, name, tunnel -> [String] in
            guard let tunnel else { return [] }
            let place = server.place
            return [
                "[\(name)]", "client = yes", "accept = 127.0.0.1:\(tunnel)",
                "connect = \(place.host):\(place.port)", "sni = \(place.host)", "checkHost = \(place.host)",
                "verifyChain = yes", "CAfile = /etc/ssl/certs/ca-certificates.crt",
            ]
        }
        guard !lines.isEmpty else { return "" }
        return
            "# Varnish speaks no TLS to its sources: stunnel adds it, with these lines in /etc/stunnel/rhumb.conf:\n"
            + lines.map { "#   \($0)\n" }.joined()
    }

    private func backend(_ server: Server, _ name: String, _ tunnel: Int?) -> String {
        let place =
            tunnel.map { ("127.0.0.1", "\($0)") } ?? (String(server.place.host), String(server.place.port))
        return "backend \(name) { .host = \"\(place.0)\"; .port = \"\(place.1)\"; }  # \(server.origin)"
    }

    private func choice(_ server: Server, _ name: String, _ tunnel: Int?) -> String {
        let pattern = server.path.replacing(".", with: "\\.")
        return """
                if (req.url ~ "^\(pattern)") {
                    set req.http.Host = "\(server.host)";
                    set req.backend_hint = \(name);
                }
            """
    }
}
