import RhumbBrowser
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
                "--features or :features"))
    }

    @Test func `a failure without a remedy is shown unchanged`() {
        #expect(FailureText.sentence(FeatureFailure.baseDisabled) == FeatureFailure.baseDisabled.description)
    }
}
