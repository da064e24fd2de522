// The tests of the sample, as the apps would write them for Apple's platforms.
import Foundation
import PredicateFoundation
import Testing

@Suite struct SampleTests {
    @Test func tasks() {
        let now = Date(timeIntervalSinceReferenceDate: 1000)
        let ada = Contact(identifier: 1)
        let one = TodoTask(identifier: 1)
        one.dueDate = now.addingTimeInterval(-10)
        let two = TodoTask(identifier: 2)
        two.isDone = true
        two.labels = ["Urgent", "home"]
        two.assignee = ada
        let list = TaskList(tasks: [one, two])
        #expect(list.tasks(matching: .open).map { $0.identifier } == [1])
        #expect(list.tasks(matching: .done).map { $0.identifier } == [2])
        #expect(list.tasks(matching: .overdue, now: now).map { $0.identifier } == [1])
        #expect(list.tasks(matching: .urgent).map { $0.identifier } == [2])
        #expect(list.count([.open, .overdue, .unassigned], now: now) == 1)
        #expect(list.count(TaskFilter.allCases, now: now) == 0)
    }

    static let contacts: [Contact] = [
        ("Zoé", "Lee", "zoe@example.org"), ("Ada", "Lee", nil), ("Bob", "Ray", "b@x.org"),
    ]
    .enumerated().map { index, row in
        let contact = Contact(identifier: index)
        (contact.firstName, contact.lastName, contact.email) = row
        contact.isFavorite = index == 1
        contact.phones = index == 2 ? ["+49 30 1234", "0170 99"] : []
        return contact
    }

    @Test func contactSearch() {
        var search = ContactSearch(contacts: Self.contacts)
        #expect(search.results(for: "zoe lee").map { $0.firstName } == ["Zoé"])
        #expect(search.results(for: " lee ").map { $0.firstName } == ["Ada", "Zoé"])
        #expect(search.results(for: "").count == 3)
        #expect(search.withPhone(prefix: "+49").map { $0.lastName } == ["Ray"])
        search.onlyFavorites = true
        #expect(search.results(for: "lee").map { $0.firstName } == ["Ada"])
    }

    @Test func mailRules() {
        let set = MailRuleSet()
        set.rules = [
            MailRule(field: "from", condition: .contains, text: "BOSS"),
            MailRule(field: "subject", condition: .beginsWith, text: "re:"),
        ]
        let messages: [[String: Any]] = [
            ["from": "boss@example.org", "subject": "Re: budget"],
            ["from": "shop@example.org", "subject": "Re: order"],
        ]
        #expect(set.filter(messages).count == 1)
        set.matchesAll = false
        #expect(set.filter(messages).count == 2)
        set.rules = [MailRule(field: "subject", condition: .notEquals, text: "re: order")]
        #expect(set.filter(messages).count == 1)
    }

    static let products: [Product] = [("Saw", 12.5, 4, Category.tools), ("Ball", 3, 0, .toys), ("Rope", 8, 40, .other)]
        .enumerated().map { index, row in
            let product = Product(identifier: index)
            (product.name, product.price, product.stock, product.category) = row
            return product
        }

    @Test func inventory() {
        let report = InventoryReport(Self.products)
        #expect(report.total(of: "price", function: "sum:") == 23.5)
        #expect(report.total(of: "stock", function: "max:") == 40)
        #expect(report.value(of: Self.products[0]) == 50)
        #expect(report.lowStock(limit: 5, categories: [.tools, .toys]) == ["Saw", "Ball"])
        #expect(report.priced(between: 3, and: 8) == 2)
    }

    @Test func albums() {
        let library: [Photo] = (0..<3).map { Photo(identifier: $0) }
        (library[0].width, library[0].height, library[0].rating) = (300, 200, 5)
        library[0].place = Place(city: "Oslo", country: "Norway")
        library[1].people = [Self.contacts[0], Self.contacts[1]]
        library[2].people = [Self.contacts[1], Self.contacts[2]]
        #expect(SmartAlbum.people(named: "Ada").photos(in: library) == [1, 2])
        #expect(SmartAlbum.groups(of: 2).photos(in: library) == [1, 2])
        #expect(SmartAlbum.landscape.photos(in: library) == [0])
        #expect(SmartAlbum.favorites(in: "NORWAY").photos(in: library) == [0])
        #expect(SmartAlbum.familyOnly.photos(in: library) == [1])
    }

    @Test func recipes() {
        let recipes: [NSDictionary] = [
            ["name": "Crêpes", "minutes": 20, "ingredients": ["egg", "milk"], "vegetarian": true],
            ["name": "Burger", "minutes": 15, "ingredients": ["beef"], "vegetarian": false],
        ]
        let browser = RecipeBrowser()
        #expect(browser.names(in: recipes).count == 2)
        browser.maximumMinutes = 20
        browser.ingredient = "egg"
        #expect(browser.names(in: recipes) == ["Crêpes"])
        browser.ingredient = nil
        browser.isVegetarian = false
        #expect(browser.names(in: recipes) == ["Burger"])
        browser.isVegetarian = nil
        browser.excluded = ["crepe"]
        #expect(browser.names(in: recipes) == ["Burger"])
    }

