internal import CCrypto
internal import RhumbCore
internal import RhumbHTTP
internal import RhumbStore

/// A public key in minisign's format (jedisct1.github.io/minisign): Ed25519, with a number that finds the key
/// of a signature.
package struct MinisignKey: Hashable, Sendable {
    let number: [UInt8]
    let bytes: [UInt8]

    init(number: [UInt8], bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }

    /// Reads the contents of a key file, or the line with the key. Returns nil for anything else.
    package init?(_ text: String) {
        let lines = MinisignFile.lines(text)
        guard let line = lines.count == 1 ? lines.first : lines.dropFirst().first,
            let data = Base64.decoded(line), data.count == 42, data.starts(with: MinisignFile.algorithm)
        else { return nil }
        self.init(number: Array(data[2..<10]), bytes: Array(data[10...]))
    }

    /// The key in one line, as minisign's option -P takes it.
    package var text: String { Base64.encoded(MinisignFile.algorithm + number + bytes) }

    /// The contents of a key file.
    package var file: String {
        "\(MinisignFile.untrusted)minisign public key \(MinisignFile.name(number))\n\(text)\n"
    }

    /// The first half of the key's SHA-256, such as "3f2a 91c0 …", for comparison by people.
    package var fingerprint: String {
        guard let sum = SHA256Sum.of(bytes) else { return "unknown" }
        return sum.prefix(32).enumerated().map { $0 > 0 && $0 % 4 == 0 ? " \($1)" : "\($1)" }.joined()
    }

    /// Returns true if a text is the key or its fingerprint.
    package func isNamed(_ text: String) -> Bool {
        text == self.text || text.lowercased().filter { $0 != " " } == fingerprint.filter { $0 != " " }
    }
}

/// A secret key in minisign's format. No text contains it except that of its file.
package struct MinisignSecretKey: Sendable {
    package let publicKey: MinisignKey
    private let seed: [UInt8]

    /// Creates a random key.
    /// - Throws: `MinisignFailure` if libcrypto can't be loaded.
    package init() throws(MinisignFailure) {
        try self.init(number: MinisignFile.random(8), seed: MinisignFile.random(32))
    }

    private init(number: [UInt8], seed: [UInt8]) throws(MinisignFailure) {
        var bytes = [UInt8](repeating: 0, count: 32)
        guard rhumb_ed25519_public(seed, &bytes) else { throw .library }
        self.seed = seed
        publicKey = MinisignKey(number: number, bytes: bytes)
    }

    /// Reads the contents of a key file.
    /// - Parameter passphrase: Returns the passphrase. Called only if the key is encrypted.
    package init(_ text: String, passphrase: () -> String) throws(MinisignFailure) {
        guard let line = MinisignFile.lines(text).dropFirst().first, let data = Base64.decoded(line),
            data.count == 158, data.starts(with: MinisignFile.algorithm), data[4..<6] == [0x42, 0x32]
        else { throw .noSecretKey }
        var secret = Array(data[54...])
        if data[2..<4] == MinisignFile.scrypt[...] {
            let stream = try MinisignFile.stream(
                passphrase(), salt: Array(data[6..<38]), operations: UInt64(littleEndian: data[38..<46]),
                memory: UInt64(littleEndian: data[46..<54]))
            secret = zip(secret, stream).map { $0 ^ $1 }
        } else if data[2..<4] != [0, 0] {
            throw .noSecretKey
        }
        let number = Array(secret[..<8]), sum = Array(secret[72...])
        // minisign writes no checksum for keys that aren't encrypted.
        let isWithoutSum = data[2..<4] == [0, 0] && sum.allSatisfy { $0 == 0 }
        guard isWithoutSum || sum == MinisignFile.checksum(Array(secret[..<72])) else { throw .passphrase }
        try self.init(number: number, seed: Array(secret[8..<40]))
        guard publicKey.bytes == Array(secret[40..<72]) else { throw .passphrase }
    }

    /// Returns the contents of a key file.
    /// - Parameter passphrase: The passphrase that encrypts the key; empty for none.
    package func file(passphrase: String) throws(MinisignFailure) -> String {
        var secret = publicKey.number + seed + publicKey.bytes
        secret += MinisignFile.checksum(secret)
        var head = MinisignFile.algorithm + [0, 0, 0x42, 0x32] + [UInt8](repeating: 0, count: 48)
        if !passphrase.isEmpty {
            // 128 MiB and a quarter of a second, so that small machines can sign, too.
            let salt = try MinisignFile.random(32), operations: UInt64 = 1 << 22, memory: UInt64 = 1 << 27
            head =
                MinisignFile.algorithm + MinisignFile.scrypt + [0x42, 0x32] + salt
                + operations.littleEndianBytes + memory.littleEndianBytes
            let stream = try MinisignFile.stream(
                passphrase, salt: salt, operations: operations, memory: memory)
            secret = zip(secret, stream).map { $0 ^ $1 }
        }
        let kind = passphrase.isEmpty ? "minisign secret key" : "minisign encrypted secret key"
        return "\(MinisignFile.untrusted)\(kind)\n\(Base64.encoded(head + secret))\n"
    }

    /// Signs a document. Returns the contents of the signature's file.
    /// - Parameter comment: A line that is signed, too.
    package func signature(of document: [UInt8], comment: String) throws(MinisignFailure) -> String {
        let signature = try sign(MinisignFile.hash(document, 64))
        let global = try sign(signature + comment.utf8)
        return """
            \(MinisignFile.untrusted)signature of \(MinisignFile.name(publicKey.number))
            \(Base64.encoded(MinisignFile.hashed + publicKey.number + signature))
            \(MinisignFile.trusted)\(comment)
            \(Base64.encoded(global))

            """
    }

    private func sign(_ bytes: [UInt8]) throws(MinisignFailure) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 64)
        guard rhumb_ed25519_sign(seed, bytes, bytes.count, &result) else { throw .library }
        return result
    }
}

