// The random predicates of a run, in batches that a seed repeats: a schema, rows, and predicates about them.

import PredicateModel

struct Corpus: Sendable {
    static let batchSize = 25

    let seed: UInt64
    let schemas: [NamedSchema]
    private let paths: [KeyPaths]
    private let weights: Weights

    init(seed: UInt64) throws {
        self.seed = seed
        schemas = try NamedSchema.all()
        paths = schemas.map { KeyPaths($0.schema) }
        weights = try Weights.read()
    }

    /// Batches are the same whichever engine asks, but for what that cannot store.
    func batch(_ index: Int, for engine: Engine) throws -> (data: DataSet, cases: [Case]) {
        var random = Seeded(seed &+ UInt64(index) &* 0x9E37_79B9)
        let place = index % schemas.count
        let data = DataSet(schemas[place], storing: engine, &random)
        var generator = PredicateGenerator(data, paths[place], weights, Seeded(random.next()))
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

    /// The same, each with a request.
    func requests(_ index: Int, for engine: Engine) throws -> (data: DataSet, requests: [RequestCase]) {
        let (data, cases) = try batch(index, for: engine)
        var random = Seeded(seed ^ UInt64(index))
        let paths = paths[index % schemas.count]
        // What was changed is told by one column, and in the table of the entity's own name.
        let plain = cases.filter { one in
            data.schema.primaryKey(of: one.entity).count == 1 && data.schema.entity(one.entity)?.code == nil
        }
        return (data, plain.map { RequestCase($0, data, paths, engine, &random) })
    }
}