    @Test func calendar() {
        func date(_ hours: Double) -> Date { Date(timeIntervalSinceReferenceDate: hours * 3600) }
        let calendar = EventCalendar(events: [
            ["title": "Stand-up", "start": date(9), "end": date(9.5)],
            ["title": "Lunch", "start": date(12), "end": date(13)],
        ])
        #expect(calendar.events(from: date(9.25), to: date(10)).count == 1)
        #expect(calendar.events(from: date(9), to: date(24)).count == 2)
        #expect(calendar.events(on: date(0)...date(24), titled: "LUNCH") == 1)
        #expect(calendar.events(on: date(0)...date(24), titled: nil) == 2)
        #expect(calendar.isBusy(at: date(12.5)) && !calendar.isBusy(at: date(11)))
    }

    @Test func validation() {
        #expect("a.b@example.org".isValidEmail && !"a@b".isValidEmail)
        #expect("+49 30 1234".isValidPhone && !"abc".isValidPhone)
        #expect("Secret123".isValidPassword && !"secret".isValidPassword)
        #expect(FormField.required.validate("") == "must not be empty")
        #expect(FormField.required.validate("x") == nil)
        #expect(FormField.adult.validate(17) != nil)
        #expect(FormField.adult.validate(18) == nil)
    }

    @Test func settings() {
        let migration = SettingsMigration(entries: [
            ["key": "ui.color", "version": 3, "value": "red"], ["key": "old", "version": 1],
            ["key": "net.url", "version": 1, "keep": true], ["key": "ui.animated", "version": 2, "value": true],
        ])
        #expect(migration.removeObsolete(below: 2) == 1)
        #expect(migration.keys(withPrefix: "ui.") == ["ui.animated", "ui.color"])
        #expect(migration.value(forSetting: "ui.color") as? String == "red")
        #expect(migration.value(forSetting: "old") == nil)
    }

    @Test func playlists() {
        let builder = PlaylistBuilder()
        builder.add([
            Song(title: "C", artist: "X", year: 1984, seconds: 200, plays: 3),
            Song(title: "A", artist: "Y", year: 1989, seconds: 100, plays: 9),
            Song(title: "B", artist: "X", year: 1991, seconds: 300, plays: 9),
        ])
        builder.sort(by: ["plays", "title"])
        #expect(builder.titles == ["C", "A", "B"])
        builder.keep("artist == %@ OR plays > %@", ["X", 8])
        #expect(builder.titles.count == 3)
        builder.keep("seconds < %@", [250])
        #expect(builder.titles == ["C", "A"])
        #expect(builder.songs.filtered(using: PlaylistBuilder.decade(1980)).count == 2)
    }

    @Test func bank() {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let statement = BankStatement(bookings: [
            Booking(amount: Decimal(string: "-950.10")!, text: "Rent May", date: date),
            Booking(amount: Decimal(string: "2000.30")!, text: "Salary", date: date),
            Booking(amount: Decimal(string: "-3.20")!, text: "Coffee", date: date),
        ])
        #expect(statement.bookings(over: 900).map { $0.text } == ["Rent May", "Salary"])
        #expect(statement.rent().count == 1)
        #expect(statement.total == NSDecimalNumber(string: "1047"))
    }

    @Test func cart() {
        var cart = ShopCart(lines: [["sku": "A1", "price": 5, "weight": 1], ["sku": "A2", "price": 6, "weight": 30]])
        #expect(cart.percent == 0)
        cart.lines.append(["sku": "A3", "price": 7, "weight": 1])
        #expect(cart.percent == 3)
        cart.lines.append(["sku": "GIFT1", "price": 100, "weight": 1])
        #expect(cart.percent == 10)
        #expect(cart.lines.map(cart.shipping) == [5, 15, 5, 5])
    }

    @Test func feed() {
        let feed = FeedFilter()
        let posts: [[String: Any]] = [
            ["id": 1, "body": "Hello", "hidden": false], ["id": 2, "body": "Crypto!", "hidden": false],
            ["id": 3, "body": "Secret", "hidden": true],
        ]
        #expect(feed.visible(posts) == [1, 2])
        feed.mute("CRYPTO")
        #expect(feed.visible(posts) == [1])
        feed.markSeen([1])
        #expect(feed.visible(posts) == [])
    }

    @Test func templates() throws {
        let templates = QueryTemplates.shared
        func names(_ template: String, _ variables: [String: Any] = [:]) throws -> [String] {
            let predicate = try #require(templates.predicate(named: template, variables: variables))
            return Self.products.filter { predicate.evaluate(with: $0) }.map { $0.name }
        }
        #expect(try names("byPrefix", ["PREFIX": "r"]) == ["Rope"])
        #expect(try names("byPrice", ["LOW": 5, "HIGH": 20]) == ["Saw", "Rope"])
        #expect(try names("soldOut") == ["Ball"])
        #expect(templates.predicate(named: "none", variables: [:]) == nil)
    }

