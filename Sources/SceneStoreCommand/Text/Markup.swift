import SceneStore
import SceneStoreFormats

/// A piece of HTML or SVG. What is interpolated is escaped, what is written in the source is not,
/// so that stored text cannot become markup by accident:
///
///     page.append("<td>\(title)</td>")
struct Markup: Sendable, ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
    }

    mutating func append(_ other: Markup) {
        text += other.text
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 8 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Stored or foreign text; escaped.
        mutating func appendInterpolation(_ value: some StringProtocol) {
            text += TextEscaping.markup(String(value))
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) {
            text += String(number)
        }

        mutating func appendInterpolation(_ other: Markup) {
            text += other.text
        }
    }
}
