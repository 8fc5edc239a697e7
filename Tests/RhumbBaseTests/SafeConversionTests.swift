import RhumbCore
import Testing

/// Tests the conversion of numbers from files and servers to integers.
struct SafeConversionTests {
    @Test func `numbers become the nearest integer of the type, and NaN becomes 0`() {
        for value in [-Double.infinity, -1e300, -3e38, -1e19] {
            #expect(Int(clamping: value) == .min && Int32(clamping: value) == .min)
            #expect(UInt8(clamping: value) == 0 && Int64(clamping: value) == .min)
        }
        for value in [Double.infinity, 1e300, 3e38, 1e19] {
            #expect(Int(clamping: value) == .max && UInt8(clamping: value) == 255)
            #expect(Int32(clamping: value) == .max && Int64(clamping: value) == .max)
        }
        #expect(Int(clamping: Double.nan) == 0 && UInt8(clamping: Double.nan) == 0)
        #expect(Int(clamping: -2.5) == -3 && UInt8(clamping: 254.5) == 255 && Int32(clamping: 1.4) == 1)
    }
}