    @Test func descriptions() {
        func text(_ format: String) -> String { PredicateDescriber().describe(NSPredicate(format: format)) }
        #expect(text("age > 21 AND name BEGINSWITH[c] 'A'") == "age is over 21 and name starts with A (any case)")
        #expect(text("NOT (a == 1 OR ANY tags == $TAG)") == "not either a is 1 or one of tags is the TAG")
        #expect(text("price * 2 < 9") == "multiply:by:(price, 2) is under 9")
        #expect(text("TRUEPREDICATE") == "always")
        #expect(NSPredicate(format: "a = 1 && b ==[dc] %@", "x").predicateFormat == "a == 1 AND b ==[cd] \"x\"")
    }

    @Test func factory() {
        func count(_ predicate: NSPredicate) -> Int { Self.products.filter { predicate.evaluate(with: $0) }.count }
        #expect(count(.all) == 3)
        #expect(count(.none) == 0)
        #expect(count(.equals("name", "Saw")) == 1)
        #expect(count(.equals("stock", 40)) == 1)
        #expect(count(.oneOf("name", ["Saw", "Rope"])) == 2)
        #expect(count(NSPredicate(noneOf: ["Saw"], key: "name")) == 2)
        #expect(count(.equals("name", "Saw").or(.equals("name", "Ball")).and(.equals("stock", 0))) == 1)
        #expect(count(!.equals("name", "Saw")) == 2)
    }

    @Test func queue() {
        let queue = OrderedQueue()
        let urls = (1...3).map { URL(string: "https://example.org/\($0)")! }
        queue.enqueue(DownloadJob(url: urls[0], state: .finished, size: 10))
        queue.enqueue(DownloadJob(url: urls[1], state: .waiting, size: 30))
        queue.enqueue(DownloadJob(url: urls[2], state: .running, size: 20))
        #expect(queue.jobs(in: .waiting).map { $0.size } == [30])
        #expect(queue.largest()?.size == 30)
        #expect(queue.contains(urls[0]))
        queue.dropFinished()
        #expect(!queue.contains(urls[0]))
    }

    @Test func logs() {
        let viewer = LogViewer(lines: ["E/net: timeout", "I/app: started", "W/db: Error 5", "E/net: retry"])
        #expect(viewer.lines(matching: "SELF BEGINSWITH 'I/'").count == 1)
        #expect(viewer.lines(like: "e/net*") == ["E/net: timeout", "E/net: retry"])
        #expect(viewer.errors(except: ["retry"]) == ["E/net: timeout", "W/db: Error 5"])
        #expect(viewer.withArguments("SELF CONTAINS %@ AND SELF.length > %d", "net", 12) == ["E/net: timeout"])
    }

    @Test func scores() {
        let scores = GameScores(scores: [
            Score(player: "Ada", points: 10, level: "easy"), Score(player: "Bob", points: 30, level: "hard"),
            Score(player: "Cy", points: 20, level: "hard"),
        ])
        #expect(scores.ranking() == ["Bob", "Cy", "Ada"])
        #expect(scores.average() == 20)
        #expect(scores.bonus("points * 2 + 1", for: scores.scores[0]) == 21)
        #expect(scores.beaten(by: 25).map { $0.player } == ["Ada", "Cy"])
    }

    @Test func access() throws {
        let json = """
            [{"action": "edit", "condition": "user.id == resource.owner OR 'admin' IN user.roles"},
             {"action": "view", "condition": "resource.public == YES OR user.id != nil"}]
            """
        let control = try AccessControl(json: Data(json.utf8))
        #expect(control.can("edit", user: ["id": 1, "roles": [String]()], resource: ["owner": 1]))
        #expect(control.can("edit", user: ["id": 2, "roles": ["admin"]], resource: ["owner": 1]))
        #expect(!control.can("edit", user: ["id": 2, "roles": ["guest"]], resource: ["owner": 1]))
        #expect(control.can("view", user: [:], resource: ["public": true]))
        #expect(!control.can("delete", user: ["id": 1], resource: ["owner": 1]))
    }

    /// The files of the sample have one import line for this package, and no conditions for platforms.
    @Test func filesHaveNothingButTheImport() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("App")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var count = 0
        for file in files where file.lastPathComponent != "Models.swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            // One more import, or another one in place of Foundation's.
            let isAdded = text.hasPrefix("import Foundation\nimport PredicateFoundation\n")
            #expect(isAdded || text.hasPrefix("import PredicateCompatibility\n"), "\(file.lastPathComponent)")
            #expect(text.components(separatedBy: "import ").count == (isAdded ? 3 : 2), "\(file.lastPathComponent)")
            #expect(!text.contains("#if"))
            count += 1
        }
        #expect(count == 20)
    }
}
