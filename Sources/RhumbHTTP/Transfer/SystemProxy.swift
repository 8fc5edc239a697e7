internal import Glibc
internal import RhumbCore

/// The proxy that curl takes from the environment. curl doesn't tell which one it used.
enum SystemProxy {
    /// Returns the proxy for a request, without its user and password; nil for none.
    static func name(for url: String, environment: (String) -> String? = variable) -> String? {
        let reference = URLReference(url)
        guard let scheme = reference.scheme, let host = reference.host, !isExempt(host, environment) else {
            return nil
        }
        // The environment of CGI programs has a variable HTTP_PROXY that a request can set.
        let names = ["\(scheme)_proxy"] + (scheme == "http" ? [] : ["\(scheme)_proxy".uppercased()])
        let found = (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(environment).first
        return found.map { HTTPAddress($0.contains("://") ? $0 : "http://" + $0).description }
    }

    private static func isExempt(_ host: String, _ environment: (String) -> String?) -> Bool {
        let list = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
        return list.split { $0 == "," || $0 == " " }.contains { item in
            let name = item.lowercased().drop { $0 == "." }
            return name == "*" || host == name || host.hasSuffix("." + name)
        }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