/// A signature in minisign's format.
package struct MinisignSignature: Sendable {
    private let key: [UInt8]
    private let signature: [UInt8]
    private let global: [UInt8]
    /// The line that is signed with the document. Not to be trusted before `verify`.
    private let comment: String

    /// Reads the contents of a signature's file.
    package init(_ bytes: [UInt8]) throws(MinisignFailure) {
        let lines = MinisignFile.lines(String(decoding: bytes.prefix(MinisignFile.limit), as: UTF8.self))
        guard bytes.count <= MinisignFile.limit, lines.count == 4, lines[2].hasPrefix(MinisignFile.trusted),
            let first = Base64.decoded(lines[1]), first.count == 74,
            let second = Base64.decoded(lines[3]), second.count == 64
        else { throw .noSignature }
        guard first.starts(with: MinisignFile.hashed) else {
            throw first.starts(with: MinisignFile.algorithm) ? .legacy : .noSignature
        }
        key = Array(first[2..<10])
        signature = Array(first[10...])
        global = second
        comment = String(lines[2].dropFirst(MinisignFile.trusted.count))
    }

    /// Returns true if the signature names a key. Says nothing about its validity.
    func isMade(by key: MinisignKey) -> Bool { self.key == key.number }

    /// Checks the signature of a document.
    /// - Returns: The signed comment.
    package func verify(_ document: [UInt8], by key: MinisignKey) throws(MinisignFailure) -> String {
        guard isMade(by: key) else { throw .otherKey }
        let hash = MinisignFile.hash(document, 64), whole = signature + comment.utf8
        guard rhumb_ed25519_verify(key.bytes, hash, hash.count, signature),
            rhumb_ed25519_verify(key.bytes, whole, whole.count, global)
        else { throw .wrong }
        return comment
    }
}

/// The reason why a key or signature can't be used. No text contains a secret.
package enum MinisignFailure: Error, Equatable, CustomStringConvertible {
    case library, memory, noSecretKey, passphrase, noSignature, otherKey, wrong
    /// The signature is of the document, not of its hash.
    case legacy

    package var description: String {
        switch self {
        case .library: "signatures need libcrypto; install libssl3"
        case .memory: "the passphrase needs more memory than there is"
        case .noSecretKey: "it is not a secret key of minisign"
        case .passphrase: "the passphrase is wrong, or the key is damaged"
        case .noSignature: "it is not a signature of minisign with a hash"
        case .otherKey: "it was made with another key"
        case .wrong: "it does not fit the document"
        case .legacy: "it was made with minisign -l, without a hash"
        }
    }
}

/// The parts of minisign's files.
enum MinisignFile {
    static let untrusted = "untrusted comment: ", trusted = "trusted comment: "
    static let algorithm = Array("Ed".utf8), hashed = Array("ED".utf8), scrypt = Array("Sc".utf8)
    /// The maximum size of a signature's file in bytes.
    static let limit = 16 << 10

    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// Returns the number as minisign prints it: hexadecimal, without leading zeros.
    static func name(_ number: [UInt8]) -> String {
        let digits = S3Signature.hex(number.reversed()).uppercased().drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }

    static func hash(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count)
        rhumb_blake2b(bytes, bytes.count, &result, count)
        return result
    }

    static func checksum(_ secret: [UInt8]) -> [UInt8] { hash(algorithm + secret, 32) }

    static func random(_ count: Int) throws(MinisignFailure) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: count)
        guard rhumb_random(&result, count) else { throw .library }
        return result
    }

    /// Returns the bytes that encrypt a secret key. The limits become parameters of scrypt as in libsodium.
    static func stream(
        _ passphrase: String, salt: [UInt8], operations: UInt64, memory: UInt64
    ) throws(MinisignFailure) -> [UInt8] {
        let operations = max(operations, 32_768), isQuick = operations < memory / 32
        let most = isQuick ? operations / 32 : memory / 1024
        var n: UInt64 = 2
        while n <= most / 2, n < 1 << 62 { n *= 2 }
        let p = isQuick ? 1 : max(min(operations / 4 / n, 0x3FFF_FFFF) / 8, 1)
        var result = [UInt8](repeating: 0, count: 104)
        let text = Array(passphrase.utf8).map { CChar(bitPattern: $0) }
        guard rhumb_scrypt(text, text.count, salt, n, 8, p, &result, result.count) else { throw .memory }
        return result
    }
}
