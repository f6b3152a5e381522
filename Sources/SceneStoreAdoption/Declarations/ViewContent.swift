/// A part of which a SwiftUI view, or an app's scenes, consist as a whole.
enum ViewPart: Equatable {
    /// A view by its type's name, and by the module or type in front of it, or -1.
    case view(Int32, of: Int32)
    /// A property or function of the same type.
    case member(Int32)
    /// What another object makes: `builder.rootView()`.
    case call(receiver: Int32, name: Int32)
}

extension Declarations {
    /// Notes of which parts the views of a Swift file consist.
    mutating func readViews(_ tokens: [Token], _ symbols: SymbolTable) {
        for type in types.indices {
            for index in types[type].functions.indices {
                types[type].functions[index].parts = ViewContent.parts(
                    of: types[type].functions[index], tokens, symbols)
            }
        }
    }
}

/// Reads of which parts a view consists.
///
/// Only what can be the whole of a window counts: what stands in the body itself, in the branches
/// of a condition, and in wrappers such as `NavigationStack`. What lists and stacks hold are
/// pieces.
struct ViewContent {
    /// Parts of one function beyond these are not kept.
    private static let maximumParts = 100

    private let tokens: [Token]
    private let symbols: SymbolTable
    private var parts: [ViewPart] = []
    private var pending: [Range<Int>] = []

    /// The parts of a function that makes views or scenes; none for any other.
    static func parts(
        of function: Function, _ tokens: [Token], _ symbols: SymbolTable
    ) -> [ViewPart] {
        guard let body = function.body else {
            return []
        }
        // Of a property the body holds its type, too.
        let open =
            function.isAccessor
            ? body.first { tokens[$0].isMark("{") } ?? body.upperBound : body.lowerBound - 1
        let head = function.place..<max(open, function.place)
        guard open < tokens.count, Int(tokens[open].match) > open,
            head.contains(where: { tokens[$0].isWord(.some_) }),
            head.contains(where: { ["View", "Scene"].contains(symbols.text(tokens[$0].symbol)) })
        else {
            return []
        }
        var reader = ViewContent(tokens: tokens, symbols: symbols)
        reader.pending = [(open + 1)..<Int(tokens[open].match)]
        while let range = reader.pending.popLast(), reader.parts.count < maximumParts {
            reader.read(range)
        }
        return reader.parts
    }

    private init(tokens: [Token], symbols: SymbolTable) {
        self.tokens = tokens
        self.symbols = symbols
    }

    // MARK: - Statements

    private mutating func read(_ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound {
            let token = tokens[index]
            guard token.kind == .word else {
                index = step(index)
                continue
            }
            switch token.symbol {
            case Word.if_.id, Word.switch_.id, Word.else_.id, Word.do_.id:
                index = readBlock(index, range.upperBound)
            case Word.case_.id:
                index = behind(index, range.upperBound) { $0.isMark(":") }
            case Word.return_.id:
                index += 1
            case Word.let_.id, Word.var_.id, Word.guard_.id, Word.for_.id:
                index = statementEnd(index + 1, range.upperBound)
            default:
                // `default:`
                let isLabel = index + 1 < range.upperBound && tokens[index + 1].isMark(":")
                index = isLabel ? index + 2 : readExpression(index, range.upperBound)
            }
        }
    }

    /// The index behind a token, or behind its bracket's partner.
    private func step(_ index: Int) -> Int {
        let match = Int(tokens[index].match)
        return tokens[index].opens && match > index ? match + 1 : index + 1
    }

    private func behind(_ start: Int, _ end: Int, _ isLast: (Token) -> Bool) -> Int {
        var index = start
        while index < end {
            if isLast(tokens[index]) {
                return index + 1
            }
            index = step(index)
        }
        return end
    }

    private mutating func readBlock(_ start: Int, _ end: Int) -> Int {
        var index = start + 1
        while index < end, !tokens[index].isMark("{") {
            index = step(index)
        }
        if index < end, Int(tokens[index].match) > index {
            pending.append((index + 1)..<Int(tokens[index].match))
        }
        return index < end ? step(index) : end
    }

    private func statementEnd(_ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end, !tokens[index].isMark(";"),
            !tokens[index].startsLine || tokens[index].isMark(".") || tokens[index].isMark("?")
        {
            index = step(index)
        }
        return index
    }

    // MARK: - Expressions

