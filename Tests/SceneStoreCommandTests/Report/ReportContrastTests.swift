import Foundation
import Testing

@testable import SceneStoreCommand

/// The report's colours, as the style sheet has them.
@Suite("The report's contrast")
struct ReportContrastTests {
    static let marks = [
        "ink", "soft", "known", "edge", "front-edge", "save", "restore", "link", "discard", "crash",
        "faint", "focus",
    ]
    /// What a lane is filled with; marks stand on it, lines don't.
    static let fills = ["connected", "front"]

    @Test("every mark has a contrast of at least 3:1 to each ground, in light and in dark")
    func contrast() throws {
        let sheet = ReportStyle.sheet
        let parts = sheet.components(separatedBy: "@media screen")
        try #require(parts.count >= 2)
        for (name, text) in [("light", parts[0]), ("dark", parts[1])] {
            let colors = Self.colors(in: text)
            let series = (0..<8).map { "c\($0)" }
            for mark in Self.marks + series {
                let isLine = ["known", "edge", "front-edge", "faint", "focus", "soft"]
                    .contains(mark)
                let grounds =
                    series.contains(mark)
                    ? ["card"] : ["page", "card", "band", "died"] + (isLine ? [] : Self.fills)
                for ground in grounds {
                    let ratio = Self.contrast(
                        try #require(colors[mark]), try #require(colors[ground]))
                    #expect(ratio >= 3, "\(name): \(mark) on \(ground) is \(ratio)")
                }
            }
        }
    }

    /// The custom properties that a rule sets: the name, and red, green and blue.
    private static func colors(in text: String) -> [String: [Double]] {
        var colors: [String: [Double]] = [:]
        for declaration in text.split(whereSeparator: { ";{}\n".contains($0) }) {
            let parts = declaration.split(separator: ":")
            guard parts.count == 2, parts[0].hasPrefix("--"), parts[1].hasPrefix("#") else {
                continue
            }
            var digits = Array(parts[1].dropFirst())
            if digits.count == 3 {
                digits = digits.flatMap { [$0, $0] }
            }
            let channels = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                Int(String(digits[$0...$0 + 1]), radix: 16).map { Double($0) / 255 }
            }
            // The first one counts: dark colours stand behind the light ones.
            let name = String(parts[0].dropFirst(2))
            if channels.count == 3, colors[name] == nil {
                colors[name] = channels
            }
        }
        return colors
    }

    /// By the Web Content Accessibility Guidelines 2.2.
    private static func contrast(_ left: [Double], _ right: [Double]) -> Double {
        func luminance(_ color: [Double]) -> Double {
            let linear = color.map { channel in
                channel <= 0.03928 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        }
        let (one, other) = (luminance(left), luminance(right))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }
}
