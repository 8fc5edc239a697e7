import RhumbBase
import Testing

struct NumberTextTests {
    @Test(
        arguments: [
            (0.0, 0, "0"), (0.05, 0, "0"), (-0.04, 1, "0.0"), (12.3456, 2, "12.35"), (-0.5, 0, "-1"),
            (-33.86785, 4, "-33.8679"), (999.9999, 2, "1000.00"), (5, 3, "5.000"), (1e30, 1, "?"),
            (.nan, 2, "?"), (-.infinity, 0, "?"),
        ])
    func `a number has the decimals that are asked for`(value: Double, decimals: Int, text: String) {
        #expect(value.decimals(decimals) == text)
    }

    @Test(
        arguments: [
            (43.7312, "43.7312"), (7.0, "7"), (100, "100"), (-0.000_000_4, "0"), (1e-5, "0.00001"),
            (-12.5, "-12.5"), (1e300, "100000000000"), (.nan, "0"),
        ])
    func `a number in an address has no exponent and no zeros at its end`(value: Double, text: String) {
        #expect(value.plain() == text)
    }

    @Test func `a number is rounded, unless that would change its digits`() {
        #expect(1.005_049.rounded(4) == 1.005 && (-33.867_85).rounded(1) == -33.9 && 7.25.rounded(0) == 7)
        #expect(123_456_789_012.345.rounded(7) == 123_456_789_012.345 && Double.nan.rounded(2).isNaN)
    }

    @Test func `numbers are padded with zeros in any base`() {
        #expect(7.digits(2) == "07" && 123.digits(2) == "123" && (-7).digits(2) == "-07")
        #expect(UInt32.max.digits(8, radix: 16) == "ffffffff" && UInt8(10).digits(2, radix: 16) == "0a")
        #expect(0x1F.digits(4, radix: 16, uppercase: true) == "001F")
    }

    @Test func `numbers are read from bytes in both orders`() {
        let bytes: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        #expect(UInt32(bigEndian: bytes) == 0x1234_5678 && Int(bigEndian: bytes[1...]) == 0x345678)
        #expect(UInt64(littleEndian: bytes) == 0x7856_3412 && UInt16(bigEndian: bytes) == 0x5678)
        #expect(UInt32(0x1234_5678).littleEndianBytes == bytes.reversed())
    }

    @Test(arguments: [(7, 3, 2, 1), (-7, 3, -3, 2), (-6, 3, -2, 0), (0, 5, 0, 0)])
    func `a quotient is rounded down`(value: Int, divisor: Int, quotient: Int, remainder: Int) {
        let result = value.flooredDivision(by: divisor)
        #expect(result.quotient == quotient && result.remainder == remainder)
    }

    @Test(
        arguments: [
            ("/maps/city.pmtiles", "city.pmtiles", "/maps"), ("city.pmtiles", "city.pmtiles", "."),
            ("/city", "city", "/"), ("maps/", "maps", "maps"), ("/", "/", "/"),
        ])
    func `a path has a name and a folder`(path: String, name: String, folder: String) {
        #expect(path.lastPathName == name && path.parentFolder == folder)
    }

    @Test func `words fill lines, and a longer word has its own`() {
        #expect(["a", "bc", "d"].lines(of: 4) == ["a bc", "d"])
        #expect(["a", "bcdefg", "h"].lines(of: 4) == ["a", "bcdefg", "h"])
        #expect([String]().lines(of: 4) == [""])
        #expect("東京".padded(to: 6) == "東京  " && "東京".leftPadded(to: 3) == "東京")
    }
}
