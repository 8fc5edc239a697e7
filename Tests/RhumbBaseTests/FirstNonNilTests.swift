import RhumbBase
import Testing

struct FirstNonNilTests {
    @Test func `the closure is called once for each element up to the first result`() {
        var asked: [Int] = []
        // A second call for the same element would return nil, as a file that can't be read any more.
        let found = [1, 2, 3].firstNonNil { number -> String? in
            defer { asked.append(number) }
            return number > 1 && !asked.contains(number) ? "\(number)" : nil
        }
        #expect(found == "2")
        #expect(asked == [1, 2])
    }

    @Test func `without a result, every element is tried`() {
        var count = 0
        let found: Int? = [1, 2, 3].firstNonNil { _ in
            count += 1
            return nil
        }
        #expect(found == nil)
        #expect(count == 3)
    }
}
