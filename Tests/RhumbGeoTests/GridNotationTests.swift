import RhumbTestSupport
import Testing

@testable import RhumbGeo

struct GridNotationTests {
    /// Places with their square of one metre in the military grid, by GEOTRANS, and their Maidenhead locator.
    private static let places: [(latitude: Double, longitude: Double, grid: String, locator: String)] = [
        (60.4, 22.25, "34VEM6887596612", "KP10dj"),
        (-33.9, 151.2, "56HLH3356847473", "QF56oc"),
        (60.1, 4.9, "32VKM7209969621", "JP20kc"),
        (63.9, 11.9, "32VPR4231489106", "JP53wv"),
        (78.1, 10.3, "33XUG9192073869", "JQ58dc"),
        (72.5, 20.9, "33XXA9773754424", "KQ02km"),
        (83.9, 35, "37XDP5258218576", "KR73mv"),
        (79, 34, "37XCH9361974533", "KQ79aa"),
        (-79.9, -179.9, "01CDM4324728161", "AB00bc"),
        (0.0001, 179.99, "60NZF3286400011", "RJ90xa"),
        (-0.0001, 0.0001, "31MAV6603299988", "JI09ax"),
        (55.99, 3.1, "31UEC0623804971", "JO15nx"),
        (40.7, -74, "18TWL8448205935", "FN30aq"),
        (-26.8562, -125.6873, "10JBR3298226661", "CG73dd"),
        (26.7231, -153.9144, "05RMK0905456092", "BL36br"),
        (7.8775, -48.3493, "22NGP9229271682", "GJ57tv"),
        (-70.3998, 2.6767, "31DDB8789589509", "JB19io"),
        (-73.7582, -23.8862, "27CVU0992712759", "HB86bf"),
        (-68.4577, -147.3351, "06DVK8626806067", "BC61hn"),
        (-10.3638, 117.6602, "50LNP7227454289", "OH89tp"),
        (-59.6212, -99.6284, "14EMU6454990605", "ED00ej"),
        (22.8736, 161.1663, "57QYF2224931161", "RL02nu"),
        (14.6295, -37.193, "24PXB9462418123", "HK14jp"),
        (80.0106, -163.2212, "03XWJ3444183295", "AR80ja"),
        (60.7171, -75.7364, "18VVN5981831502", "FP20dr"),
        (-56.271, -137.5872, "08ELC3979360749", "CD13er"),
        (-29.3707, 113.7992, "49JGH7171947685", "OG60vp"),
        (-50.297, 29.3744, "35FPE6910625650", "KD49qq"),
        (24.754, -45.9343, "23RMH0553038031", "GL74as"),
        (9.8205, -157.3872, "04PFR7687385991", "BJ19ht"),
        (-70.1373, -105.849, "13DDC6780618591", "DB79bu"),
        (31.5495, -26.0653, "26RNV8871890881", "HM61xn"),
        (-28.4427, 30.8006, "36JTP8461051786", "KG51jn"),
        (-5.6684, -72.0799, "18MZU2349372636", "FI34xh"),
        (50.2194, 71.634, "42UXA8789866345", "MO50tf"),
        (-39.917, 26.791, "35HMR8213881433", "KF30jb"),
        (6.1272, 135.042, "53NNG0464777265", "PJ76md"),
        (39.5831, -76.3382, "18SUJ8507882342", "FM19tn"),
        (80.6526, -137.4887, "08XMQ5488755394", "CR10gp"),
        (-11.4115, 92.5656, "46LDN5261138484", "NH68go"),
        (-55.0049, -3.9731, "30FVE3776004230", "ID84ax"),
        (-73.4779, 60.5543, "41CMU2238644619", "MB06gm"),
        (45.3367, 26.2879, "35TML4420520601", "KN35di"),
        (63.5033, -67.0472, "19VEL9719643150", "FP63lm"),
        (33.9894, 33.9713, "36SWC8971061405", "KM63xx"),
        (15.0868, -15.7652, "28PDB1776668069", "IK25cc"),
        (57.6867, 160.0763, "57VWD6417294339", "RO07aq"),
        (-2.2427, 59.0915, "40MGC3260651946", "LI97ns"),
        (-69.9623, 72.5331, "43DDC0568736423", "MC60ga"),
        (26.0997, 177.5047, "60RWP5046686822", "RL86sc"),
        (54.7313, -77.5413, "18UUF3637067854", "FO14fr"),
        (-16.7074, 60.7116, "41KKB5598551411", "MH03ih"),
        (-76.2042, -13.7889, "28CEA3223641698", "IB33ct"),
        (-52.3737, -137.8379, "08FLG0682393606", "CD17bp"),
        (-70.2433, 96.5585, "47DMC0791305147", "NB89gs"),
        (-58.7141, -90.8536, "15EXQ2432289791", "ED41ng"),
        (-15.8624, 133.7045, "53LLC6128745856", "PH64ud"),
        (-66.7008, -18.2915, "27DXF1951699378", "IC03uh"),
        (10.0983, 138.0105, "54PSS7232217780", "PK90ac"),
        (54.298, 131.0271, "52UFF3191518573", "PO54mh"),
    ]

