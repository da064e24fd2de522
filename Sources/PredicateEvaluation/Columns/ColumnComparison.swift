// Compiles the comparison of a column with a constant. Answers that the scalar rules can give at compile time
// are taken from them, so that no rule exists twice; for few distinct texts, that is the answer for each text.
import PredicateModel
import PredicateSyntax

struct ColumnComparison {
    let column: Column
    let prepared: PreparedComparison
    /// The result of the comparison for nil.
    let ifNil: Bool
    var comparison: Comparison { prepared.comparison }
    var right: PredicateValue { prepared.right }
    var absent: Absent { Absent(nils: column.nils, answer: ifNil) }

    init?(_ column: Column, _ prepared: PreparedComparison) {
        // A host operator is never called at compile time.
        if case .custom = prepared.comparison.operator { return nil }
        guard let ifNil = try? prepared.comparison.test(.null, prepared.right) else { return nil }
        self.column = column
        self.prepared = prepared
        self.ifNil = ifNil
    }

    /// nil if columns cannot evaluate the comparison, or if it throws.
    func node(_ context: EvaluationContext) -> ColumnNode? {
        switch column.storage {
        case .none: return .constant(ifNil)
        case .codes(let codes, let texts): return coded(codes, texts, context)
        case .records where right.isNil: return nilTest()
        case .lists, .records, .values: return nil
        case .integers, .doubles, .booleans, .dates, .texts: break
        }
        guard let sample, let answer = try? comparison.test(sample, right) else { return nil }
        if right.isNil || hasOtherKind { return nilTest(otherwise: answer) }
        switch column.storage {
        case .integers(let integers): return self.integers(integers)
        case .doubles(let values, let integers): return measures(values, mayBeIntegers: integers != nil)
        case .booleans(let bits): return booleans(bits)
        case .dates(let values): return measures(values, mayBeIntegers: false)
        case .texts(let texts): return self.texts(texts)
        default: return nil
        }
    }

    /// Any value of the column's kind.
    private var sample: PredicateValue? {
        switch column.storage {
        case .integers(let integers): .integer(integers.least)
        case .doubles: .double(0)
        case .booleans: .bool(false)
        case .dates: .date(0)
        case .texts: .string("")
        case .lists: .array([])
        case .records: .dictionary(ValueDictionary([]))
        default: nil
        }
    }

    /// The node for a comparison with nil.
    func nilTest() -> ColumnNode? {
        sample.flatMap { try? comparison.test($0, right) }.map(nilTest)
    }

    /// Whether this is `==` or `!=` with a constant of a kind that no value of the column can equal.
    private var hasOtherKind: Bool {
        guard comparison.operator == .equal || comparison.operator == .notEqual else { return false }
        return switch (column.storage, right) {
        case (.texts, .string), (.dates, .date): false
        case (.texts, _), (.dates, _): true
        default: !right.isNumber
        }
    }

    /// The node for a comparison with the same answer for all values except nil.
    func nilTest(otherwise answer: Bool) -> ColumnNode {
        guard let nils = column.nils, answer != ifNil else { return .constant(answer) }
        return .test(
            { span, mask, _ in
                for word in 0..<(span.count &+ 63) >> 6 where mask.words[word] != 0 {
                    let absent = nils.word(at: span.start &+ word &* 64)
                    mask.words[word] &= answer ? ~absent : absent
                }
            }, cost: 1)
    }

    private func booleans(_ bits: Bits) -> ColumnNode? {
        guard let no = try? comparison.test(.bool(false), right), let yes = try? comparison.test(.bool(true), right)
        else { return nil }
        if no == yes { return nilTest(otherwise: yes) }
        let absent = absent
        return .test(
            { span, mask, _ in
                for word in 0..<(span.count &+ 63) >> 6 where mask.words[word] != 0 {
                    let first = span.start &+ word &* 64
                    let (asked, kept) = absent.split(mask.words[word], at: first)
                    let values = bits.word(at: first)
                    mask.words[word] = asked & (yes ? values : ~values) | kept
                }
            }, cost: 1)
    }

    /// Compares each distinct text once, at compile time.
    private func coded(_ codes: CodeColumn, _ texts: TextColumn, _ context: EvaluationContext) -> ColumnNode? {
        var context = context
        var answers = [ifNil]
        for index in 0..<texts.count {
            guard let answer = try? prepared.test(.string(texts.text(at: index)), &context) else { return nil }
            answers.append(answer)
        }
        if !answers.contains(!ifNil) { return .constant(ifNil) }
        let all = Absent(nils: nil, answer: false)
        switch codes {
        case .narrow(let codes):
            // If the matching codes are contiguous, or all the others are, test a range of codes.
            for answer in [true, false] {
                guard let first = answers.firstIndex(of: answer), let last = answers.lastIndex(of: answer),
                    answers[first...last].allSatisfy({ $0 == answer })
                else { continue }
                let test = ColumnNode.test(Self.interval(bytes: codes, Int64(first)...Int64(last), all), cost: 1)
                return answer ? test : .not(test)
            }
            answers += repeatElement(false, count: 256 - answers.count)
            let table = answers
            return .test(
                { span, mask, _ in
                    codes.withUnsafeBufferPointer { codes in
                        table.withUnsafeBufferPointer { table in
                            mask.narrow(span, all) { table[Int(codes[$0])] }
                        }
                    }
                }, cost: 2)
        case .wide(let codes):
            let table = answers
            return .test(
                { span, mask, _ in
                    codes.withUnsafeBufferPointer { codes in
                        table.withUnsafeBufferPointer { table in
                            mask.narrow(span, all) { table[Int(codes[$0])] }
                        }
                    }
                }, cost: 3)
        }
    }
}
