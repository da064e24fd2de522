// The table of TranslationTests.swift: each predicate, the dialects that translate it to the same text, the
// text, and its bindings.
// Long: it is a table with a row for each predicate and engine.
import PredicateSyntax

extension TranslationTests {
    static let cases: [Case] = [
        Case(
            #"name == 'Ada'"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."name" = ? ["Ada"]
            postgresql: "t0"."name" = $1::text ["Ada"]
            mysql: `t0`.`name` = ? ["Ada"]
            duckdb: "t0"."name" = $1 ["Ada"]
            clickhouse: `t0`.`name` = {p1:String} ["Ada"]
            spark: `t0`.`name` = CAST(:p1 AS STRING) ["Ada"]
            """#),
        Case(
            #"NOT nick == 'x'"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."nick" <> ? OR "t0"."nick" IS NULL ["x"]
            postgresql: "t0"."nick" <> $1::text OR "t0"."nick" IS NULL ["x"]
            mysql: `t0`.`nick` <> ? OR `t0`.`nick` IS NULL ["x"]
            duckdb: "t0"."nick" <> $1 OR "t0"."nick" IS NULL ["x"]
            clickhouse: `t0`.`nick` <> {p1:String} OR `t0`.`nick` IS NULL ["x"]
            spark: `t0`.`nick` <> CAST(:p1 AS STRING) OR `t0`.`nick` IS NULL ["x"]
            """#),
        Case(
            #"nick != nil"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: "t0"."nick" IS NOT NULL []
            mysql clickhouse spark: `t0`.`nick` IS NOT NULL []
            """#),
        Case(
            #"age == nil"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: "t0"."age_years" IS NULL []
            mysql clickhouse spark: `t0`.`age_years` IS NULL []
            """#),
        Case(
            #"nick == name"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: "t0"."nick" = "t0"."name" []
            mysql clickhouse spark: `t0`.`nick` = `t0`.`name` []
            """#),
        Case(
            #"nick == boss.nick"#, [],
            #"""
            sqlite sqlite-plain: "t0"."nick" IS "t1"."nick" []
            postgresql duckdb ansi: "t0"."nick" IS NOT DISTINCT FROM "t1"."nick" []
            mysql spark: `t0`.`nick` <=> `t1`.`nick` []
            clickhouse: `t0`.`nick` IS NOT DISTINCT FROM `t1`.`nick` []
            """#),
        Case(
            #"NOT age < 5"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" >= ? OR "t0"."age_years" IS NULL [5]
            postgresql: "t0"."age_years" >= $1::bigint OR "t0"."age_years" IS NULL [5]
            mysql: `t0`.`age_years` >= ? OR `t0`.`age_years` IS NULL [5]
            duckdb: "t0"."age_years" >= $1 OR "t0"."age_years" IS NULL [5]
            clickhouse: `t0`.`age_years` >= {p1:Int64} OR `t0`.`age_years` IS NULL [5]
            spark: `t0`.`age_years` >= CAST(:p1 AS BIGINT) OR `t0`.`age_years` IS NULL [5]
            """#),
        Case(
            #"age <= boss.age"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: "t0"."age_years" <= "t1"."age_years" OR "t0"."age_years" IS NULL AND "t1"."age_years" IS NULL []
            mysql clickhouse spark: `t0`.`age_years` <= `t1`.`age_years` OR `t0`.`age_years` IS NULL AND `t1`.`age_years` IS NULL []
            """#),
        Case(
            #"age > 2.5"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" > ? [2]
            postgresql: "t0"."age_years" > $1::bigint [2]
            mysql: `t0`.`age_years` > ? [2]
            duckdb: "t0"."age_years" > $1 [2]
            clickhouse: `t0`.`age_years` > {p1:Int64} [2]
            spark: `t0`.`age_years` > CAST(:p1 AS BIGINT) [2]
            """#),
        Case(
            #"rank == 3.0"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."rank" = ? [3]
            postgresql: "t0"."rank" = $1::bigint [3]
            mysql: `t0`.`rank` = ? [3]
            duckdb: "t0"."rank" = $1 [3]
            clickhouse: `t0`.`rank` = {p1:Int64} [3]
            spark: `t0`.`rank` = CAST(:p1 AS BIGINT) [3]
            """#),
        Case(
            #"rank == 9007199254740992.0"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."rank" >= ? AND "t0"."rank" <= ? [9007199254740992, 9007199254740993]
            postgresql: "t0"."rank" >= $1::bigint AND "t0"."rank" <= $2::bigint [9007199254740992, 9007199254740993]
            mysql: `t0`.`rank` >= ? AND `t0`.`rank` <= ? [9007199254740992, 9007199254740993]
            duckdb: "t0"."rank" >= $1 AND "t0"."rank" <= $2 [9007199254740992, 9007199254740993]
            clickhouse: `t0`.`rank` >= {p1:Int64} AND `t0`.`rank` <= {p2:Int64} [9007199254740992, 9007199254740993]
            spark: `t0`.`rank` >= CAST(:p1 AS BIGINT) AND `t0`.`rank` <= CAST(:p2 AS BIGINT) [9007199254740992, 9007199254740993]
            """#),
        Case(
            #"height >= 2"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."height" >= ? [2.0]
            postgresql: "t0"."height" >= $1::float8 [2.0]
            mysql: `t0`.`height` >= ? [2.0]
            duckdb: "t0"."height" >= $1 [2.0]
            clickhouse: `t0`.`height` >= {p1:Float64} [2.0]
            spark: `t0`.`height` >= CAST(:p1 AS DOUBLE) [2.0]
            """#),
        Case(
            #"rank < weight"#, [],
            #"""
            sqlite sqlite-plain: CAST("t0"."rank" AS REAL) < "t0"."weight" []
            postgresql: CAST("t0"."rank" AS float8) < "t0"."weight" []
            mysql spark: CAST(`t0`.`rank` AS DOUBLE) < `t0`.`weight` []
            duckdb: CAST("t0"."rank" AS DOUBLE) < "t0"."weight" []
            clickhouse: toFloat64(`t0`.`rank`) < `t0`.`weight` []
            ansi: CAST("t0"."rank" AS DOUBLE PRECISION) < "t0"."weight" []
            """#),
        Case(
            #"active == YES"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."active" = ? [1]
            postgresql: "t0"."active" = $1::boolean [1]
            mysql: `t0`.`active` = ? [1]
            duckdb: "t0"."active" = $1 [1]
            clickhouse: `t0`.`active` = {p1:Bool} [1]
            spark: `t0`.`active` = CAST(:p1 AS BOOLEAN) [1]
            """#),
        Case(
            #"vip != 1"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."vip" <> ? OR "t0"."vip" IS NULL [1]
            postgresql: "t0"."vip" <> $1::boolean OR "t0"."vip" IS NULL [1]
            mysql: `t0`.`vip` <> ? OR `t0`.`vip` IS NULL [1]
            duckdb: "t0"."vip" <> $1 OR "t0"."vip" IS NULL [1]
            clickhouse: `t0`.`vip` <> {p1:Bool} OR `t0`.`vip` IS NULL [1]
            spark: `t0`.`vip` <> CAST(:p1 AS BOOLEAN) OR `t0`.`vip` IS NULL [1]
            """#),
        Case(
            #"active == 7"#, [],
            #"""
            sqlite sqlite-plain: 1 = 0 []
            postgresql mysql duckdb clickhouse spark ansi: FALSE []
            """#),
        Case(
            #"vip > NO"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."vip" = ? [1]
            postgresql: "t0"."vip" = $1::boolean [1]
            mysql: `t0`.`vip` = ? [1]
            duckdb: "t0"."vip" = $1 [1]
            clickhouse: `t0`.`vip` = {p1:Bool} [1]
            spark: `t0`.`vip` = CAST(:p1 AS BOOLEAN) [1]
            """#),
        Case(
            #"born < %@"#, [.date(1.5)],
            #"""
            sqlite sqlite-plain ansi: "t0"."born" < ? [CAST(1.500000, "NSDate")]
            postgresql: "t0"."born" < $1::float8 [CAST(1.500000, "NSDate")]
            mysql: `t0`.`born` < ? [CAST(1.500000, "NSDate")]
            duckdb: "t0"."born" < $1 [CAST(1.500000, "NSDate")]
            clickhouse: `t0`.`born` < {p1:Float64} [CAST(1.500000, "NSDate")]
            spark: `t0`.`born` < CAST(:p1 AS DOUBLE) [CAST(1.500000, "NSDate")]
            """#),
        Case(
            #"token == %@"#, [.uuid(UniversalID(high: 1, low: 2))],
            #"""
            sqlite sqlite-plain ansi: "t0"."token" = ? [00000000-0000-0001-0000-000000000002]
            postgresql: "t0"."token" = $1::uuid [00000000-0000-0001-0000-000000000002]
            mysql: `t0`.`token` = ? [00000000-0000-0001-0000-000000000002]
            duckdb: "t0"."token" = $1 [00000000-0000-0001-0000-000000000002]
            clickhouse: `t0`.`token` = {p1:String} [00000000-0000-0001-0000-000000000002]
            spark: `t0`.`token` = CAST(:p1 AS STRING) [00000000-0000-0001-0000-000000000002]
            """#),
        Case(
            #"photo != %@"#, [.data([1, 2])],
            #"""
            sqlite sqlite-plain ansi: "t0"."photo" <> ? OR "t0"."photo" IS NULL [{length = 2, bytes = 0x0102}]
            postgresql: "t0"."photo" <> $1::bytea OR "t0"."photo" IS NULL [{length = 2, bytes = 0x0102}]
            mysql: `t0`.`photo` <> ? OR `t0`.`photo` IS NULL [{length = 2, bytes = 0x0102}]
            duckdb: "t0"."photo" <> $1 OR "t0"."photo" IS NULL [{length = 2, bytes = 0x0102}]
            clickhouse: `t0`.`photo` <> {p1:String} OR `t0`.`photo` IS NULL [{length = 2, bytes = 0x0102}]
            spark: `t0`.`photo` <> CAST(:p1 AS BINARY) OR `t0`.`photo` IS NULL [{length = 2, bytes = 0x0102}]
            """#),
        Case(
            #"debt < %@"#, [.decimal(DecimalNumber(coefficient: 15, exponent: -1))],
            #"""
            sqlite sqlite-plain ansi: "t0"."debt" <= ? [14999999999]
            postgresql: "t0"."debt" <= $1::numeric [1.4999999999]
            mysql: `t0`.`debt` <= ? [1.4999999999]
            duckdb: "t0"."debt" <= CAST($1 AS DECIMAL(38, 10)) ["1.4999999999"]
            clickhouse: `t0`.`debt` <= toDecimal128({p1:String}, 10) ["1.4999999999"]
            spark: `t0`.`debt` <= CAST(CAST(:p1 AS STRING) AS DECIMAL(38, 10)) ["1.4999999999"]
            """#),
        Case(
            #"age IN {1, 2, nil, 2.0, 'x'}"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" IN (?, ?) [1, 2]
            postgresql: "t0"."age_years" IN ($1::bigint, $2::bigint) [1, 2]
            mysql: `t0`.`age_years` IN (?, ?) [1, 2]
            duckdb: "t0"."age_years" IN ($1, $2) [1, 2]
            clickhouse: `t0`.`age_years` IN ({p1:Int64}, {p2:Int64}) [1, 2]
            spark: `t0`.`age_years` IN (CAST(:p1 AS BIGINT), CAST(:p2 AS BIGINT)) [1, 2]
            """#),
        Case(
            #"NOT age IN {1, 2}"#, [],
            #"""
            sqlite sqlite-plain ansi: ("t0"."age_years" NOT IN (?, ?) OR "t0"."age_years" IS NULL) [1, 2]
            postgresql: ("t0"."age_years" NOT IN ($1::bigint, $2::bigint) OR "t0"."age_years" IS NULL) [1, 2]
            mysql: (`t0`.`age_years` NOT IN (?, ?) OR `t0`.`age_years` IS NULL) [1, 2]
            duckdb: ("t0"."age_years" NOT IN ($1, $2) OR "t0"."age_years" IS NULL) [1, 2]
            clickhouse: (`t0`.`age_years` NOT IN ({p1:Int64}, {p2:Int64}) OR `t0`.`age_years` IS NULL) [1, 2]
            spark: (`t0`.`age_years` NOT IN (CAST(:p1 AS BIGINT), CAST(:p2 AS BIGINT)) OR `t0`.`age_years` IS NULL) [1, 2]
            """#),
        Case(
            #"weight IN {0, 1.5}"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."weight" IN (?, ?) [0.0, 1.5]
            postgresql: "t0"."weight" IN ($1::float8, $2::float8) [0.0, 1.5]
            mysql: `t0`.`weight` IN (?, ?) [0.0, 1.5]
            duckdb: "t0"."weight" IN ($1, $2) [0.0, 1.5]
            clickhouse: `t0`.`weight` >= {p1:Float64} AND `t0`.`weight` <= {p2:Float64} OR `t0`.`weight` >= {p3:Float64} AND `t0`.`weight` <= {p4:Float64} [0.0, 0.0, 1.5, 1.5]
            spark: `t0`.`weight` IN (CAST(:p1 AS DOUBLE), CAST(:p2 AS DOUBLE)) [0.0, 1.5]
            """#),
        Case(
            #"name IN {'a', nick}"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."name" = ? OR "t0"."name" = "t0"."nick" ["a"]
            postgresql: "t0"."name" = $1::text OR "t0"."name" = "t0"."nick" ["a"]
            mysql: `t0`.`name` = ? OR `t0`.`name` = `t0`.`nick` ["a"]
            duckdb: "t0"."name" = $1 OR "t0"."name" = "t0"."nick" ["a"]
            clickhouse: `t0`.`name` = {p1:String} OR `t0`.`name` = `t0`.`nick` ["a"]
            spark: `t0`.`name` = CAST(:p1 AS STRING) OR `t0`.`name` = `t0`.`nick` ["a"]
            """#),
        Case(
            #"age IN {}"#, [],
            #"""
            sqlite sqlite-plain: 1 = 0 []
            postgresql mysql duckdb clickhouse spark ansi: FALSE []
            """#),
        Case(
            #"age BETWEEN {9, 3}"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" >= ? AND "t0"."age_years" <= ? [3, 9]
            postgresql: "t0"."age_years" >= $1::bigint AND "t0"."age_years" <= $2::bigint [3, 9]
            mysql: `t0`.`age_years` >= ? AND `t0`.`age_years` <= ? [3, 9]
            duckdb: "t0"."age_years" >= $1 AND "t0"."age_years" <= $2 [3, 9]
            clickhouse: `t0`.`age_years` >= {p1:Int64} AND `t0`.`age_years` <= {p2:Int64} [3, 9]
            spark: `t0`.`age_years` >= CAST(:p1 AS BIGINT) AND `t0`.`age_years` <= CAST(:p2 AS BIGINT) [3, 9]
            """#),
        Case(
            #"age BETWEEN {rank, 7}"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" >= "t0"."rank" AND "t0"."age_years" <= ? OR "t0"."age_years" >= ? AND "t0"."age_years" <= "t0"."rank" [7, 7]
            postgresql: "t0"."age_years" >= "t0"."rank" AND "t0"."age_years" <= $1::bigint OR "t0"."age_years" >= $2::bigint AND "t0"."age_years" <= "t0"."rank" [7, 7]
            mysql: `t0`.`age_years` >= `t0`.`rank` AND `t0`.`age_years` <= ? OR `t0`.`age_years` >= ? AND `t0`.`age_years` <= `t0`.`rank` [7, 7]
            duckdb: "t0"."age_years" >= "t0"."rank" AND "t0"."age_years" <= $1 OR "t0"."age_years" >= $2 AND "t0"."age_years" <= "t0"."rank" [7, 7]
            clickhouse: `t0`.`age_years` >= `t0`.`rank` AND `t0`.`age_years` <= {p1:Int64} OR `t0`.`age_years` >= {p2:Int64} AND `t0`.`age_years` <= `t0`.`rank` [7, 7]
            spark: `t0`.`age_years` >= `t0`.`rank` AND `t0`.`age_years` <= CAST(:p1 AS BIGINT) OR `t0`.`age_years` >= CAST(:p2 AS BIGINT) AND `t0`.`age_years` <= `t0`.`rank` [7, 7]
            """#),
        Case(
            #"name BEGINSWITH 'Ad'"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."name" >= ? AND "t0"."name" < ? ["Ad", "Ae"]
            postgresql: "t0"."name" >= $1::text AND "t0"."name" < $2::text ["Ad", "Ae"]
            mysql: `t0`.`name` >= ? AND `t0`.`name` < ? ["Ad", "Ae"]
            duckdb: "t0"."name" >= $1 AND "t0"."name" < $2 ["Ad", "Ae"]
            clickhouse: `t0`.`name` >= {p1:String} AND `t0`.`name` < {p2:String} ["Ad", "Ae"]
            spark: `t0`.`name` >= CAST(:p1 AS STRING) AND `t0`.`name` < CAST(:p2 AS STRING) ["Ad", "Ae"]
            """#),
        Case(
            #"NOT nick BEGINSWITH 'Ad'"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."nick" < ? OR "t0"."nick" IS NULL OR "t0"."nick" >= ? ["Ad", "Ae"]
            postgresql: "t0"."nick" < $1::text OR "t0"."nick" IS NULL OR "t0"."nick" >= $2::text ["Ad", "Ae"]
            mysql: `t0`.`nick` < ? OR `t0`.`nick` IS NULL OR `t0`.`nick` >= ? ["Ad", "Ae"]
            duckdb: "t0"."nick" < $1 OR "t0"."nick" IS NULL OR "t0"."nick" >= $2 ["Ad", "Ae"]
            clickhouse: `t0`.`nick` < {p1:String} OR `t0`.`nick` IS NULL OR `t0`.`nick` >= {p2:String} ["Ad", "Ae"]
            spark: `t0`.`nick` < CAST(:p1 AS STRING) OR `t0`.`nick` IS NULL OR `t0`.`nick` >= CAST(:p2 AS STRING) ["Ad", "Ae"]
            """#),
        Case(
            #"nick ENDSWITH 'a'"#, [],
            #"""
            sqlite sqlite-plain: substr(CAST("t0"."nick" AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB) ["a", "a"]
            postgresql: right("t0"."nick", length($1::text)) = $2::text ["a", "a"]
            mysql: RIGHT(`t0`.`nick`, CHAR_LENGTH(?)) = ? ["a", "a"]
            duckdb: ends_with("t0"."nick", $1) ["a"]
            clickhouse: endsWith(`t0`.`nick`, {p1:String}) ["a"]
            spark: endswith(`t0`.`nick`, CAST(:p1 AS STRING)) ["a"]
            ansi: SUBSTRING("t0"."nick" FROM CHAR_LENGTH("t0"."nick") - CHAR_LENGTH(?) + 1) = ? ["a", "a"]
            """#),
        Case(
            #"NOT name CONTAINS 'd'"#, [],
            #"""
            sqlite sqlite-plain: (instr("t0"."name", ?) > 0) IS NOT TRUE ["d"]
            postgresql: (strpos("t0"."name", $1::text) > 0) IS NOT TRUE ["d"]
            mysql: (INSTR(`t0`.`name`, ?) > 0) IS NOT TRUE ["d"]
            duckdb: (contains("t0"."name", $1)) IS NOT TRUE ["d"]
            clickhouse: (position(`t0`.`name`, {p1:String}) > 0) IS NOT TRUE ["d"]
            spark: (contains(`t0`.`name`, CAST(:p1 AS STRING))) IS NOT TRUE ["d"]
            ansi: (POSITION(? IN "t0"."name") > 0) IS NOT TRUE ["d"]
            """#),
        Case(
            #"name CONTAINS nick"#, [],
            #"""
            sqlite sqlite-plain: "t0"."nick" <> ? AND instr("t0"."name", "t0"."nick") > 0 [""]
            postgresql: "t0"."nick" <> $1::text AND strpos("t0"."name", "t0"."nick") > 0 [""]
            mysql: `t0`.`nick` <> ? AND INSTR(`t0`.`name`, `t0`.`nick`) > 0 [""]
            duckdb: "t0"."nick" <> $1 AND contains("t0"."name", "t0"."nick") [""]
            clickhouse: `t0`.`nick` <> {p1:String} AND position(`t0`.`name`, `t0`.`nick`) > 0 [""]
            spark: `t0`.`nick` <> CAST(:p1 AS STRING) AND contains(`t0`.`name`, `t0`.`nick`) [""]
            ansi: "t0"."nick" <> ? AND POSITION("t0"."nick" IN "t0"."name") > 0 [""]
            """#),
        Case(
            #"name BEGINSWITH nick"#, [],
            #"""
            sqlite sqlite-plain: "t0"."nick" <> ? AND substr(CAST("t0"."name" AS BLOB), 1, length(CAST("t0"."nick" AS BLOB))) = CAST("t0"."nick" AS BLOB) [""]
            postgresql: "t0"."nick" <> $1::text AND starts_with("t0"."name", "t0"."nick") [""]
            mysql: `t0`.`nick` <> ? AND LEFT(`t0`.`name`, CHAR_LENGTH(`t0`.`nick`)) = `t0`.`nick` [""]
            duckdb: "t0"."nick" <> $1 AND starts_with("t0"."name", "t0"."nick") [""]
            clickhouse: `t0`.`nick` <> {p1:String} AND startsWith(`t0`.`name`, `t0`.`nick`) [""]
            spark: `t0`.`nick` <> CAST(:p1 AS STRING) AND startswith(`t0`.`name`, `t0`.`nick`) [""]
            ansi: "t0"."nick" <> ? AND SUBSTRING("t0"."name" FROM 1 FOR CHAR_LENGTH("t0"."nick")) = "t0"."nick" [""]
            """#),
        Case(
            #"'abc' CONTAINS name"#, [],
            #"""
            sqlite sqlite-plain: "t0"."name" <> ? AND instr(?, "t0"."name") > 0 ["", "abc"]
            postgresql: "t0"."name" <> $1::text AND strpos($2::text, "t0"."name") > 0 ["", "abc"]
            mysql: `t0`.`name` <> ? AND INSTR(?, `t0`.`name`) > 0 ["", "abc"]
            duckdb: "t0"."name" <> $1 AND contains($2, "t0"."name") ["", "abc"]
            clickhouse: `t0`.`name` <> {p1:String} AND position({p2:String}, `t0`.`name`) > 0 ["", "abc"]
            spark: `t0`.`name` <> CAST(:p1 AS STRING) AND contains(CAST(:p2 AS STRING), `t0`.`name`) ["", "abc"]
            ansi: "t0"."name" <> ? AND POSITION("t0"."name" IN ?) > 0 ["", "abc"]
            """#),
        Case(
            #"name CONTAINS ''"#, [],
            #"""
            sqlite sqlite-plain: 1 = 0 []
            postgresql mysql duckdb clickhouse spark ansi: FALSE []
            """#),
        Case(
            #"name LIKE 'A*'"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."name" >= ? AND "t0"."name" < ? ["A", "B"]
            postgresql: "t0"."name" >= $1::text AND "t0"."name" < $2::text ["A", "B"]
            mysql: `t0`.`name` >= ? AND `t0`.`name` < ? ["A", "B"]
            duckdb: "t0"."name" >= $1 AND "t0"."name" < $2 ["A", "B"]
            clickhouse: `t0`.`name` >= {p1:String} AND `t0`.`name` < {p2:String} ["A", "B"]
            spark: `t0`.`name` >= CAST(:p1 AS STRING) AND `t0`.`name` < CAST(:p2 AS STRING) ["A", "B"]
            """#),
        Case(
            #"name LIKE 'A?a*'"#, [],
            #"""
            sqlite: "t0"."name" >= ? AND "t0"."name" < ? AND predicate_like("t0"."name", ?, '') ["A", "B", "A?a*"]
            sqlite-plain: "t0"."name" >= ? AND "t0"."name" < ? AND CASE WHEN instr("t0"."name", char(0)) = 0 THEN "t0"."name" ELSE json_extract(replace(replace(json_quote("t0"."name"), '\\', '\u005C'), '\u0000', '\uFFFF'), '$') END GLOB ? ["A", "B", "A?a*"]
            postgresql: "t0"."name" >= $1::text AND "t0"."name" < $2::text AND "t0"."name" LIKE $3::text ["A", "B", "A_a%"]
            mysql: `t0`.`name` >= ? AND `t0`.`name` < ? AND `t0`.`name` LIKE ? ESCAPE '|' ["A", "B", "A_a%"]
            duckdb: "t0"."name" >= $1 AND "t0"."name" < $2 AND regexp_matches("t0"."name", $3) ["A", "B", "^A(?s:.)a"]
            clickhouse: `t0`.`name` >= {p1:String} AND `t0`.`name` < {p2:String} AND match(`t0`.`name`, {p3:String}) ["A", "B", "^A(?s:.)a"]
            spark: `t0`.`name` >= CAST(:p1 AS STRING) AND `t0`.`name` < CAST(:p2 AS STRING) AND rlike(`t0`.`name`, CAST(:p3 AS STRING)) ["A", "B", "\\AA(?s:.)a"]
            ansi: ~ "t0"."name" >= ? AND "t0"."name" < ? AND POSITION(? IN "t0"."name") > 0 ["A", "B", "a"]
            """#),
        Case(
            #"NOT name LIKE '*a_?c*d'"#, [],
            #"""
            sqlite: (predicate_like("t0"."name", ?, '')) IS NOT TRUE ["*a_?c*d"]
            sqlite-plain: (CASE WHEN instr("t0"."name", char(0)) = 0 THEN "t0"."name" ELSE json_extract(replace(replace(json_quote("t0"."name"), '\\', '\u005C'), '\u0000', '\uFFFF'), '$') END GLOB ?) IS NOT TRUE ["*a_?c*d"]
            postgresql: ("t0"."name" LIKE $1::text) IS NOT TRUE ["%a\\__c%d"]
            mysql: (`t0`.`name` LIKE ? ESCAPE '|') IS NOT TRUE ["%a|__c%d"]
            duckdb: (regexp_matches("t0"."name", $1)) IS NOT TRUE ["a\\x{5F}(?s:.)c(?s:.)*d$"]
            clickhouse: (match(`t0`.`name`, {p1:String})) IS NOT TRUE ["a\\x{5F}(?s:.)c(?s:.)*d$"]
            spark: (rlike(`t0`.`name`, CAST(:p1 AS STRING))) IS NOT TRUE ["\\A(?>(?s:.)*?a\\x{5F}(?s:.)c)(?s:.)*d\\z"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"name MATCHES '.*ab.*c'"#, [],
            #"""
            sqlite: predicate_matches("t0"."name", ?, '') [".*ab.*c"]
            sqlite-plain: ~ instr("t0"."name", ?) > 0 AND instr("t0"."name", ?) > 0 ["ab", "c"]
            postgresql: "t0"."name" ~ $1::text ["^[^\\xA-\\xD\\x85\\x2028\\x2029]*ab[^\\xA-\\xD\\x85\\x2028\\x2029]*c$"]
            mysql: `t0`.`name` LIKE ? ESCAPE '|' AND `t0`.`name` REGEXP ? ["%ab%c", "\\A[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*\\z"]
            duckdb: regexp_matches("t0"."name", $1) ["^[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*ab[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*c$"]
            clickhouse: match(`t0`.`name`, {p1:String}) ["^[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*ab[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*c$"]
            spark: rlike(`t0`.`name`, CAST(:p1 AS STRING)) ["\\A(?>[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*?ab)[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*c\\z"]
            ansi: ~ POSITION(? IN "t0"."name") > 0 AND POSITION(? IN "t0"."name") > 0 ["ab", "c"]
            """#),
        Case(
            #"name MATCHES '[a-c]+x?'"#, [],
            #"""
            sqlite: predicate_matches("t0"."name", ?, '') ["[a-c]+x?"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: "t0"."name" ~ $1::text ["^[a-c]+x?$"]
            mysql: `t0`.`name` REGEXP ? ["\\A[a-c]+x?\\z"]
            duckdb: regexp_matches("t0"."name", $1) ["^[a-c]+x?$"]
            clickhouse: match(`t0`.`name`, {p1:String}) ["^[a-c]+x?$"]
            spark: rlike(`t0`.`name`, CAST(:p1 AS STRING)) ["\\A[a-c]+x?\\z"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"name MATCHES 'a(?=b)b.*'"#, [],
            #"""
            sqlite: predicate_matches("t0"."name", ?, '') ["a(?=b)b.*"]
            sqlite-plain ansi: ~ "t0"."name" >= ? AND "t0"."name" < ? ["ab", "ac"]
            postgresql: ~ "t0"."name" >= $1::text AND "t0"."name" < $2::text ["ab", "ac"]
            mysql: ~ `t0`.`name` >= ? AND `t0`.`name` < ? ["ab", "ac"]
            duckdb: ~ "t0"."name" >= $1 AND "t0"."name" < $2 ["ab", "ac"]
            clickhouse: ~ `t0`.`name` >= {p1:String} AND `t0`.`name` < {p2:String} ["ab", "ac"]
            spark: ~ `t0`.`name` >= CAST(:p1 AS STRING) AND `t0`.`name` < CAST(:p2 AS STRING) ["ab", "ac"]
            """#),
        Case(
            #"name ==[c] 'ss'"#, [],
            #"""
            sqlite: predicate_equal("t0"."name", ?, 'c') ["ss"]
            sqlite-plain ansi: "t0"."name" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ["ß", "ẞ", "SS", "Ss", "Sſ", "sS", "ss", "sſ", "ſS", "ſs", "ſſ"]
            postgresql: "t0"."name" IN ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text) ["ß", "ẞ", "SS", "Ss", "Sſ", "sS", "ss", "sſ", "ſS", "ſs", "ſſ"]
            mysql: `t0`.`name` IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ["ß", "ẞ", "SS", "Ss", "Sſ", "sS", "ss", "sſ", "ſS", "ſs", "ſſ"]
            duckdb: "t0"."name" IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ["ß", "ẞ", "SS", "Ss", "Sſ", "sS", "ss", "sſ", "ſS", "ſs", "ſſ"]
            clickhouse: match(`t0`.`name`, {p1:String}) ["^(?:[ßẞ]|[Ssſ][Ssſ])$"]
            spark: rlike(`t0`.`name`, CAST(:p1 AS STRING)) ["\\A(?:[ßẞ]|[Ssſ][Ssſ])\\z"]
            """#),
        Case(
            #"name CONTAINS[cd] 'é'"#, [],
            #"""
            sqlite: predicate_contains("t0"."name", ?, 'cd') ["é"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: "t0"."name" ILIKE $1::text AND octet_length("t0"."name") = length("t0"."name") OR octet_length("t0"."name") > length("t0"."name") AND "t0"."name" ~ $2::text ["%e%", "[Ee\\xC8-\\xCB\\xE8-\\xEB\\x112-\\x11B\\x204-\\x207\\x228\\x229\\x1E14-\\x1E1D\\x1EB8-\\x1EC7][\\x300-\\x36F\\x483-\\x487\\x1AB0-\\x1ABD\\x1ABF-\\x1ACE\\x1DC0-\\x1DFF\\x20D0-\\x20DC\\x20E1\\x20E5-\\x20F0\\xFE20-\\xFE2F]*(?:[^\\x300-\\x36F\\x483-\\x487\\x653-\\x655…]|$)"]
            mysql: `t0`.`name` REGEXP ? ["[Ee\\x{C8}-\\x{CB}\\x{E8}-\\x{EB}\\x{112}-\\x{11B}\\x{204}-\\x{207}\\x{228}\\x{229}\\x{1E14}-\\x{1E1D}\\x{1EB8}-\\x{1EC7}][\\x{300}-\\x{36F}\\x{483}-\\x{487}\\x{1AB0}-\\x{1ABD}\\x{1ABF}-\\x{1ACE}\\x{1DC0}-\\x{1DFF}\\x{20D0}-\\x{20DC}\\x{20E1}\\x{20E5}-\\x{20F0}\\x{FE20}-\\x{FE2F}]*(?:[^\\x{300}-\\x{36F}\\x{483}-\\x{487}\\x{6…]|\\z)"]
            duckdb: regexp_matches("t0"."name", $1) ["[Ee\\x{C8}-\\x{CB}\\x{E8}-\\x{EB}\\x{112}-\\x{11B}\\x{204}-\\x{207}\\x{228}\\x{229}\\x{1E14}-\\x{1E1D}\\x{1EB8}-\\x{1EC7}][\\x{300}-\\x{36F}\\x{483}-\\x{487}\\x{1AB0}-\\x{1ABD}\\x{1ABF}-\\x{1ACE}\\x{1DC0}-\\x{1DFF}\\x{20D0}-\\x{20DC}\\x{20E1}\\x{20E5}-\\x{20F0}\\x{FE20}-\\x{FE2F}]*(?:[^\\x{300}-\\x{36F}\\x{483}-\\x{487}\\x{6…]|$)"]
            clickhouse: match(`t0`.`name`, {p1:String}) ["[Ee\\x{C8}-\\x{CB}\\x{E8}-\\x{EB}\\x{112}-\\x{11B}\\x{204}-\\x{207}\\x{228}\\x{229}\\x{1E14}-\\x{1E1D}\\x{1EB8}-\\x{1EC7}][\\x{300}-\\x{36F}\\x{483}-\\x{487}\\x{1AB0}-\\x{1ABD}\\x{1ABF}-\\x{1ACE}\\x{1DC0}-\\x{1DFF}\\x{20D0}-\\x{20DC}\\x{20E1}\\x{20E5}-\\x{20F0}\\x{FE20}-\\x{FE2F}]*(?:[^\\x{300}-\\x{36F}\\x{483}-\\x{487}\\x{6…]|$)"]
            spark: rlike(`t0`.`name`, CAST(:p1 AS STRING)) ["[Ee\\x{C8}-\\x{CB}\\x{E8}-\\x{EB}\\x{112}-\\x{11B}\\x{204}-\\x{207}\\x{228}\\x{229}\\x{1E14}-\\x{1E1D}\\x{1EB8}-\\x{1EC7}][\\x{300}-\\x{36F}\\x{483}-\\x{487}\\x{1AB0}-\\x{1ABD}\\x{1ABF}-\\x{1ACE}\\x{1DC0}-\\x{1DFF}\\x{20D0}-\\x{20DC}\\x{20E1}\\x{20E5}-\\x{20F0}\\x{FE20}-\\x{FE2F}]*(?:[^\\x{300}-\\x{36F}\\x{483}-\\x{487}\\x{6…]|\\z)"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"name BEGINSWITH[c] nick"#, [],
            #"""
            sqlite: predicate_beginswith("t0"."name", "t0"."nick", 'c') []
            sqlite-plain: ~ 1 = 1 []
            postgresql mysql duckdb clickhouse spark ansi: ~ TRUE []
            """#),
        Case(
            #"name <[c] 'b'"#, [],
            #"""
            sqlite: predicate_compare("t0"."name", ?, 'c') < 0 ["b"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: ("t0"."name" ~ $1::text) IS NOT TRUE ["^(?:[Bb]$|[C-Zc-¿Æ-ßæ-\\xFF\\x106-ǌ\\x1CF-ǝ\\x1E2-\\x1F9\\x1FC-\\x1FF\\x204-ȥ\\x228-ͽͿ-\\x1DFF\\x1E02-\\x1E99\\x1E9B-ẟ\\x1EB8-\\x1FEE῰-\\x212Aℬ-≟≡-\\x226D\\x2270-\\xD7FF\\xE000-\\x10FFFF]|[Bb].)"]
            mysql: (`t0`.`name` REGEXP ?) IS NOT TRUE ["\\A(?:[Bb]\\z|[C-Zc-¿Æ-ßæ-\\x{FF}\\x{106}-ǌ\\x{1CF}-ǝ\\…]|[Bb](?s:.))"]
            duckdb: (regexp_matches("t0"."name", $1)) IS NOT TRUE ["^(?:[Bb]$|[C-Zc-¿Æ-ßæ-\\x{FF}\\x{106}-ǌ\\x{1CF}-ǝ\\…]|[Bb](?s:.))"]
            clickhouse: (match(`t0`.`name`, {p1:String})) IS NOT TRUE ["^(?:[Bb]$|[C-Zc-¿Æ-ßæ-\\x{FF}\\x{106}-ǌ\\x{1CF}-ǝ\\…]|[Bb](?s:.))"]
            spark: (rlike(`t0`.`name`, CAST(:p1 AS STRING))) IS NOT TRUE ["\\A(?:[Bb]\\z|[C-Zc-¿Æ-ßæ-\\x{FF}\\x{106}-ǌ\\x{1CF}-ǝ\\…]|[Bb](?s:.))"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"name ==[l] 'b'"#, [],
            #"""
            sqlite sqlite-plain: ~ 1 = 1 []
            postgresql mysql duckdb clickhouse spark ansi: ~ TRUE []
            """#),
        Case(
            #"boss.name == 'x' AND boss.boss.age > 1"#, [],
            #"""
            sqlite sqlite-plain ansi: "t1"."name" = ? AND "t2"."age_years" > ? ["x", 1]
            postgresql: "t1"."name" = $1::text AND "t2"."age_years" > $2::bigint ["x", 1]
            mysql: `t1`.`name` = ? AND `t2`.`age_years` > ? ["x", 1]
            duckdb: "t1"."name" = $1 AND "t2"."age_years" > $2 ["x", 1]
            clickhouse: `t1`.`name` = {p1:String} AND `t2`.`age_years` > {p2:Int64} ["x", 1]
            spark: `t1`.`name` = CAST(:p1 AS STRING) AND `t2`.`age_years` > CAST(:p2 AS BIGINT) ["x", 1]
            """#),
        Case(
            #"boss == nil"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: "t0"."boss_id" IS NULL []
            mysql clickhouse spark: `t0`.`boss_id` IS NULL []
            """#),
        Case(
            #"boss.boss != nil"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: "t1"."boss_id" IS NOT NULL []
            mysql clickhouse spark: `t1`.`boss_id` IS NOT NULL []
            """#),
        Case(
            #"ANY orders.total > 100"#, [],
            #"""
            sqlite sqlite-plain ansi: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > ?) [100]
            postgresql: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > $1::bigint) [100]
            mysql: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > ?) [100]
            duckdb: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > $1) [100]
            clickhouse: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > {p1:Int64}) [100]
            spark: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > CAST(:p1 AS BIGINT)) [100]
            """#),
        Case(
            #"ALL orders.total > 100"#, [],
            #"""
            sqlite sqlite-plain ansi: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND ("t1"."total" <= ? OR "t1"."total" IS NULL)) [100]
            postgresql: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND ("t1"."total" <= $1::bigint OR "t1"."total" IS NULL)) [100]
            mysql: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND (`t1`.`total` <= ? OR `t1`.`total` IS NULL)) [100]
            duckdb: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND ("t1"."total" <= $1 OR "t1"."total" IS NULL)) [100]
            clickhouse: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND (`t1`.`total` <= {p1:Int64} OR `t1`.`total` IS NULL)) [100]
            spark: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND (`t1`.`total` <= CAST(:p1 AS BIGINT) OR `t1`.`total` IS NULL)) [100]
            """#),
        Case(
            #"NONE orders.note == 'x'"#, [],
            #"""
            sqlite sqlite-plain ansi: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."note" = ?) ["x"]
            postgresql: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."note" = $1::text) ["x"]
            mysql: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`note` = ?) ["x"]
            duckdb: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."note" = $1) ["x"]
            clickhouse: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`note` = {p1:String}) ["x"]
            spark: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`note` = CAST(:p1 AS STRING)) ["x"]
            """#),
        Case(
            #"ANY boss.orders.owner.name == name"#, [],
            #"""
            sqlite sqlite-plain postgresql ansi: EXISTS (SELECT 1 FROM "orders" AS "t2" LEFT JOIN "person" AS "t3" ON "t3"."id" = "t2"."person_id" WHERE "t2"."person_id" = "t1"."id" AND "t3"."name" = "t0"."name") []
            mysql clickhouse spark: EXISTS (SELECT 1 FROM `orders` AS `t2` LEFT JOIN `person` AS `t3` ON `t3`.`id` = `t2`.`person_id` WHERE `t2`.`person_id` = `t1`.`id` AND `t3`.`name` = `t0`.`name`) []
            duckdb: EXISTS (SELECT 1 FROM "orders" AS "t2" LEFT JOIN (SELECT * FROM "person" OFFSET 0) AS "t3" ON "t3"."id" = "t2"."person_id" WHERE "t2"."person_id" = "t1"."id" AND "t3"."name" = "t0"."name") []
            """#),
        Case(
            #"ANY friends.age == age"#, [],
            #"""
            sqlite sqlite-plain: EXISTS (SELECT 1 FROM "friendship" AS "t1" JOIN "person" AS "t2" ON "t2"."id" = "t1"."b" WHERE "t1"."a" = "t0"."id" AND "t2"."age_years" IS "t0"."age_years") []
            postgresql duckdb ansi: EXISTS (SELECT 1 FROM "friendship" AS "t1" JOIN "person" AS "t2" ON "t2"."id" = "t1"."b" WHERE "t1"."a" = "t0"."id" AND "t2"."age_years" IS NOT DISTINCT FROM "t0"."age_years") []
            mysql spark: EXISTS (SELECT 1 FROM `friendship` AS `t1` JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`b` WHERE `t1`.`a` = `t0`.`id` AND `t2`.`age_years` <=> `t0`.`age_years`) []
            clickhouse: `t0`.`age_years` IS NOT NULL AND EXISTS (SELECT 1 FROM `friendship` AS `t1` JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`b` WHERE `t1`.`a` = `t0`.`id` AND `t2`.`age_years` IS NOT DISTINCT FROM `t0`.`age_years`) OR `t0`.`age_years` IS NULL AND EXISTS (SELECT 1 FROM `friendship` AS `t1` JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`b` WHERE `t1`.`a` = `t0`.`id` AND `t2`.`age_years` IS NULL) []
            """#),
        Case(
            #"ANY {name, nick} == 'x'"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."name" = ? OR "t0"."nick" = ? ["x", "x"]
            postgresql: "t0"."name" = $1::text OR "t0"."nick" = $2::text ["x", "x"]
            mysql: `t0`.`name` = ? OR `t0`.`nick` = ? ["x", "x"]
            duckdb: "t0"."name" = $1 OR "t0"."nick" = $2 ["x", "x"]
            clickhouse: `t0`.`name` = {p1:String} OR `t0`.`nick` = {p2:String} ["x", "x"]
            spark: `t0`.`name` = CAST(:p1 AS STRING) OR `t0`.`nick` = CAST(:p2 AS STRING) ["x", "x"]
            """#),
        Case(
            #"5 IN orders.total"#, [],
            #"""
            sqlite sqlite-plain ansi: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" = ?) [5]
            postgresql: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" = $1::bigint) [5]
            mysql: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` = ?) [5]
            duckdb: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" = $1) [5]
            clickhouse: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` = {p1:Int64}) [5]
            spark: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` = CAST(:p1 AS BIGINT)) [5]
            """#),
        Case(
            #"orders.@count == 0"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") []
            mysql clickhouse spark: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`) []
            """#),
        Case(
            #"orders.@count > 2"#, [],
            #"""
            sqlite sqlite-plain: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING COUNT(*) >= ?) [3]
            postgresql: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING COUNT(*) >= $1::bigint) [3]
            mysql: `t0`.`id` IN (SELECT `t1`.`person_id` FROM `orders` AS `t1` GROUP BY `t1`.`person_id` HAVING COUNT(*) >= ?) [3]
            duckdb: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") >= $1 [3]
            clickhouse: COALESCE((SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`), 0) >= {p1:Int64} [3]
            spark: (SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`) >= CAST(:p1 AS BIGINT) [3]
            ansi: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") >= ? [3]
            """#),
        Case(
            #"boss.orders.@count != 1"#, [],
            #"""
            sqlite sqlite-plain ansi: "t1"."id" IS NULL OR (SELECT COUNT(*) FROM "orders" AS "t2" WHERE "t2"."person_id" = "t1"."id") <> ? [1]
            postgresql: "t1"."id" IS NULL OR (SELECT COUNT(*) FROM "orders" AS "t2" WHERE "t2"."person_id" = "t1"."id") <> $1::bigint [1]
            mysql: `t1`.`id` IS NULL OR (SELECT COUNT(*) FROM `orders` AS `t2` WHERE `t2`.`person_id` = `t1`.`id`) <> ? [1]
            duckdb: "t1"."id" IS NULL OR (SELECT COUNT(*) FROM "orders" AS "t2" WHERE "t2"."person_id" = "t1"."id") <> $1 [1]
            clickhouse: `t1`.`id` IS NULL OR COALESCE((SELECT COUNT(*) FROM `orders` AS `t2` WHERE `t2`.`person_id` = `t1`.`id`), 0) <> {p1:Int64} [1]
            spark: `t1`.`id` IS NULL OR (SELECT COUNT(*) FROM `orders` AS `t2` WHERE `t2`.`person_id` = `t1`.`id`) <> CAST(:p1 AS BIGINT) [1]
            """#),
        Case(
            #"orders.@count >= 1.5"#, [],
            #"""
            sqlite sqlite-plain: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING COUNT(*) >= ?) [2]
            postgresql: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING COUNT(*) >= $1::bigint) [2]
            mysql: `t0`.`id` IN (SELECT `t1`.`person_id` FROM `orders` AS `t1` GROUP BY `t1`.`person_id` HAVING COUNT(*) >= ?) [2]
            duckdb: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") >= $1 [2]
            clickhouse: COALESCE((SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`), 0) >= {p1:Int64} [2]
            spark: (SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`) >= CAST(:p1 AS BIGINT) [2]
            ansi: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") >= ? [2]
            """#),
        Case(
            #"SUBQUERY(orders, $o, $o.total > 5 AND $o.note == name).@count > 1"#, [],
            #"""
            sqlite sqlite-plain ansi: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > ? AND "t1"."note" = "t0"."name") >= ? [5, 2]
            postgresql: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > $1::bigint AND "t1"."note" = "t0"."name") >= $2::bigint [5, 2]
            mysql: (SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > ? AND `t1`.`note` = `t0`.`name`) >= ? [5, 2]
            duckdb: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > $1 AND "t1"."note" = "t0"."name") >= $2 [5, 2]
            clickhouse: COALESCE((SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > {p1:Int64} AND `t1`.`note` = `t0`.`name`), 0) >= {p2:Int64} [5, 2]
            spark: (SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > CAST(:p1 AS BIGINT) AND `t1`.`note` = `t0`.`name`) >= CAST(:p2 AS BIGINT) [5, 2]
            """#),
        Case(
            #"SUBQUERY(orders, $o, ANY $o.items.title == 'x').@count == 2"#, [],
            #"""
            sqlite sqlite-plain: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" WHERE EXISTS (SELECT 1 FROM "item" AS "t2" WHERE "t2"."order_id" = "t1"."id" AND "t2"."title" = ?) GROUP BY "t1"."person_id" HAVING COUNT(*) = ?) ["x", 2]
            postgresql: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" WHERE EXISTS (SELECT 1 FROM "item" AS "t2" WHERE "t2"."order_id" = "t1"."id" AND "t2"."title" = $1::text) GROUP BY "t1"."person_id" HAVING COUNT(*) = $2::bigint) ["x", 2]
            mysql: `t0`.`id` IN (SELECT `t1`.`person_id` FROM `orders` AS `t1` WHERE EXISTS (SELECT 1 FROM `item` AS `t2` WHERE `t2`.`order_id` = `t1`.`id` AND `t2`.`title` = ?) GROUP BY `t1`.`person_id` HAVING COUNT(*) = ?) ["x", 2]
            duckdb: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND EXISTS (SELECT 1 FROM "item" AS "t2" WHERE "t2"."order_id" = "t1"."id" AND "t2"."title" = $1)) = $2 ["x", 2]
            clickhouse: COALESCE((SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND EXISTS (SELECT 1 FROM `item` AS `t2` WHERE `t2`.`order_id` = `t1`.`id` AND `t2`.`title` = {p1:String})), 0) = {p2:Int64} ["x", 2]
            spark: (SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND EXISTS (SELECT 1 FROM `item` AS `t2` WHERE `t2`.`order_id` = `t1`.`id` AND `t2`.`title` = CAST(:p1 AS STRING))) = CAST(:p2 AS BIGINT) ["x", 2]
            ansi: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND EXISTS (SELECT 1 FROM "item" AS "t2" WHERE "t2"."order_id" = "t1"."id" AND "t2"."title" = ?)) = ? ["x", 2]
            """#),
        Case(
            #"SUBQUERY(orders, $o, $o.note.length > 3).@count == 2"#, [],
            #"""
            sqlite: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" WHERE predicate_length("t1"."note") > ? GROUP BY "t1"."person_id" HAVING COUNT(*) = ?) [3, 2]
            sqlite-plain: ~ "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING COUNT(*) >= ?) [2]
            postgresql: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" WHERE (length("t1"."note") + CASE WHEN octet_length("t1"."note") > length("t1"."note") AND "t1"."note" ~ '[\U00010000-\U0010FFFF]' THEN length(regexp_replace("t1"."note", '[^\U00010000-\U0010FFFF]', '', 'g')) ELSE 0 END) > $1::bigint GROUP BY "t1"."person_id" HAVING COUNT(*) = $2::bigint) [3, 2]
            mysql: `t0`.`id` IN (SELECT `t1`.`person_id` FROM `orders` AS `t1` WHERE (LENGTH(CONVERT(`t1`.`note` USING utf16)) DIV 2) > ? GROUP BY `t1`.`person_id` HAVING COUNT(*) = ?) [3, 2]
            duckdb: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND (length("t1"."note") + length(regexp_replace("t1"."note", '[^\x{10000}-\x{10FFFF}]', '', 'g'))) > $1) = $2 [3, 2]
            clickhouse: COALESCE((SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND (lengthUTF8(`t1`.`note`) + lengthUTF8(replaceRegexpAll(`t1`.`note`, '[^\\x{10000}-\\x{10FFFF}]', ''))) > {p1:Int64}), 0) = {p2:Int64} [3, 2]
            spark: (SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND (octet_length(encode(`t1`.`note`, 'UTF-16BE')) DIV 2) > CAST(:p1 AS BIGINT)) = CAST(:p2 AS BIGINT) [3, 2]
            ansi: ~ (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") >= ? [2]
            """#),
        Case(
            #"NONE orders.note MATCHES '(?<=a)b'"#, [],
            #"""
            sqlite sqlite-plain: ~ 1 = 1 []
            postgresql mysql duckdb clickhouse spark ansi: ~ TRUE []
            """#),
        Case(
            #"age + 1 > 3"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" >= ? AND "t0"."age_years" <= ? [3, 9223372036854775806]
            postgresql: "t0"."age_years" >= $1::bigint AND "t0"."age_years" <= $2::bigint [3, 9223372036854775806]
            mysql: `t0`.`age_years` >= ? AND `t0`.`age_years` <= ? [3, 9223372036854775806]
            duckdb: "t0"."age_years" >= $1 AND "t0"."age_years" <= $2 [3, 9223372036854775806]
            clickhouse: `t0`.`age_years` >= {p1:Int64} AND `t0`.`age_years` <= {p2:Int64} [3, 9223372036854775806]
            spark: `t0`.`age_years` >= CAST(:p1 AS BIGINT) AND `t0`.`age_years` <= CAST(:p2 AS BIGINT) [3, 9223372036854775806]
            """#),
        Case(
            #"2 + 3 < age"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" > ? [5]
            postgresql: "t0"."age_years" > $1::bigint [5]
            mysql: `t0`.`age_years` > ? [5]
            duckdb: "t0"."age_years" > $1 [5]
            clickhouse: `t0`.`age_years` > {p1:Int64} [5]
            spark: `t0`.`age_years` > CAST(:p1 AS BIGINT) [5]
            """#),
        Case(
            #"extra == nil"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: "t0"."extra" IS NULL []
            mysql clickhouse spark: `t0`.`extra` IS NULL []
            """#),
        Case(
            #"extra == 3"#, [],
            #"""
            sqlite sqlite-plain: ~ 1 = 1 []
            postgresql mysql duckdb clickhouse spark ansi: ~ TRUE []
            """#),
        Case(
            #"name == 'a' AND name.length > 3"#, [],
            #"""
            sqlite: "t0"."name" = ? AND predicate_length("t0"."name") > ? ["a", 3]
            sqlite-plain ansi: ~ "t0"."name" = ? ["a"] residual: name.length > 3
            postgresql: "t0"."name" = $1::text AND (length("t0"."name") + CASE WHEN octet_length("t0"."name") > length("t0"."name") AND "t0"."name" ~ '[\U00010000-\U0010FFFF]' THEN length(regexp_replace("t0"."name", '[^\U00010000-\U0010FFFF]', '', 'g')) ELSE 0 END) > $2::bigint ["a", 3]
            mysql: `t0`.`name` = ? AND (LENGTH(CONVERT(`t0`.`name` USING utf16)) DIV 2) > ? ["a", 3]
            duckdb: "t0"."name" = $1 AND (length("t0"."name") + length(regexp_replace("t0"."name", '[^\x{10000}-\x{10FFFF}]', '', 'g'))) > $2 ["a", 3]
            clickhouse: `t0`.`name` = {p1:String} AND (lengthUTF8(`t0`.`name`) + lengthUTF8(replaceRegexpAll(`t0`.`name`, '[^\\x{10000}-\\x{10FFFF}]', ''))) > {p2:Int64} ["a", 3]
            spark: `t0`.`name` = CAST(:p1 AS STRING) AND (octet_length(encode(`t0`.`name`, 'UTF-16BE')) DIV 2) > CAST(:p2 AS BIGINT) ["a", 3]
            """#),
        Case(
            #"name == 'a' OR name.length > 3"#, [],
            #"""
            sqlite: "t0"."name" = ? OR predicate_length("t0"."name") > ? ["a", 3]
            sqlite-plain: ~ 1 = 1 []
            postgresql: "t0"."name" = $1::text OR (length("t0"."name") + CASE WHEN octet_length("t0"."name") > length("t0"."name") AND "t0"."name" ~ '[\U00010000-\U0010FFFF]' THEN length(regexp_replace("t0"."name", '[^\U00010000-\U0010FFFF]', '', 'g')) ELSE 0 END) > $2::bigint ["a", 3]
            mysql: `t0`.`name` = ? OR (LENGTH(CONVERT(`t0`.`name` USING utf16)) DIV 2) > ? ["a", 3]
            duckdb: "t0"."name" = $1 OR (length("t0"."name") + length(regexp_replace("t0"."name", '[^\x{10000}-\x{10FFFF}]', '', 'g'))) > $2 ["a", 3]
            clickhouse: `t0`.`name` = {p1:String} OR (lengthUTF8(`t0`.`name`) + lengthUTF8(replaceRegexpAll(`t0`.`name`, '[^\\x{10000}-\\x{10FFFF}]', ''))) > {p2:Int64} ["a", 3]
            spark: `t0`.`name` = CAST(:p1 AS STRING) OR (octet_length(encode(`t0`.`name`, 'UTF-16BE')) DIV 2) > CAST(:p2 AS BIGINT) ["a", 3]
            ansi: ~ TRUE []
            """#),
        Case(
            #"NOT (name == 'a' AND (age > 1 OR nick == nil))"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."name" <> ? OR ("t0"."age_years" <= ? OR "t0"."age_years" IS NULL) AND "t0"."nick" IS NOT NULL ["a", 1]
            postgresql: "t0"."name" <> $1::text OR ("t0"."age_years" <= $2::bigint OR "t0"."age_years" IS NULL) AND "t0"."nick" IS NOT NULL ["a", 1]
            mysql: `t0`.`name` <> ? OR (`t0`.`age_years` <= ? OR `t0`.`age_years` IS NULL) AND `t0`.`nick` IS NOT NULL ["a", 1]
            duckdb: "t0"."name" <> $1 OR ("t0"."age_years" <= $2 OR "t0"."age_years" IS NULL) AND "t0"."nick" IS NOT NULL ["a", 1]
            clickhouse: `t0`.`name` <> {p1:String} OR (`t0`.`age_years` <= {p2:Int64} OR `t0`.`age_years` IS NULL) AND `t0`.`nick` IS NOT NULL ["a", 1]
            spark: `t0`.`name` <> CAST(:p1 AS STRING) OR (`t0`.`age_years` <= CAST(:p2 AS BIGINT) OR `t0`.`age_years` IS NULL) AND `t0`.`nick` IS NOT NULL ["a", 1]
            """#),
        Case(
            #"TRUEPREDICATE"#, [],
            #"""
            sqlite sqlite-plain: 1 = 1 []
            postgresql mysql duckdb clickhouse spark ansi: TRUE []
            """#),
        Case(
            #"name == 'a' OR FALSEPREDICATE"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."name" = ? ["a"]
            postgresql: "t0"."name" = $1::text ["a"]
            mysql: `t0`.`name` = ? ["a"]
            duckdb: "t0"."name" = $1 ["a"]
            clickhouse: `t0`.`name` = {p1:String} ["a"]
            spark: `t0`.`name` = CAST(:p1 AS STRING) ["a"]
            """#),
        Case(
            #"orders.@max.total > 5"#, [],
            #"""
            sqlite sqlite-plain ansi: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > ?) [5]
            postgresql: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > $1::bigint) [5]
            mysql: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > ?) [5]
            duckdb: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > $1) [5]
            clickhouse: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > {p1:Int64}) [5]
            spark: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > CAST(:p1 AS BIGINT)) [5]
            """#),
        Case(
            #"orders.@min.weight <= 2"#, [],
            #"""
            sqlite sqlite-plain ansi: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."weight" <= ?) [2.0]
            postgresql: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."weight" <= $1::float8) [2.0]
            mysql: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`weight` <= ?) [2.0]
            duckdb: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."weight" <= $1) [2.0]
            clickhouse: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`weight` <= {p1:Float64}) [2.0]
            spark: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`weight` <= CAST(:p1 AS DOUBLE)) [2.0]
            """#),
        Case(
            #"boss.orders.@max.total == nil"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: NOT EXISTS (SELECT 1 FROM "orders" AS "t2" WHERE "t2"."person_id" = "t1"."id" AND "t2"."total" IS NOT NULL) []
            mysql clickhouse spark: NOT EXISTS (SELECT 1 FROM `orders` AS `t2` WHERE `t2`.`person_id` = `t1`.`id` AND `t2`.`total` IS NOT NULL) []
            """#),
        Case(
            #"TERNARY(age > 3, name, nick) == 'x'"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" > ? AND "t0"."name" = ? OR ("t0"."age_years" <= ? OR "t0"."age_years" IS NULL) AND "t0"."nick" = ? [3, "x", 3, "x"]
            postgresql: "t0"."age_years" > $1::bigint AND "t0"."name" = $2::text OR ("t0"."age_years" <= $3::bigint OR "t0"."age_years" IS NULL) AND "t0"."nick" = $4::text [3, "x", 3, "x"]
            mysql: `t0`.`age_years` > ? AND `t0`.`name` = ? OR (`t0`.`age_years` <= ? OR `t0`.`age_years` IS NULL) AND `t0`.`nick` = ? [3, "x", 3, "x"]
            duckdb: "t0"."age_years" > $1 AND "t0"."name" = $2 OR ("t0"."age_years" <= $3 OR "t0"."age_years" IS NULL) AND "t0"."nick" = $4 [3, "x", 3, "x"]
            clickhouse: `t0`.`age_years` > {p1:Int64} AND `t0`.`name` = {p2:String} OR (`t0`.`age_years` <= {p3:Int64} OR `t0`.`age_years` IS NULL) AND `t0`.`nick` = {p4:String} [3, "x", 3, "x"]
            spark: `t0`.`age_years` > CAST(:p1 AS BIGINT) AND `t0`.`name` = CAST(:p2 AS STRING) OR (`t0`.`age_years` <= CAST(:p3 AS BIGINT) OR `t0`.`age_years` IS NULL) AND `t0`.`nick` = CAST(:p4 AS STRING) [3, "x", 3, "x"]
            """#),
        Case(
            #"orders.@sum.total > 5"#, [],
            #"""
            sqlite sqlite-plain: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING CASE WHEN (COALESCE(SUM("t1"."total" >> 32), 0) + (COALESCE(SUM("t1"."total" & 4294967295), 0) >> 32)) BETWEEN -2147483648 AND 2147483647 THEN (COALESCE(SUM("t1"."total" >> 32), 0) + (COALESCE(SUM("t1"."total" & 4294967295), 0) >> 32)) * 4294967296 + (COALESCE(SUM("t1"."total" & 4294967295), 0) & 4294967295) END > ?) [5]
            postgresql: "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING COALESCE(SUM(CAST("t1"."total" AS numeric)), 0) <= $1::bigint AND COALESCE(SUM(CAST("t1"."total" AS numeric)), 0) > $2::bigint) [9223372036854775807, 5]
            mysql: `t0`.`id` IN (SELECT `t1`.`person_id` FROM `orders` AS `t1` GROUP BY `t1`.`person_id` HAVING COALESCE(SUM(CAST(`t1`.`total` AS DECIMAL(65))), 0) <= ? AND COALESCE(SUM(CAST(`t1`.`total` AS DECIMAL(65))), 0) > ?) [9223372036854775807, 5]
            duckdb: (SELECT COALESCE(SUM(CAST("t1"."total" AS HUGEINT)), 0) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") <= $1 AND (SELECT COALESCE(SUM(CAST("t1"."total" AS HUGEINT)), 0) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") > $2 [9223372036854775807, 5]
            clickhouse: COALESCE((SELECT COALESCE(SUM(toInt128(`t1`.`total`)), 0) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`), 0) <= {p1:Int64} AND COALESCE((SELECT COALESCE(SUM(toInt128(`t1`.`total`)), 0) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`), 0) > {p2:Int64} [9223372036854775807, 5]
            spark: (SELECT COALESCE(SUM(CAST(`t1`.`total` AS DECIMAL(19, 0))), 0) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`) <= CAST(:p1 AS BIGINT) AND (SELECT COALESCE(SUM(CAST(`t1`.`total` AS DECIMAL(19, 0))), 0) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`) > CAST(:p2 AS BIGINT) [9223372036854775807, 5]
            ansi: ~ TRUE []
            """#),
        Case(
            #"NONE friends.nick MATCHES 'ab.*'"#, [],
            #"""
            sqlite: NOT EXISTS (SELECT 1 FROM "friendship" AS "t1" JOIN "person" AS "t2" ON "t2"."id" = "t1"."b" WHERE "t1"."a" = "t0"."id" AND "t2"."nick" >= ? AND "t2"."nick" < ? AND predicate_matches("t2"."nick", ?, '')) ["ab", "ac", "ab.*"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: NOT EXISTS (SELECT 1 FROM "friendship" AS "t1" JOIN "person" AS "t2" ON "t2"."id" = "t1"."b" WHERE "t1"."a" = "t0"."id" AND "t2"."nick" >= $1::text AND "t2"."nick" < $2::text AND "t2"."nick" ~ $3::text) ["ab", "ac", "^ab[^\\xA-\\xD\\x85\\x2028\\x2029]*$"]
            mysql: NOT EXISTS (SELECT 1 FROM `friendship` AS `t1` JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`b` WHERE `t1`.`a` = `t0`.`id` AND `t2`.`nick` >= ? AND `t2`.`nick` < ? AND `t2`.`nick` REGEXP ?) ["ab", "ac", "\\Aab[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*\\z"]
            duckdb: NOT EXISTS (SELECT 1 FROM "friendship" AS "t1" JOIN "person" AS "t2" ON "t2"."id" = "t1"."b" WHERE "t1"."a" = "t0"."id" AND "t2"."nick" >= $1 AND "t2"."nick" < $2 AND regexp_matches("t2"."nick", $3)) ["ab", "ac", "^ab[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*$"]
            clickhouse: NOT EXISTS (SELECT 1 FROM `friendship` AS `t1` JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`b` WHERE `t1`.`a` = `t0`.`id` AND `t2`.`nick` >= {p1:String} AND `t2`.`nick` < {p2:String} AND match(`t2`.`nick`, {p3:String})) ["ab", "ac", "^ab[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*$"]
            spark: NOT EXISTS (SELECT 1 FROM `friendship` AS `t1` JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`b` WHERE `t1`.`a` = `t0`.`id` AND `t2`.`nick` >= CAST(:p1 AS STRING) AND `t2`.`nick` < CAST(:p2 AS STRING) AND rlike(`t2`.`nick`, CAST(:p3 AS STRING))) ["ab", "ac", "\\Aab[^\\x{A}-\\x{D}\\x{85}\\x{2028}\\x{2029}]*\\z"]
            ansi: ~ TRUE []
            """#),
    ]
}