    @Test(arguments: places)
    func `a place is in the square that other programs find`(
        latitude: Double, longitude: Double, grid: String, locator: String
    ) throws {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let found = try #require(UTMPosition(place)).militaryGrid(digits: 5)
        // Places on the edge of a square may be rounded to its neighbour.
        #expect(found.dropLast(10) == grid.dropLast(10).drop { $0 == "0" })
        for range in [0..<5, 5..<10] {
            let digits = [found, grid].map { Array($0.suffix(10))[range].reduce("") { $0 + String($1) } }
            let metres = digits.compactMap { Int($0) }
            #expect(abs(metres[0] - metres[1]) <= 1, "\(found) is not \(grid)")
        }
        #expect(Maidenhead.text(of: place, pairs: 3) == locator)
    }

    @Test func `a square that was written is read as the same place`() throws {
        var random = SplitMix(seed: 5)
        for _ in 0..<2000 {
            let place = Coordinate(
                latitude: .random(in: -80...84, using: &random),
                longitude: .random(in: -180..<180, using: &random))
            let position = try #require(UTMPosition(place))
            for (digits, metres) in [(5, 1.0), (3, 100)] {
                let read = try ParsedLocation(position.militaryGrid(digits: digits)).coordinate
                #expect(abs(read.latitude - place.latitude) * 111_320 <= metres, "\(place)")
            }
            let utm = try ParsedLocation(position.text).coordinate
            #expect(abs(utm.latitude - place.latitude) * 111_320 <= 1.5, "\(place)")
            let locator = try ParsedLocation(Maidenhead.text(of: place, pairs: 5)).coordinate
            #expect(abs(locator.latitude - place.latitude) <= 1 / 5760.0 + 1e-9, "\(place)")
            #expect(abs(locator.longitude - place.longitude) <= 1 / 2880.0 + 1e-9, "\(place)")
        }
    }

    @Test func `near the poles there is no zone`() {
        #expect(UTMPosition(Coordinate(latitude: 84.1, longitude: 0)) == nil)
        #expect(UTMPosition(Coordinate(latitude: -80.1, longitude: 0)) == nil)
    }

    @Test(arguments: ["KP10dm", "KP10", "KP10DM00", "kp10oa"])
    func `a locator is read in any case`(text: String) throws {
        let place = try ParsedLocation(text).coordinate
        #expect(abs(place.latitude - 60.5) < 0.6 && abs(place.longitude - 22.8) < 1, "\(place)")
    }

    @Test func `a text that is also a geohash is a locator only in capitals`() throws {
        let hash = try ParsedLocation("dr10bc").coordinate, locator = try ParsedLocation("DR10bc").coordinate
        #expect(hash != locator)
    }

    @Test func `an easting may have its zone before it in Germany`() throws {
        let plain = try ParsedLocation("32U 552000 5680000").coordinate
        #expect(try ParsedLocation("32552000 5680000").coordinate == plain)
        // Gauss-Krüger, and northings elsewhere.
        for text in ["3552000 5680000", "32552000 4680000", "32052000 5680000", "38500000 5680000"] {
            #expect(throws: ParsedLocation.Misread.self) { try ParsedLocation(text) }
        }
    }
}
