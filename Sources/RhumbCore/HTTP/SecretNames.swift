/// The query items that hold keys at the services known.
public enum SecretNames {
    private static let names: Set<String> = [
        "key", "apikey", "api_key", "api-key", "app_key", "app_code", "app_id", "access_token",
        "accesstoken", "token", "auth", "signature", "sig", "subscription-key", "password", "secret",
    ]

    /// Whether a query item of that name holds a secret, whatever its case.
    public static func isSecret(_ name: some StringProtocol) -> Bool {
        names.contains(name.lowercased())
    }

    /// The values of the secret items of a query.
    public static func values(inQuery query: String) -> [String] {
        query.split(separator: "&").compactMap { item in
            guard let equals = item.firstIndex(of: "="), isSecret(item[..<equals]) else { return nil }
            return String(item[item.index(after: equals)...])
        }
    }
}
