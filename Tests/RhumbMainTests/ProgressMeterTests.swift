import Rhumb
import Testing

@testable import RhumbMain

/// Tests the progress line without a terminal.
struct ProgressMeterTests {
    private static let half = ProgressMeter.Line(
        label: "home", fraction: 0.5, text: "600/1,200 50% · 48 tiles/s · 13 s left")

    @Test(arguments: [
        (80, true, half, "home ████████░░░░░░░░ 600/1,200 50% · 48 tiles/s · 13 s left"),
        (80, false, half, "home [########........] 600/1,200 50% - 48 tiles/s - 13 s left"),
        (50, true, half, "home ████████░░░░░░░░ 600/1,200 50% · 48 tiles/s"),
        (30, true, half, "home 600/1,200 50%"),
        (8, true, half, "home"),
        (3, true, half, "ho"),
        (80, true, ProgressMeter.Line(label: "", fraction: 0, text: "0%"), "░░░░░░░░░░░░░░░░ 0%"),
        (80, true, ProgressMeter.Line(label: "x", fraction: 7, text: "100%"), "x ████████████████ 100%"),
        (
            80, true, ProgressMeter.Line(label: "x", text: "7 tiles", standing: "paused: no network"),
            "x 7 tiles · paused: no network"
        ),
        (80, true, ProgressMeter.Line(label: "a\u{1B}[2Jb", text: "1"), "a[2Jb 1"),
    ])
    func `a line fits the terminal, and is shortened at a word`(
        columns: Int, isUnicode: Bool, line: ProgressMeter.Line, text: String
    ) {
        #expect(TerminalLine.text(line, columns: columns, isUnicode: isUnicode) == text)
    }

    @Test(arguments: [
        (WorkProgress.Unit.count("tiles"), 50, 100, "50/100 50% · 5.1 tiles/s · 10 s left"),
        (.count("tiles"), 5000, 10_000, "5,000/10,000 50% · 501 tiles/s · 10 s left"),
        (.count("tiles"), 50, 0, "50 tiles"),
        (.count("tiles"), 100, 100, "100/100 100%"),
        (.bytes, 5_000_000, 20_000_000, "5 MB/20 MB 25% · 501 kB/s · 30 s left"),
        (.share, 250, 1000, "25% · 30 s left"),
    ])
    func `the amount, rate and time left are correct at a constant rate`(
        unit: WorkProgress.Unit, done: Int, total: Int, text: String
    ) {
        var progress = DownloadProgress(total: total)
        for step in 0...1000 { progress.advance(to: done * step / 1000, of: total, at: Double(step) / 100) }
        #expect(progress.text(at: 10, unit: unit) == text)
    }

    @Test func `parts of work count after those before them`() {
        let reports = Reports()
        WorkProgress.$handler.withValue(.init { reports.add($0, $1) }) {
            WorkProgress.report(1, of: nil)
            WorkProgress.part(after: 10, of: 30) { WorkProgress.report(5, of: 20) }
        }
        WorkProgress.report(7, of: 7)
        #expect(reports.all == [[1, nil], [15, 30]])
    }
}

private final class Reports: @unchecked Sendable {
    private(set) var all: [[Int?]] = []
    func add(_ done: Int, _ total: Int?) { all.append([done, total]) }
}
