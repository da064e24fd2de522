// The random predicates of a run, in batches. The same seed gives the same batches. A batch is a schema, rows, and
// predicates for these rows.

import PredicateTestSupport

struct Corpus: Sendable {
    static let batchSize = 25

    private let state: UInt64
    let schemas: [NamedSchema]
    private let paths: [KeyPaths]
    private let weights: Weights

    /// Random predicates that depend on the run's seed.
    init(stream: UInt64, withDocuments: Bool = false) throws {
        try self.init(state: TestDepth.seed &+ 20_240_600 &+ stream, withDocuments: withDocuments)
    }

    /// Random predicates that are the same in every run.
    init(state: UInt64, withDocuments: Bool = false) throws {
        self.state = state
        schemas = try withDocuments ? NamedSchema.allWithDocuments() : NamedSchema.all()
        paths = schemas.map { KeyPaths($0.schema) }
        weights = try Weights.read()
    }

    /// A batch is the same for every engine, except for values that the engine cannot store.
    func batch(_ index: Int, for engine: Engine) throws -> (data: DataSet, cases: [Case]) {
        var random = SplitMix(state: state &+ UInt64(index) &* 0x9E37_79B9)
        let place = index % schemas.count
        let data = DataSet(schemas[place], storing: engine, &random)
        var generator = PredicateGenerator(data, paths[place], weights, SplitMix(state: random.next()))
        var cases: [Case] = []
        for number in 0..<Self.batchSize {
            let entity = random.pick(data.schema.entityNames)
            cases.append(
                Case(
                    entity: entity, predicate: try generator.predicate(of: entity),
                    isMetamorphic: number % engine.metamorphicStep == 0))
        }
        return (data, cases)
    }

    /// The same batch, with a request for each case.
    func requests(_ index: Int, for engine: Engine) throws -> (data: DataSet, requests: [RequestCase]) {
        let (data, cases) = try batch(index, for: engine)
        var random = SplitMix(state: state ^ UInt64(index))
        let paths = paths[index % schemas.count]
        // The tests identify changed rows by a single key column, in a table that no other entity shares.
        let plain = cases.filter { one in
            data.schema.primaryKey(of: one.entity).count == 1 && data.schema.entity(one.entity)?.code == nil
        }
        return (data, plain.map { RequestCase($0, data, paths, engine, &random) })
    }

    /// The same batch, with a request for groups of the rows of each case.
    func groups(_ index: Int, for engine: Engine) throws -> (data: DataSet, groups: [GroupCase]) {
        let (data, cases) = try batch(index, for: engine)
        var random = SplitMix(state: state ^ UInt64(index) ^ 0x6272_6F75)
        let plain = cases.filter { data.schema.primaryKey(of: $0.entity).count == 1 }
        return (data, try plain.compactMap { try GroupCase($0, paths[index % schemas.count], &random) })
    }
}
