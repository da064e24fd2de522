// An engine in a separate process, Tests/House/Engines/engine.py. Both processes communicate by JSON lines. When our end of
// the pipe closes, for any reason, the other process stops its server and exits.

import Foundation
import PredicateSQL

/// Unchecked: everything is accessed on the queue only. The queue also prevents that calls block the threads of tasks.
final class Sidecar: EngineConnection, @unchecked Sendable {
    private let name: String
    private let process = Process()
    private let queue: DispatchQueue
    private let input = Pipe()
    private let output = Pipe()

    /// The Python interpreter that has the engines' packages.
    static let python =
        Run.environment["PREDICATE_PYTHON"] ?? Run.root.appendingPathComponent(".build/engines/bin/python3").path

    init(_ name: String) async throws {
        self.name = name
        queue = DispatchQueue(label: "sidecar " + name)
        guard FileManager.default.isExecutableFile(atPath: Self.python) else {
            throw EngineFailure("there is no \(Self.python)")
        }
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["-B", Run.file("\(name)_engine.py").path]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        _ = try await onQueue { sidecar in try sidecar.answer() }
    }

    private func onQueue<Answer: Sendable>(
        _ body: @escaping @Sendable (Sidecar) throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }

    private func ask(_ request: sending [String: Any]) async throws -> Data {
        let line = try JSONSerialization.data(withJSONObject: request) + Data("\n".utf8)
        return try await onQueue { sidecar in
            try sidecar.input.fileHandleForWriting.write(contentsOf: line)
            return try sidecar.answer()
        }
    }

    /// Reads one line. It is the only one, because a sidecar answers one request after the other.
    private func answer() throws -> Data {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw EngineFailure("the sidecar \(name) ended") }
            line += more
        }
        if line.starts(with: Data(#"{"error""#.utf8)) {
            throw EngineFailure(String(decoding: line.dropLast(), as: UTF8.self))
        }
        return line
    }

    func load(_ tables: [DataSet.Table]) async throws {
        let told: [[String: Any]] = tables.map { table in
            [
                "name": table.name, "key": table.key ?? NSNull(),
                "columns": table.columns.map {
                    [
                        "name": $0.name, "type": $0.isDocument ? "json" : $0.type.rawValue, "list": $0.isList,
                        "optional": $0.isOptional,
                    ]
                        as [String: Any]
                },
                "rows": table.rows.map { row in zip(table.columns, row).map { Self.told($1.stored(in: $0)) } },
            ]
        }
        _ = try await ask(["load": told])
    }

    func select(_ queries: [EngineQuery]) async throws -> [Result<[Int64], EngineFailure>] {
        struct Answer: Decodable {
            struct One: Decodable {
                let ids: [Int64]?
                let error: String?
            }
            let results: [One]
        }
        let told = ["select": queries.map { Self.told($0, "sql") }]
        let answer = try JSONDecoder().decode(Answer.self, from: try await ask(told))
        return answer.results.map { one in
            one.ids.map { .success($0) } ?? .failure(EngineFailure(one.error ?? "no answer"))
        }
    }

    func rows(_ query: EngineQuery) async throws -> [[String]] {
        struct Answer: Decodable {
            let rows: [[String?]]
        }
        let answer = try JSONDecoder().decode(Answer.self, from: try await ask(Self.told(query, "run")))
        return answer.rows.map { $0.map { $0 ?? "NULL" } }
    }

    func close() async {
        _ = try? await onQueue { sidecar in
            try sidecar.input.fileHandleForWriting.close()
            sidecar.process.waitUntilExit()
        }
    }

    private static func told(_ query: EngineQuery, _ key: String) -> [String: Any] {
        [key: query.sql, "types": query.types.map(\.rawValue), "values": query.values.map(told)]
    }

    /// A value in the form that the sidecar reads: a text, or null.
    private static func told(_ value: PredicateValue) -> Any { WireValue.text(value) ?? NSNull() }
}

extension PredicateValue {
    /// The value as an engine's column contains it. Timestamps are sent as texts.
    func stored(in column: DataSet.Column) -> PredicateValue {
        guard let encoding = column.encoding, let ticks = encoding.stored(self) else { return self }
        return encoding.binding(ticks, zone: "")
    }
}

/// Values as texts. The type of the column determines how a text is read. A list is a JSON array of such texts.
enum WireValue {
    static func text(_ value: PredicateValue) -> String? {
        switch value {
        case .bool(let flag): flag ? "1" : "0"
        case .integer(let number): "\(number)"
        case .double(let number), .date(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text), .url(let text): text
        case .uuid(let id): id.description
        case .data(let bytes): bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        case .array(let elements):
            (try? JSONEncoder().encode(elements.map(text))).map { String(decoding: $0, as: UTF8.self) }
        default: nil
        }
    }

    static func value(_ text: String?, _ column: DataSet.Column) -> PredicateValue? {
        guard column.isList, let text else { return value(text, column.type) }
        let texts = try? JSONDecoder().decode([String?].self, from: Data(text.utf8))
        let elements = texts?.map { value($0, column.type) }
        return elements.flatMap { $0.contains(nil) ? nil : .array($0.compactMap { $0 }) }
    }

    private static func value(_ text: String?, _ type: SQLType) -> PredicateValue? {
        guard let text else { return .null }
        switch type {
        case .boolean: return .bool(text == "1")
        case .integer, .rowCount: return Int64(text).map(PredicateValue.integer)
        case .double: return Double(text).map(PredicateValue.double)
        case .date, .timestamp, .timestampWithZone: return Double(text).map(PredicateValue.date)
        case .decimal: return DecimalNumber(text).map(PredicateValue.decimal)
        case .text: return .string(text)
        case .url: return .url(text)
        case .uuid: return UniversalID(text).map(PredicateValue.uuid)
        case .data:
            let digits = Array(text.utf8)
            let bytes = stride(from: 0, to: digits.count - digits.count % 2, by: 2).map {
                UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
            }
            return bytes.contains(nil) ? nil : .data(bytes.compactMap { $0 })
        }
    }
}
