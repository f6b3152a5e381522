extension String {
    /// Makes the digits of a number, with zeros in front where there are fewer than asked for.
    package init<Number: BinaryInteger>(
        _ number: Number, digits: Int, radix: Int = 10, uppercase: Bool = false
    ) {
        let text = String(number, radix: radix, uppercase: uppercase)
        self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }
}
