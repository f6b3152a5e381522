import SceneStoreValues

extension CanonicalJSON {
    /// The keys of many objects of one shape, sorted and escaped once.
    ///
    /// The way to write 100 000 rows: no value is built, nothing is sorted a second time.
    package struct RecordLayout: Sendable {
        /// In sorted order: the place of the key in the declaration, and the text before the
        /// value.
        private let fields: [(place: Int, prefix: [UInt8])]

        /// Makes a layout of distinct keys, in any order.
        package init(keys: [String]) {
            let order = keys.indices.sorted {
                keys[$0].utf8.lexicographicallyPrecedes(keys[$1].utf8)
            }
            for (left, right) in zip(order, order.dropFirst()) {
                precondition(!keys[left].hasSameBytes(as: keys[right]), "two keys are equal")
            }
            var fields: [(place: Int, prefix: [UInt8])] = []
            for place in order {
                var prefix: [UInt8] = [fields.isEmpty ? 0x7B : 0x2C]
                CanonicalJSON.string(keys[place]).append(to: &prefix)
                prefix.append(0x3A)
                fields.append((place, prefix))
            }
            self.fields = fields
        }

        /// Appends one object. The closure appends the value of the key at a place of the
        /// declaration; it is called once a key.
        package func append(
            to output: inout [UInt8], value: (_ place: Int, _ output: inout [UInt8]) -> Void
        ) {
            if fields.isEmpty {
                output.append(0x7B)
            }
            for field in fields {
                output.append(contentsOf: field.prefix)
                value(field.place, &output)
            }
            output.append(0x7D)
        }
    }
}
