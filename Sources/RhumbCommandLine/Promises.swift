/// What users may rely on. Each sentence is the name of the test that shows it.
public enum Promises {
    /// The heading of the page.
    public static let title = "Rhumb's promises about keys, policies and files"

    /// Sentences without capital and full stop, by what they are about.
    public static let sections: [(subject: String, sentences: [String])] = [
        ("Keys", keys), ("Policies", policies), ("Files and the terminal", files),
    ]

    private static let keys = [
        "keys never appear in files that Rhumb writes, in listings or in errors",
        "a key typed in the program is visible only while you type it, and is never stored",
        "once Rhumb has started, the process table does not show keys from its command line",
        "errors do not repeat a key from a URL with a missing or misspelled scheme",
        "a key is sent over plain HTTP only to this machine, or if it was given for an http URL",
        "a document can't send a key to another server",
        "a redirect can't send a key to another server",
        "a style can use only the key of its own server",
        "keys are written only to styles converted for an editor, readable by their owner alone, and removed on the "
            + "way back",
        "a region whose key was typed but not saved reports the missing key, and resumes once it is set",
        "opening a store written by an older version removes the keys in it",
    ]

    private static let policies = [
        "requests to a host are limited to what its provider allows",
        "a redirect is followed only if the next host's provider allows the request",
        "a provider's rules apply however its host name is spelled",
        "all hosts of a provider share its connection limit, also after redirects",
        "your own source definition can't override a provider's denial",
        "--permitted can't override a provider's denial",
        "a TileJSON source is not downloaded if the host of its tiles denies it",
        "a style is not downloaded if the host of one of its sources denies it",
        "responses marked no-store are shown, but never written to disk",
        "a server that keeps rate-limiting is abandoned; the download can be resumed later",
    ]

    private static let files = [
        "output is only written to regular files; devices and pipes are left alone",
        "an export replaces an existing file only if you ask for it",
        "an exported file appears only when it is complete; a cancelled export leaves nothing behind",
        "an unfinished export is readable by its owner alone; a finished one has the usual permissions",
        "the next export removes the leftovers of a crashed one, and nothing else",
        "an unreadable region store is not changed, and the error names the remedy",
        "a store written by a newer version is not changed",
        "if you name CA certificates, only servers certified by them are trusted",
        "damaged input is read or rejected quickly, and without using much memory",
        "environment variables cannot inject terminal escape sequences",
        "the terminal is restored however the program ends",
        "a crash is reported in one line, without waiting for a key",
    ]

    /// The sentence as it is printed.
    static func printed(_ sentence: String) -> String { sentence.prefix(1).uppercased() + sentence.dropFirst() + "." }

    /// The whole page, 80 columns wide.
    public static var text: String {
        let parts = sections.map { subject, sentences in
            "\(subject):\n" + sentences.map { "  - " + HelpText.wrap(printed($0), indent: 4).dropFirst(4) }.joined(separator: "\n")
        }
        return ([title] + parts).joined(separator: "\n\n") + "\n"
    }
}
