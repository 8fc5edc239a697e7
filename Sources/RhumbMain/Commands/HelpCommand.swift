internal import Glibc
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbManual
internal import RhumbTerminal

/// `rhumb help`: the overview, the help of a command, or a page of the manual.
struct HelpCommand {
    let invocation: Invocation

    func run() throws {
        guard let word = invocation.operand else { return try Output.print(HelpText.overview) }
        if word == HelpText.mapTopic { return try Output.print(HelpText.mapOptions) }
        guard let page = Manual.page(word) else {
            return try Output.print(HelpText.text(for: CommandTable.command(word) ?? CommandTable.open))
        }
        guard page.topic == "privacy" else { return try HelpCommand.show(page) }
        try HelpCommand.show(page.appending(table: PrivacyHosts(invocation.catalog()).rows))
    }

    /// Writes a page to a pipe or file as plain text, or to a terminal with bold text, through the user's
    /// pager.
    private static func show(_ page: ManualPage) throws(Notice.Problem) {
        let profile = TerminalProfile.current()
        func text(_ width: Int, isStyled: Bool) -> String {
            let text = page.text(width: width, isStyled: isStyled)
            return profile.isUTF8 ? text : text.inASCII
        }
        guard isatty(STDOUT_FILENO) == 1 else { return try Output.print(text(80, isStyled: false)) }
        let width = Output.window(STDOUT_FILENO).map { min(Int($0.ws_col), 100) }
        let isDumb = ["", "dumb"].contains(Environment.all["TERM"] ?? "")
        try sendToPager(Output.hidden(text(width ?? 80, isStyled: !isDumb)))
    }

    /// Pipes a text through `$PAGER`, or `less` if that is not set.
    private static func sendToPager(_ text: String) throws(Notice.Problem) {
        let pager = Environment.all["PAGER"].flatMap { $0.isEmpty ? nil : $0 }
        // less exits immediately if the page fits on the screen, passes bold text through, and leaves the
        // page visible.
        setenv("LESS", "FRX", 0)
        guard
            let pipe = popen(pager ?? "if command -v less >/dev/null; then exec less; else exec cat; fi", "w")
        else {
            return try Output.write(Array(text.utf8))
        }
        fputs(text, pipe)
        pclose(pipe)
    }
}

extension String {
    /// The text with ASCII equivalents of dashes, quotes and letters.
    fileprivate var inASCII: String {
        unicodeScalars.map { $0 == "…" ? "..." : String(ASCIIFallback.glyph(for: $0)) }.joined()
    }
}
