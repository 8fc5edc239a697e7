import RhumbBase
import Testing

struct URLEncodingTests {
    @Test func `spaces, controls and delete are percent-encoded, and other bytes are not`() {
        let reference = URLReference("https://h.example/a b\u{7f}c\td?q=\u{1}é")
        #expect(reference.description == "https://h.example/a%20b%7Fc%09d?q=%01é")
    }
}
