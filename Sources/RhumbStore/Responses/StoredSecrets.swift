internal import RhumbCore
internal import RhumbEngine

/// Removes API keys that earlier versions stored in addresses. Tables are rewritten, so that no keys remain
/// in the unused bytes of their pages.
extension Connection {
    private static let attempt = "remove keys from the store"

    /// Removes keys from columns that contain words or JSON.
    func hideSecrets(in columns: [String], of table: String) throws(StoreFailure) {
        try copyWithoutSecrets(columns, of: table)
        try putBack(table)
    }

    /// Removes keys from the addresses of origins. Origins that differed only by key are merged.
    func hideSecretsOfOrigins() throws(StoreFailure) {
        try copyWithoutSecrets(["source", "address"], of: "origins")
        try execute(
            """
            CREATE TEMP TABLE merged AS SELECT own.id, min(other.id) AS first FROM copy AS own JOIN copy AS other
            USING (kind, address, source, size, edition, addresses) GROUP BY own.id HAVING own.id > first;
            INSERT OR IGNORE INTO entries
            SELECT first, z, x, y, body, size, received, age, lifetime, flags, headers, variant, version, used
            FROM merged JOIN entries ON origin = id ORDER BY id;
            DELETE FROM entries WHERE origin IN (SELECT id FROM merged);
            DELETE FROM copy WHERE id IN (SELECT id FROM merged);
            DROP TABLE merged
            """, to: Connection.attempt)
        try putBack("origins")
    }

    private func copyWithoutSecrets(_ columns: [String], of table: String) throws(StoreFailure) {
        try execute("CREATE TEMP TABLE copy AS SELECT * FROM \(table)", to: Connection.attempt)
        for column in columns {
            for text in try texts("SELECT DISTINCT \(column) FROM copy") where text.withoutSecrets != text {
                try run(
                    "UPDATE copy SET \(column) = @clean WHERE \(column) = @text",
                    ["text": text, "clean": text.withoutSecrets])
            }
        }
    }

    private func texts(_ sql: String) throws(StoreFailure) -> [String] {
        let rows = try prepare(sql, to: Connection.attempt)
        return try rows.all { $0.text(0) ?? "" }
    }

    private func putBack(_ table: String) throws(StoreFailure) {
        try execute(
            """
            DELETE FROM \(table);
            INSERT OR REPLACE INTO \(table) SELECT * FROM copy;
            DROP TABLE copy
            """, to: Connection.attempt)
    }
}

extension String {
    /// The text with tokens in place of the secrets in its addresses. In a JSON object, all strings are
    /// processed.
    fileprivate var withoutSecrets: String {
        if let json = try? JSON.parse(Array(utf8)), json.object != nil {
            return json.changingTexts(\.withoutSecrets).text
        }
        return split(separator: " ", omittingEmptySubsequences: false).map { RedactedURL(String($0)).text }
            .joined(separator: " ")
    }
}
