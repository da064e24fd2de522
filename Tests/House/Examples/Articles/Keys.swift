// swift-format-ignore-file
// The Swift of "Keys of structs, classes, actors and MainActor types". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import Predicates
import Testing

// block: struct Address: Queryable {
// block: struct Reminder: Queryable {
// block: class Vehicle: Queryable {
// block: struct JobState: Queryable {
// block: protocol Animal: Queryable {}
// block: class Shape: Queryable {
// block: final class Company: Queryable, Sendable {
// block: @MainActor final class Mailbox: Queryable {

@Suite struct KeysExamples {
    @Test func structs() throws {
        // block: let ada = Customer(name: "Ada", status: .active, address: Address(city: "London"), tags: ["vip"])
        #expect(isActive && isInLondon)

        // block: let isInRome = try FormatPredicate("address == %@ OR status IN %@", Address(city: "Rome"), [Customer.Status.closed])
        #expect(!result)
    }

    @Test func dates() throws {
        // block: let noon = Date(timeIntervalSince1970: 1_778_068_800)  // 6 May 2026, 12:00 UTC
        #expect(onTheDay == ["plants"] && later == ["rent"] && weekend == ["rent"] && undated == ["book"])
        #expect(soon == ["plants"])
    }

    @Test func otherTypes() throws {
        // block: let owners = try [Owner(pets: [Dog(name: "Rex")])].filter("ANY pets.name == %@", "Rex").count  // 1
        #expect(owners == 1)
    }

    @Test func computedTables() throws {
        // block: let regular = try [Square()].filter("isRegular == YES").count  // 1
        #expect(regular == 1 && full == 1)
    }

    @Test func objectsAsArguments() throws {
        // block: let company = Company(name: "Analytical Engines")
        #expect(isOurs && isSame)
    }

    @Test func classes() throws {
        // block: let bicycles = try [Bicycle()].filter(FormatPredicate("wheels < 3")).count  // 1
        #expect(bicycles == 1)
    }

    @Test func isolatedTypes() async throws {
        // block: let matcher = try FormatPredicate("progress < 1").compiled(for: JobState.self)
        #expect(isRunning && names == ["upload"])

        // block: let boxes = try await MainActor.run { try [Mailbox()].filter("title BEGINSWITH 'In'").count }  // 1
        #expect(boxes == 1)
    }

    @Test func dictionaries() throws {
        // block: let rows: [[String: Any]] = [["name": "Ada", "age": 36], ["name": "Bob"]]
        #expect(old == 1 && short == ["pear"])
    }
}
