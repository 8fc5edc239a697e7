import RhumbBrowser
import RhumbCore
import RhumbEngine
import Testing

/// Tests that failures are shown with the program's commands that help.
struct FailureTextTests {
    @Test func `a failure is shown with a remedy`() {
        #expect(
            FailureText.sentence(FeatureFailure.unknown("sea"))
                == "unknown feature sea; see rhumb source features")
        #expect(
            Notice.Problem(FeatureFailure.disabled(.terrain, wanted: "hills")).description.contains(
                "--features all, or on the map with :features"))
    }

    @Test func `a host that can't be found is shown without an address that nobody typed`() {
        let failure = TileFailure(
            .unreadable, "https://maps.example/1.png: unknown host", remedy: .connect(host: "maps.example"))
        #expect(FailureText.notice(failure) == "No network: maps.example can't be reached")
        #expect(Notice.Problem(shown: failure).description == FailureText.notice(failure))
        #expect(FailureText.sentence(failure) == failure.message)
    }

    @Test func `a web search and a route name only the host that can't be reached`() {
        for failure: any Error in [
            OnlineSearchFailure.noNetwork(host: "maps.example"), RouteFailure.noNetwork(host: "maps.example"),
        ] {
            #expect(FailureText.notice(failure) == "No network: maps.example can't be reached")
        }
    }

    @Test func `a failure without a remedy is shown unchanged`() {
        let failure = FeatureFailure.baseDisabled(listed: [.terrain])
        #expect(FailureText.sentence(failure) == failure.description)
        #expect(failure.description.hasSuffix("rendering,terrain"))
    }
}
