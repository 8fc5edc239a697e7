internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb package key …`: creates and shows keys of minisign.
struct PackageKeyCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run(_ verb: PackageKeyVerb) throws -> Int32 {
        let path = invocation.operand ?? ""
        let key = try verb == .new ? create(path) : SecretKeyFile(path).readPublic()
        let lines = ["public key   \(key.text)", "fingerprint  \(key.fingerprint)"]
        try invocation.print(
            verb == .new ? ["wrote \(path) and \(path).pub"] + lines : lines,
            [
                "state": verb == .new ? "created" : "shown", "key": .string(key.text),
                "fingerprint": .string(key.fingerprint),
            ])
        return ExitStatus.done
    }

    private func create(_ path: String) throws -> MinisignKey {
        for name in [path, path + ".pub"] where Files.exists(name) {
            throw Notice.Problem("\(SafeText.sanitised(name)) exists; choose another name")
        }
        let key = try MinisignSecretKey(), passphrase = Passphrase.read("New passphrase, or none: ")
        if isatty(STDIN_FILENO) == 1, passphrase != Passphrase.read("The same again: ") {
            throw Notice.Problem("the passphrases differ; no key was written")
        }
        try Output.write(Array(key.file(passphrase: passphrase).utf8), to: path, isPrivate: true)
        try Output.write(Array(key.publicKey.file.utf8), to: path + ".pub")
        return key.publicKey
    }
}

/// The file of a key.
struct SecretKeyFile {
    private let path: String

    init(_ path: String) { self.path = path }

    private func text() throws(Notice.Problem) -> String {
        let bytes = try converting(Files.contents(path, limit: 1 << 16)) { (error: FileProblem) in
            Notice.Problem("\(error)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a secret key. Asks for its passphrase if it is encrypted.
    func read() throws(Notice.Problem) -> MinisignSecretKey {
        let text = try text()
        return try converting(MinisignSecretKey(text) { Passphrase.read("Passphrase of the key: ") }) {
            (error: MinisignFailure) in Notice.Problem("\(SafeText.sanitised(path)): \(error)")
        }
    }

    /// Reads the public key from the file of a public or secret key.
    func readPublic() throws(Notice.Problem) -> MinisignKey {
        if let key = MinisignKey(try text()) { return key }
        return try read().publicKey
    }
}

/// Reads passphrases, which are neither shown nor stored.
enum Passphrase {
    /// Returns a line from standard input; empty if there is none. A terminal doesn't echo it.
    static func read(_ prompt: String) -> String {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
        var modes = termios()
        guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return "" }
        let saved = modes
        modes.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
        defer {
            var modes = saved
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
            Output.say("")
        }
        _ = Array(prompt.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        return readLine() ?? ""
    }
}
