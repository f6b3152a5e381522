import Foundation
import SceneStoreUIKit
import Testing

import SceneStore

#if canImport(UIKit)
    import UIKit
#else
    import SceneStoreUIKitStandIn
#endif

@Suite("Foundation's objects")
struct FoundationValueTests {
    static let values: [Value] = [
        .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(.max),
        .integer(.min), .double(0), .double(-0.0), .double(1), .double(.nan), .double(.infinity),
        .double(-.infinity), .double(.leastNonzeroMagnitude), .string(""), .string("e\u{301}"),
        .string("\u{0}\u{1F600}"), .data(Data()), .data(Data([0, 255])),
        .date(Date(timeIntervalSinceReferenceDate: 0.1234567)), .date(.distantPast),
        .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        .array([]), .array([.null, .boolean(true), .integer(1), .array([.double(1)])]),
        .set([]), .set([.integer(2), .string("a"), .array([.integer(1)])]),
        .set([.set([.integer(1)]), .dictionary(["k": .null])]),
        .dictionary([:]), .dictionary(["a": .dictionary(["b": .array([.boolean(false)])])]),
    ]

    @Test("L-81 L-82 every value goes to Foundation and back exactly", arguments: values)
    func roundTrip(_ value: Value) throws {
        let object = try value.foundationObject()
        #expect(try Value(foundation: object) == value)
    }

    @Test("L-81 a URL keeps its text")
    func url() throws {
        let url = try #require(URL(string: "https://example.com/a%20b?c=d#e"))
        let value = Value.url(url)
        #expect(try Value(foundation: value.foundationObject()) == value)
    }

    @Test("L-82 what bridges answer is told apart: Boolean true, integer 1, double 1")
    func numbers() throws {
        #expect(try Value(foundation: NSNumber(value: true)) == .boolean(true))
        #expect(try Value(foundation: NSNumber(value: 1)) == .integer(1))
        #expect(try Value(foundation: NSNumber(value: Int8(1))) == .integer(1))
        #expect(try Value(foundation: NSNumber(value: 1.0)) == .double(1))
        #expect(try Value(foundation: true) == .boolean(true))
        #expect(try Value(foundation: UInt8(1)) == .integer(1))
        #expect(try Value(foundation: Float(1.5)) == .double(1.5))
        let payload = Double(bitPattern: 0x7ff8_0000_0000_0123)
        #expect(try Value(foundation: payload) == .double(payload))
    }

