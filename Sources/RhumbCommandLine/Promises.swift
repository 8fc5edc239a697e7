/// What users may rely on. Each sentence is the name of the test that shows it.
public enum Promises {
    /// The heading of the page.
    public static let title = "What Rhumb promises about keys, policies and files"

    /// Sentences without capital and full stop, by what they are about.
    public static let sections: [(subject: String, sentences: [String])] = [
        ("Keys", keys), ("Policies", policies), ("Files and the terminal", files),
    ]

    private static let keys = [
        "a key is found in no file that Rhumb writes, no listing and no error",
        "a key typed in the program is shown only while it is typed, and is in no file",
        "once Rhumb runs, the process table shows no key of its command line",
        "a key in an address without its beginning is not repeated",
        "a key goes over plain http only to this machine, or where it was given for an http address",
        "a document doesn't lead a key to another server",
        "a redirect doesn't take a key to another server",
        "a style is given the key of its server and no other",
        "only a style converted for an editor has keys in it, for its owner alone, and none comes back from there",
        "a region whose key was only typed says what is missing, and goes on once it is given",
        "keys in stores of older versions are taken out when the stores are opened",
    ]

    private static let policies = [
        "a host is asked only for what its provider allows",
        "a redirect is followed only for what the next host's provider allows",
        "a provider's rules hold however his host is written",
        "a provider's hosts share his limit of connections, also when redirects lead there",
        "a person's own definition can't lift a provider's denial",
        "what a provider denies is not lifted by --permitted",
        "a TileJSON is not downloaded where the host of its tiles denies it",
        "a style is not downloaded where the host of one of its sources denies it",
        "what a server forbids to store is shown, and is in no file",
        "a server that always wants to be left alone is given up, and the region can go on",
    ]

    private static let files = [
        "what is no file is refused as output, and stays what it is",
        "an export replaces a file that is there only if asked to",
        "an exported file is not there before it is whole, and nothing is left of one given up",
        "an export that is being written is for its owner alone, and a whole one has the usual mode",
        "what an export that died left behind is removed by the next, and nothing else",
        "a region store that can't be read is left as it is, with what to do",
        "a store of a newer Rhumb is not touched",
        "a server is trusted by the authorities that a person names, and by no others",
        "damaged input is read or refused, soon and in little memory",
        "what the environment says is harmless to a terminal",
        "the terminal is given back however the program ends",
        "a crash is told in one line, and no key press is waited for",
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
