import SceneStore
import SceneStoreLinks

/// A million links against an association file of 1 000 components, and against a router of 100
/// routes; every answer is known.
enum MatcherBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let file = try AssociationFile(Self.file(components: 1_000).utf8)
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
        var result = Measurement(
            "one link against 1 000 components", .nanoseconds, Summary(rounds: times))
        result.note = "\(Decimals.text(Double(passes * links.count))) links"
        return [result, try routes(context)]
    }

    private static func routes(_ context: BenchmarkContext) throws -> Measurement {
        let subject = try RouterSubject(routes: 100)
        let count = context.isQuick ? 20_000 : 200_000
        let times = try (0..<5).map { _ in
            var found = 0
            let time = try Interleaving.time {
                for number in 0..<count / 5 {
                    found += try subject.match(number)
                }
            }
            guard found == count / 5 else {
                throw BenchmarkFailure("links were led to wrong routes")
            }
            return [time / Double(count / 5)]
        }
        return Measurement(
            "one link through 100 routes, with its parameters", .nanoseconds,
            Summary(rounds: times))
    }

    /// Components of several kinds, each with a path of its own, as a large site has them.
    static func file(components count: Int) -> String {
        let components = (0..<count).map { number in
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

/// A router whose destinations are the numbers of its routes.
struct RouterSubject {
    private let router: Router<Int>
    private let routes: Int

    init(routes: Int) throws {
        self.routes = routes
        router = try Router(domains: ["example.com"]) {
            for number in 0..<routes {
                Route(
                    "/section\(number)/:item", .path("item", .integer(in: 0...))
                ) { (_: Int) in
                    number
                } print: {
                    $0 == number ? 0 : nil
                }
            }
        }
    }

    /// One when a link reaches its route.
    func match(_ number: Int) throws -> Int {
        let route = number % routes
        let match = try router.match("https://example.com/section\(route)/\(number)")
        return match.destination == route ? 1 : 0
    }
}
