/// Which keys of the dictionaries that a type decodes from it reads.
///
/// A restore counts them only. Where the counts differ the value is decoded once more, and each
/// place is noted.
final class ReadKeys {
    /// How many keys the opened dictionaries have.
    private var offered = 0
    /// How many of them were read; the same one twice counts twice.
    private var taken = 0
    private let notesPlaces: Bool
    private var places: [Place] = []
    private var numbers: [String: Int] = [:]

    /// A dictionary that was opened: a superclass opens it again.
    private struct Place {
        var path: [any CodingKey]
        var keys: [String]
        var read: Set<String> = []
    }

    init(notesPlaces: Bool = false) {
        self.notesPlaces = notesPlaces
    }

    /// Whether it is certain by the counts alone that every key was read.
    var hasReadAll: Bool { offered == taken }

    /// Notes that a type reads a dictionary at a coding path.
    func open(_ dictionary: ValueDictionary, at path: [any CodingKey]) {
        offered += dictionary.count
        if notesPlaces {
            let text = ValueCoder.path("", path)
            if numbers[text] == nil {
                numbers[text] = places.count
                places.append(Place(path: path, keys: dictionary.pairs.map(\.key)))
            }
        }
    }

    /// A value was decoded.
    func take(_ key: String, at path: [any CodingKey]) {
        taken += 1
        see(key, at: path)
    }

    /// A type has seen that a key is there.
    func see(_ key: String, at path: [any CodingKey]) {
        if notesPlaces, let number = numbers[ValueCoder.path("", path)] {
            places[number].read.insert(key)
        }
    }

    /// The places of the keys that nobody read, in the order in which their dictionaries were opened.
    func unread(from root: String) -> [String] {
        places.flatMap { place in
            place.keys.filter { !place.read.contains($0) }.map {
                ValueCoder.path(root, place.path + [ValueCodingKey(stringValue: $0)])
            }
        }
    }
}
