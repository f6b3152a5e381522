import SceneStore

/// A million links against an association file of 1 000 components; every answer is known.
enum MatcherBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let file = try AssociationFile(fileContents.utf8)
        guard file.details.first?.components.count == 1_000, file.isClean else {
            throw BenchmarkFailure("the association file is not what it should be")
        }
        let matcher = file.matcher(appID: "ABCDE12345.com.example.app")
        let links = Self.links
        let passes = (context.isQuick ? 100_000 : 1_000_000) / links.count
        var times: [[Double]] = []
        for _ in 0..<5 {
            var wrong = 0
            let time = Interleaving.time {
                for _ in 0..<passes / 5 {
                    for link in links where matcher.match(link.text).component != link.component {
                        wrong += 1
                    }
                }
            }
            guard wrong == 0 else {
                throw BenchmarkFailure("\(wrong) links were matched wrongly")
            }
            times.append([time / Double(passes / 5 * links.count)])
        }
        var result = Measurement("one link", .nanoseconds, Summary(rounds: times))
        result.note = "\(Decimals.text(Double(passes * links.count))) links"
        return [result]
    }

    /// Components of several kinds, each with a path of its own, as a large site has them.
    private static var fileContents: String {
        let components = (0..<1_000).map { number in
            switch number % 4 {
            case 0: #"{"/":"/shop/\#(number)/*"}"#
            case 1: #"{"/":"/news/\#(number)","?":{"id":"?*"}}"#
            case 2: #"{"/":"/help/\#(number)/*","exclude":true}"#
            default: #"{"/":"/user/*/album/\#(number)"}"#
            }
        }
        return #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"#
            + #""components":[\#(components.joined(separator: ","))]}]}}"#
    }

    /// 10 000 links, and the component that decides about each; one in ten meets none.
    private static var links: [(text: String, component: Int?)] {
        (0..<10_000).map { index in
            let number = index * 7 % 1_000
            let host = "https://www.example.com"
            if index % 10 == 9 {
                return ("\(host)/nothing/\(number)/here", nil)
            }
            return switch number % 4 {
            case 0: ("\(host)/shop/\(number)/articles/\(index)", number)
            case 1: ("\(host)/news/\(number)?id=\(index)", number)
            case 2: ("\(host)/help/\(number)/\(index)", number)
            default: ("\(host)/user/\(index)/album/\(number)", number)
            }
        }
    }
}