    /// `Name(…) {…}`, `Module.Name(…)`, `name`, `object.name()`, each with its modifiers.
    private mutating func readExpression(_ start: Int, _ end: Int) -> Int {
        var path = [start]
        var index = start + 1
        while index + 1 < end, tokens[index].isMark("."), !tokens[index].startsLine,
            tokens[index + 1].kind == .word
        {
            path.append(index + 1)
            index += 2
        }
        let first = tokens[start].symbol
        if isCapital(start) {
            // Of `Module.View` and `Owner.View` the second word is the view, of `Color.clear` and
            // `SwiftUI.Group` it is not, or needs no owner.
            let isQualified = path.count > 1 && isCapital(path[1])
            let name = isQualified ? path[1] : start
            let owner = isQualified && symbols.text(first) != "SwiftUI" ? first : -1
            let content = name == path.last ? contentRanges(index, end) : (inner: [], end: index)
            let text = symbols.text(tokens[name].symbol)
            if !Self.pieces.contains(text) {
                pending += content.inner
                if !Self.wrappers.contains(text) {
                    parts.append(.view(tokens[name].symbol, of: owner))
                }
            }
            index = content.end
        } else if path.count > 1 {
            parts.append(.call(receiver: first, name: tokens[path[1]].symbol))
        } else {
            parts.append(.member(first))
        }
        return statementEnd(index, end)
    }

    private func isCapital(_ index: Int) -> Bool {
        symbols.text(tokens[index].symbol).first?.isUppercase == true
    }

    /// The closures behind a view's name, and the argument of `AnyView`.
    private func contentRanges(_ start: Int, _ end: Int) -> (inner: [Range<Int>], end: Int) {
        var inner: [Range<Int>] = []
        var index = start
        if index < end, tokens[index].isMark("<") {
            index = behind(index, end) { $0.isMark(">") }
        }
        if index < end, tokens[index].isMark("("), Int(tokens[index].match) > index {
            if start > 0, symbols.text(tokens[start - 1].symbol) == "AnyView" {
                inner.append((index + 1)..<Int(tokens[index].match))
            }
            index = step(index)
        }
        while index < end {
            if tokens[index].isMark("{"), Int(tokens[index].match) > index {
                inner.append(closure(index))
                index = step(index)
            } else if index + 2 < end, tokens[index].kind == .word, tokens[index + 1].isMark(":"),
                tokens[index + 2].isMark("{"), !inner.isEmpty
            {
                index += 2
            } else {
                break
            }
        }
        return (inner, index)
    }

    /// What a closure does, behind its parameters.
    private func closure(_ open: Int) -> Range<Int> {
        let close = Int(tokens[open].match)
        var index = open + 1
        while index < close, !tokens[index].startsLine || index == open + 1 {
            if tokens[index].isWord(.in_) {
                return (index + 1)..<close
            }
            index = step(index)
        }
        return (open + 1)..<close
    }

    // MARK: - SwiftUI's own

    /// Those that show what they are given as a whole.
    private static let wrappers: Set<String> = [
        "AnyView", "DocumentGroup", "GeometryReader", "Group", "NavigationSplitView",
        "NavigationStack", "NavigationView", "Tab", "TabView", "ViewThatFits", "Window",
        "WindowGroup", "ZStack",
    ]

    /// Those that are not what handles a link: they hold pieces, or nothing.
    private static let pieces: Set<String> = [
        "AngularGradient", "AsyncImage", "Button", "Canvas", "Capsule", "Chart", "Circle",
        "Color", "ContentUnavailableView", "ControlGroup", "DatePicker", "DisclosureGroup",
        "Divider", "EditButton", "Ellipse", "EmptyView", "ForEach", "Form", "Gauge", "Grid",
        "GridRow", "GroupBox", "HStack", "Image", "ImmersiveSpace", "Label", "LabeledContent",
        "LazyHGrid", "LazyHStack", "LazyVGrid", "LazyVStack", "LinearGradient", "Link", "List",
        "Map", "Menu", "MenuBarExtra", "NavigationLink", "OutlineGroup", "Path",
        "PhotosPicker", "Picker", "ProgressView", "RadialGradient", "RealityView", "Rectangle",
        "RoundedRectangle", "SceneView", "ScrollView", "ScrollViewReader", "Section",
        "SecureField", "Settings", "ShareLink", "SignInWithAppleButton", "Slider", "Spacer",
        "SpriteView", "Stepper", "Table", "Text", "TextEditor", "TextField", "TimelineView",
        "Toggle", "VStack", "VideoPlayer",
    ]
}
