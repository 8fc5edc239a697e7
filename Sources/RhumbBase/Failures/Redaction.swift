/// Removes private data from texts for strangers: keys, paths of addresses, places, names of files, people
/// and their computers, and quoted words, which the user typed.
public enum Redaction {
    /// Returns a text in which of each web address only the scheme and host remain, because paths and queries
    /// may contain keys and places. Of paths, only those of the system and of hidden folders remain.
    /// Coordinates, quoted words and keys become "…", and the home folder "~".
    /// - Parameters:
    ///   - home: The home folder; nil if unknown.
    ///   - names: Names that the user gave to places and areas. Those of one letter stay.
    public static func redacted(_ text: String, home: String?, names: Set<String> = []) -> String {
        var text = text
        if let home, home.count > 1 { text = text.replacing(home, with: "~") }
        let names = names.filter { $0.count > 1 }.map { $0.lowercased() }.sorted { $0.count > $1.count }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            redacted(line: names.reduce(withoutQuotes(line)) { withoutName($1, in: $0) })
        }
        .joined(separator: "\n")
    }

    private static func redacted(line: String) -> String {
        let words = withoutOpenedPath(line).split(separator: " ", omittingEmptySubsequences: false)
        var isSecret = false, hidden: Set<Int> = []
        for (at, word) in words.enumerated() where isDataFile(word) {
            hidden.formUnion(nameStart(words, at)..<at)
        }
        return words.enumerated().filter { !hidden.contains($0.offset) }.map { _, word in
            defer { isSecret = !word.isEmpty && announcesSecret(word) }
            return isSecret && !word.isEmpty ? "…" : redacted(word: word)
        }
        .joined(separator: " ")
    }

    // MARK: Names with spaces

    /// Returns a line with "…" in place of a path with spaces that can't be opened, read or written.
    private static func withoutOpenedPath(_ line: String) -> String {
        for verb in ["can't open ", "can't read ", "can't write "] {
            guard let start = line.firstRange(of: verb)?.upperBound,
                let end = line[start...].firstRange(of: ": ")?.lowerBound
            else { continue }
            let path = line[start..<end]
            let isName = path.contains(" ") && !path.contains("://") && !path.hasPrefix("the ")
            return isName ? line[..<start] + "…" + line[end...] : line
        }
        return line
    }

    /// Returns true for the name or path of a file with data of the user.
    private static func isDataFile(_ word: Substring) -> Bool {
        let bare = word.trimmingPunctuation
        guard let dot = bare.lastIndex(of: "."), !bare.contains("://"), !ownFiles.contains(String(bare))
        else {
            return false
        }
        return dataEndings.contains(bare[dot...].dropFirst().lowercased())
    }

    /// Returns the index of the first word of a file's name, which may have spaces. The name begins after a
    /// colon or a word such as "open"; otherwise with its first capital letter.
    /// - Parameter end: The index of its last word.
    private static func nameStart(_ words: [Substring], _ end: Int) -> Int {
        func isNameLike(_ word: Substring) -> Bool {
            word.first.map { !$0.isLowercase } ?? false || word.contains("/")
        }
        var start = end
        while start > 0, case let before = words[start - 1], !before.isEmpty {
            let isAfterName = start > 1 && isNameLike(words[start - 2])
            if before.hasSuffix(":") || before.hasSuffix(";") || verbs.contains(String(before))
                || prepositions.contains(String(before)) && !isAfterName
            {
                return start
            }
            start -= 1
        }
        return words[start..<end].firstIndex(where: isNameLike) ?? end
    }

    private static let verbs: Set<String> = [
        "open", "read", "write", "wrote", "reading", "writing", "convert", "copy", "remove", "and", "or",
    ]
    private static let prepositions: Set<String> = ["of", "in", "to", "from", "into", "for", "at", "with"]

    // MARK: Words

    /// Returns a word without coordinates, keys and names of files, and without the user, path and query of
    /// the address in it.
    private static func redacted(word: Substring) -> String {
        let bytes = Array(word.utf8)
        guard let start = bytes.indices.dropLast(2).first(where: { bytes[$0...].starts(with: "://".utf8) })
        else {
            return word.contains("/") && !word.hasPrefix("…") ? withoutPath(word) : withoutSecret(word)
        }
        let rest = bytes[(start + 3)...]
        let authority = rest.prefix { !"/?#\"'),;".utf8.contains($0) }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? []
        let tail = authority.endIndex < rest.endIndex ? "/…" : ""
        let before = withoutPlaces(String(decoding: bytes[..<start], as: UTF8.self)[...])
        return "\(before)://\(withoutName(ofHost: String(decoding: host, as: UTF8.self)))\(tail)"
    }

    /// The folders of the system, whose names say nothing about the user.
    private static let systemFolders = ["usr", "etc", "dev", "proc", "sys", "lib", "lib64", "bin", "opt"]

    /// Returns a word without the path in it. Paths in the system's folders and in hidden ones of the home
    /// folder remain.
    private static func withoutPath(_ word: Substring) -> String {
        guard let slash = word.firstIndex(of: "/") else { return withoutSecret(word) }
        let before = word[..<slash], rest = word[slash...].dropFirst()
        let first = rest.split(separator: "/", omittingEmptySubsequences: false).first ?? ""
        let isOpening = before.allSatisfy { "(\"'=:[<".contains($0) }
        if before.last == "~" { return first.hasPrefix(".") ? String(word) : "\(before)/…" }
        if isOpening { return systemFolders.contains(String(first)) ? String(word) : "\(before)/…" }
        let plain = withoutPlaces(word)
        // Such as "and/or" and "km/h".
        return plain.contains(".") && plain.contains(where: \.isLetter) ? "…" : String(plain)
    }

    /// The names of the program's own files.
    private static let ownFiles = [
        "config.json", "catalog.json", "sources.json", "regions.db", "cache.db", "tiles.db", "search.db",
    ]
    /// The endings of the files with data of the user.
    private static let dataEndings = Set([
        "geojson", "json", "gpx", "kml", "kmz", "csv", "tsv", "shp", "fgb", "osm", "pbf", "zip", "txt", "png",
        "jpg", "db",
    ]).union(ArchiveContainer.allCases.flatMap(\.suffixes).map { String($0.dropFirst()) })

    private static func withoutSecret(_ word: Substring) -> String {
        if let sign = word.firstIndex(where: { $0 == "=" || $0 == ":" }) {
            let value = word[sign...].dropFirst()
            if !value.isEmpty, isSecretName(word[..<sign]) { return "\(word[...sign])…" }
        }
        if word.split(whereSeparator: { !$0.isASCIIWordPart }).contains(where: isRandom) { return "…" }
        let bare = word.trimmingPunctuation
        if isPlusCode(bare) || isGridPlace(bare) || word.contains("°") || isPair(bare) {
            return String(word).replacing(bare, with: "…")
        }
        if isDataFile(word), let dot = bare.lastIndex(of: ".") {
            return String(word).replacing(bare, with: "…\(bare[dot...])")
        }
        if isLocal(bare) { return String(word).replacing(bare, with: "…") }
        return withoutPlaces(word)
    }

    // MARK: Keys

    /// Returns true for a word after which a key follows, such as "Bearer" or "X-Api-Key:".
    private static func announcesSecret(_ word: Substring) -> Bool {
        let bare = word.trimmingPunctuation.lowercased()
        if ["bearer", "basic", "digest"].contains(bare) { return true }
        return (word.hasSuffix(":") || word.hasSuffix("=")) && !word.contains("/")
            && isSecretName(word.dropLast())
    }

    private static func isSecretName(_ name: Substring) -> Bool {
        let name = name.trimmingPunctuation.lowercased()
        return ["auth", "authorization", "cookie", "set-cookie", "sig", "api"].contains(name)
            || ["key", "token", "secret", "password", "passwd", "signature", "passphrase"].contains {
                name.hasSuffix($0)
            }
    }

    /// Returns true for at least 16 letters and digits that no word has.
    private static func isRandom(_ word: Substring) -> Bool {
        word.count >= 16 && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
    }

    // MARK: Names

    /// Returns a line with "…" between quotation marks.
    private static func withoutQuotes(_ line: Substring) -> String {
        let parts = line.split(omittingEmptySubsequences: false) { "\"“”„".contains($0) }
        guard parts.count > 1 else { return String(line) }
        return parts.enumerated().map { at, part in
            at % 2 == 0 || part.isEmpty ? String(part) : "…"
        }
        .joined(separator: "\"")
    }

    /// - Parameter name: A name in lower case.
    private static func withoutName(_ name: String, in line: String) -> String {
        let plain = line.lowercased()
        guard plain.count == line.count, plain.contains(name) else { return line }
        var result = "", rest = line[...], search = plain[...]
        while let found = search.firstRange(of: name) {
            let from = search.distance(from: search.startIndex, to: found.lowerBound)
            let start = rest.index(rest.startIndex, offsetBy: from),
                end = rest.index(start, offsetBy: name.count)
            let isPart =
                rest[..<start].last?.isLetter == true || rest[end...].first?.isLetter == true
            result += rest[..<start] + (isPart ? rest[start..<end] : "…")
            (rest, search) = (rest[end...], search[found.upperBound...])
        }
        return result + rest
    }

    /// Returns a host with its port, and with "…" in place of the name of a computer in the local network.
    private static func withoutName(ofHost host: String) -> String {
        let parts = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, !host.hasPrefix("["), isLocal(name) || isPlain(name) else {
            return host
        }
        return (["…"] + parts.dropFirst().map(String.init)).joined(separator: ":")
    }

    /// Returns true for a name without a domain, as routers give them to computers.
    private static func isPlain(_ name: Substring) -> Bool {
        !name.isEmpty && !name.contains(".") && name != "localhost" && !name.hasPrefix("~")
    }

    private static func isLocal(_ name: Substring) -> Bool {
        let name = name.lowercased()
        return ["local", "lan", "home", "internal", "box", "localdomain", "home.arpa"].contains {
            name.hasSuffix("." + $0)
        }
    }

    // MARK: Places

    /// Returns true for a list of numbers such as "60.2,24.9", which is not one number such as "12,345".
    private static func isPair(_ word: Substring) -> Bool {
        let numbers = word.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count > 1, numbers.allSatisfy({ Double($0) != nil }) else { return false }
        let isThousands = numbers.dropFirst().allSatisfy { $0.count == 3 && $0.allSatisfy(\.isNumber) }
        return !(isThousands && numbers[0].count < 4 && !word.contains("."))
    }

    /// Returns true for an Open Location Code, such as "9GG65WCR+2X".
    private static func isPlusCode(_ word: Substring) -> Bool {
        let parts = word.uppercased().split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 2, (4...8).contains(parts[0].count), parts[1].count <= 7 else { return false }
        return parts.joined().allSatisfy { "23456789CFGHJMPQRVWX0".contains($0) }
    }

    /// Returns true for a place of the Military Grid Reference System, such as "35VLG8491372".
    private static func isGridPlace(_ word: Substring) -> Bool {
        let digits = word.prefix(while: \.isNumber), rest = word.dropFirst(digits.count)
        let letters = rest.prefix { $0.isASCII && $0.isUppercase }, last = rest.dropFirst(letters.count)
        return (1...2).contains(digits.count) && letters.count == 3 && last.count >= 2 && last.count % 2 == 0
            && last.allSatisfy(\.isNumber)
    }

    /// Returns a word without coordinates: numbers with at least two decimals, and the addresses of tiles.
    private static func withoutPlaces(_ word: Substring) -> String {
        var result = "", number = ""
        func add() {
            let decimals = number.split(separator: ".", omittingEmptySubsequences: false)
            let isPlace = decimals.count == 2 && decimals[1].count >= 2 || number.contains("/")
            result += isPlace && number.contains(where: \.isASCIIDigit) ? "…" : number
            number = ""
        }
        for character in word {
            // A version such as 0.2.0 has two full stops, a tile such as 12/2345/1123 two slashes.
            if character.isASCIIDigit || number.last?.isASCIIDigit == true && "./".contains(character) {
                number.append(character)
            } else {
                add()
                result.append(character)
            }
        }
        add()
        return result
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
    fileprivate var isASCIIWordPart: Bool { isASCII && (isLetter || isNumber || self == "_" || self == "-") }
}

extension Substring {
    /// The word without punctuation and brackets around it.
    fileprivate var trimmingPunctuation: Substring {
        let marks = ",;:.!?()[]{}'=<>"
        let start = drop { marks.contains($0) }
        let end = start.lastIndex { !marks.contains($0) }.map { start.index(after: $0) } ?? start.startIndex
        return start[..<end]
    }
}