    @Test("L-81 Foundation's own collections come over")
    func collections() throws {
        let array = NSArray(array: [NSString(string: "a"), NSNumber(value: 2), NSNull()])
        #expect(try Value(foundation: array) == .array([.string("a"), .integer(2), .null]))
        let set = NSSet(array: [NSNumber(value: 2)])
        #expect(try Value(foundation: set) == .set([.integer(2)]))
        let dictionary = NSDictionary(dictionary: ["k": array])
        #expect(try Value(foundation: dictionary).dictionaryValue?["k"]?.arrayValue?.count == 3)
        #expect(
            try ValueDictionary(foundation: ["k": Set<AnyHashable>([1])])["k"]
                == .set([.integer(1)]))
    }

    @Test("L-81 L-83 what the other side can't say exactly is refused with its key path")
    func refusals() throws {
        let refused: [(Any, String)] = [
            (NSNumber(value: UInt64.max), "userInfo"),
            (NSDecimalNumber(string: "0.1"), "userInfo"),
            (NSObject(), "userInfo"),
            (["list": [1, NSObject()] as [Any]] as [String: Any], "userInfo.list[1]"),
            ([1: "one"] as [AnyHashable: Any], "userInfo"),
        ]
        for (object, path) in refused {
            let error = #expect(throws: SceneStoreError.self) { try Value(foundation: object) }
            #expect(error?.code == .unsupportedValue && error?.path == path)
        }
        let unsayable: [Value] = [
            .set([.boolean(true), .integer(1)]), .set([.integer(1), .double(1)]),
            .dictionary(["\u{e9}": 1, "e\u{301}": 2]),
            .double(Double(bitPattern: 0x7ff8_0000_0000_0123)),
            .opaque(OpaqueValue(encoded: [0xc1, 0x00])),
        ]
        for value in unsayable {
            #expect(throws: SceneStoreError(.unsupportedValue, "")) {
                try Value.array([value]).foundationObject()
            }
        }
    }

    @Test("L-33 L-54 L-80 an activity goes to NSUserActivity and back with everything")
    func activities() throws {
        var activity = try UserActivity(activityType: "com.example.edit")
        #expect(try UserActivity(activity.makeUserActivity()) == activity)
        activity.title = "Title"
        activity.userInfo = ["a": 1, "b": true]
        activity.requiredUserInfoKeys = ["a"]
        try activity.setWebpageURL(URL(string: "https://example.com/x"))
        activity.referrerURL = URL(string: "https://example.com/")
        activity.targetContentIdentifier = "note/1"
        activity.persistentIdentifier = "p"
        activity.expirationDate = Date(timeIntervalSinceReferenceDate: 5)
        activity.keywords = ["x", "y"]
        activity.stateVersion = 3
        for eligibility in (0..<16).map({ UserActivity.Eligibility(rawValue: $0) }) {
            activity.eligibility = eligibility
            for needsSave in [true, false] {
                activity.needsSave = needsSave
                #expect(try UserActivity(activity.makeUserActivity()) == activity)
            }
        }
    }

    @Test("L-54 L-84 where keys are required, the version of the state is one of them")
    func requiredVersion() throws {
        var activity = try UserActivity(activityType: "com.example.edit")
        activity.userInfo = ["a": 1, "b": true]
        for (version, keys, count) in [(1, ["a"], 1), (3, ["a"], 2), (3, [], 0)] {
            activity.stateVersion = version
            activity.requiredUserInfoKeys = Set(keys)
            let made = try activity.makeUserActivity()
            let required = made.requiredUserInfoKeys ?? []
            #expect(required.count == count)
            #expect(required.allSatisfy { made.userInfo?[$0] != nil })
        }
    }

    @Test("L-80 an activity without a type, or with another page than http's, is refused")
    func refusedActivities() throws {
        #expect(throws: SceneStoreError(.invalidActivityType, "")) {
            try UserActivity(NSUserActivity(activityType: ""))
        }
        let activity = NSUserActivity(activityType: "t")
        activity.webpageURL = URL(string: "ftp://example.com")
        #expect(throws: SceneStoreError(.invalidWebpageURL, "")) { try UserActivity(activity) }
    }

    @MainActor
    @Test("L-60 UIKit's connection options come over whole")
    func connectionOptions() throws {
        let options = UIScene.ConnectionOptions()
        for link in ["notes:2", "notes:1"] {
            let how = UIScene.OpenURLOptions()
            how.sourceApplication = "com.example.mail"
            how.openInPlace = true
            options.urlContexts.insert(
                UIOpenURLContext(url: try #require(URL(string: link)), options: how))
        }
        options.userActivities = [
            NSUserActivity(activityType: "b"), NSUserActivity(activityType: "a"),
        ]
        let item = UIApplicationShortcutItem(type: "new", localizedTitle: "New")
        item.userInfo = ["n": NSNumber(value: 1)]
        item.targetContentIdentifier = "note/1"
        options.shortcutItem = item
        let content = UNNotificationContent()
        content.userInfo = ["k": true]
        content.targetContentIdentifier = "note/2"
        options.notificationResponse = UNNotificationResponse(
            notification: UNNotification(
                request: UNNotificationRequest(identifier: "n", content: content)),
            actionIdentifier: "open")
        options.handoffUserActivityType = "h"
        options.sourceApplication = "com.example.mail"
        let value = try ConnectionOptions(options)
        #expect(value.urlContexts.map(\.url) == ["notes:1", "notes:2"])
        #expect(value.urlContexts.allSatisfy { $0.openInPlace })
        #expect(value.userActivities.map(\.activityType) == ["a", "b"])
        #expect(
            value.shortcutItem
                == ShortcutItem(
                    type: "new", targetContentIdentifier: "note/1", userInfo: ["n": 1],
                    localizedTitle: "New"))
        #expect(
            value.notificationResponse
                == NotificationResponse(
                    identifier: "n", actionIdentifier: "open", targetContentIdentifier: "note/2",
                    userInfo: ["k": true], date: Date(timeIntervalSince1970: 0)))
        #expect(value.handoffUserActivityType == "h")
        #expect(value.sourceApplication == "com.example.mail")
    }

    @MainActor
    @Test("L-04 a configuration keeps name, role and classes")
    func configurations() {
        let configuration = UISceneConfiguration(
            name: "Editor", sessionRole: .init(rawValue: "com.example.role"))
        configuration.delegateClass = NoteSceneDelegate.self
        let value = SceneConfiguration(configuration)
        #expect(value.name == "Editor" && value.role.rawValue == "com.example.role")
        #expect(value.delegateClassName == "SceneStoreUIKitTests.NoteSceneDelegate")
        let back = value.makeSceneConfiguration()
        #expect(back.name == "Editor" && back.role == configuration.role)
    }
}
