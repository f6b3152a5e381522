#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreFormats
import Testing

@Suite struct ISO8601Tests {
    // The seconds were computed with GNU date.
    @Test(
        "dates are read as seconds since 1970",
        arguments: [
            ("1970-01-01", 0), ("2000-02-29T23:59:59Z", 951_868_799),
            ("2026-01-01T00:00:00Z", 1_767_225_600), ("2026-01-01T00:00Z", 1_767_225_600),
            ("1600-02-29", -11_670_998_400), ("0001-01-01", -62_135_596_800),
            ("0000-03-01", -62_162_035_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("2026-03-01T01:30:00+05:30", 1_772_308_800), ("2026-03-01T01:30:00-08", 1_772_357_400),
            ("2026-03-01T01:30:00+0530", 1_772_308_800), ("1969-12-31T23:59:59Z", -1),
            ("1970-01-01T00:00:00.5Z", 0.5), ("1970-01-01T00:00:00,25Z", 0.25),
            ("1969-12-31T23:59:59.75+00:00", -0.25),
            ("1970-01-01T00:00:00.00000000000000000000000000000000000000000000000001Z", 0),
        ] as [(String, Double)])
    func reading(text: String, seconds: Double) {
        #expect(
            ISO8601.date(of: text)?.timeIntervalSinceReferenceDate == seconds - 978_307_200)
    }

    @Test(
        "what is not exactly a date is none",
        arguments: [
            "", "2026", "2026-01", "2026-1-1", "26-01-01", "20260101", "2026-13-01", "2026-00-01",
            "2026-01-00", "2026-01-32", "2026-04-31", "2026-02-29", "1900-02-29", "2026-01-01T",
            "2026-01-01 00:00:00Z", "2026-01-01t00:00:00z", "2026-01-01T00:00:00",
            "2026-01-01T24:00:00Z", "2026-01-01T23:60:00Z", "2026-01-01T23:59:60Z",
            "2026-01-01T00Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.5",
            "2026-01-01T00:00:00+", "2026-01-01T00:00:00+1", "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+00:60", "2026-01-01T00:00:00+00:", "2026-01-01T00:00:00Zx",
            "2026-01-01T00:00:00+00:00Z", "2026-01-01Z", "-026-01-01", "+2026-01-01", " 2026-01-01",
            "2026-01-01\u{301}", "２０２６-01-01", "99999-01-01",
        ])
    func refusing(text: String) {
        #expect(ISO8601.date(of: text) == nil)
    }

    @Test(
        "dates are written in UTC with the digits they need",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (-86_400, "1969-12-31T00:00:00Z"), (0.5, "1970-01-01T00:00:00.5Z"),
            (-0.25, "1969-12-31T23:59:59.75Z"), (951_868_799, "2000-02-29T23:59:59Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "253402300800.0"),
            (-62_167_219_201, "-62167219201.0"), (.infinity, "inf"), (1e300, "1e+300"),
        ] as [(Double, String)])
    func writing(seconds: Double, text: String) {
        #expect(ISO8601.text(of: Date(timeIntervalSince1970: seconds)) == text)
        if text.hasSuffix("Z") {
            #expect(ISO8601.date(of: text)?.timeIntervalSince1970 == seconds)
        }
    }

    @Test("a fraction that rounds up to a second carries")
    func carrying() {
        let date = Date(timeIntervalSinceReferenceDate: 1.0.nextDown)
        #expect(ISO8601.text(of: date) == "2001-01-01T00:00:01Z")
        #expect(
            ISO8601.date(of: "2026-12-31T23:59:59.99999999999999999999Z")
                == ISO8601.date(of: "2027-01-01T00:00:00Z"))
    }

    @Test("days of four centuries are written and read back")
    func days() {
        for day in stride(from: -100_000, to: 50_000, by: 5) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let text = ISO8601.text(of: date)
            if ISO8601.date(of: text) != date {
                Issue.record("\(text) is not read back")
                return
            }
        }
        #expect(ISO8601.text(of: Date(timeIntervalSince1970: -100_000 * 86_400)).hasPrefix("1696-"))
    }
}
