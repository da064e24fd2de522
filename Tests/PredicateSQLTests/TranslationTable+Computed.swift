// The rows of TranslationTests.swift for computed values: arithmetic, functions, decimals, keys, long lists.
import PredicateSyntax

extension TranslationTests {
    static let computedCases: [Case] = [
        Case(
            #"age / 2 > 1"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" >= ? [4]
            postgresql: "t0"."age_years" >= $1::bigint [4]
            mysql: `t0`.`age_years` >= ? [4]
            duckdb: "t0"."age_years" >= $1 [4]
            clickhouse: `t0`.`age_years` >= {p1:Int64} [4]
            spark: `t0`.`age_years` >= CAST(:p1 AS BIGINT) [4]
            """#),
        Case(
            #"age + 1 == 3"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."age_years" = ? [2]
            postgresql: "t0"."age_years" = $1::bigint [2]
            mysql: `t0`.`age_years` = ? [2]
            duckdb: "t0"."age_years" = $1 [2]
            clickhouse: `t0`.`age_years` = {p1:Int64} [2]
            spark: `t0`.`age_years` = CAST(:p1 AS BIGINT) [2]
            """#),
        Case(
            #"3 - rank < 5"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."rank" >= ? [-1]
            postgresql: "t0"."rank" >= $1::bigint [-1]
            mysql: `t0`.`rank` >= ? [-1]
            duckdb: "t0"."rank" >= $1 [-1]
            clickhouse: `t0`.`rank` >= {p1:Int64} [-1]
            spark: `t0`.`rank` >= CAST(:p1 AS BIGINT) [-1]
            """#),
        Case(
            #"NOT rank / age > 2"#, [],
            #"""
            sqlite sqlite-plain: (CASE WHEN typeof("t0"."rank" / "t0"."age_years") = 'integer' THEN "t0"."rank" / "t0"."age_years" END IS NOT NULL OR "t0"."age_years" IS NULL) AND (CASE WHEN typeof("t0"."rank" / "t0"."age_years") = 'integer' THEN "t0"."rank" / "t0"."age_years" END > ?) IS NOT TRUE [2]
            postgresql: (NULLIF(NULLIF(GREATEST(LEAST(div(CAST("t0"."rank" AS numeric), NULLIF(CAST("t0"."age_years" AS numeric), 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR "t0"."age_years" IS NULL) AND (NULLIF(NULLIF(GREATEST(LEAST(div(CAST("t0"."rank" AS numeric), NULLIF(CAST("t0"."age_years" AS numeric), 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $1::bigint) IS NOT TRUE [2]
            mysql: (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`age_years` = -1 THEN 0 - CAST(`t0`.`rank` AS DECIMAL(65)) WHEN `t0`.`age_years` <> 0 THEN CAST(`t0`.`rank` AS SIGNED) DIV CAST(`t0`.`age_years` AS SIGNED) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR `t0`.`age_years` IS NULL) AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`age_years` = -1 THEN 0 - CAST(`t0`.`rank` AS DECIMAL(65)) WHEN `t0`.`age_years` <> 0 THEN CAST(`t0`.`rank` AS SIGNED) DIV CAST(`t0`.`age_years` AS SIGNED) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > ?) IS NOT TRUE [2]
            duckdb: (NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS HUGEINT) // NULLIF(CAST("t0"."age_years" AS HUGEINT), 0), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR "t0"."age_years" IS NULL) AND (NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS HUGEINT) // NULLIF(CAST("t0"."age_years" AS HUGEINT), 0), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $1) IS NOT TRUE [2]
            clickhouse: (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`age_years` <> 0 THEN intDivOrZero(toInt128(`t0`.`rank`), toInt128(`t0`.`age_years`)) END, toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) IS NOT NULL OR `t0`.`age_years` IS NULL) AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`age_years` <> 0 THEN intDivOrZero(toInt128(`t0`.`rank`), toInt128(`t0`.`age_years`)) END, toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) > {p1:Int64}) IS NOT TRUE [2]
            spark: (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`age_years` = -1 THEN 0 - CAST(`t0`.`rank` AS DECIMAL(19, 0)) WHEN `t0`.`age_years` <> 0 THEN CAST(`t0`.`rank` DIV `t0`.`age_years` AS DECIMAL(20, 0)) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR `t0`.`age_years` IS NULL) AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`age_years` = -1 THEN 0 - CAST(`t0`.`rank` AS DECIMAL(19, 0)) WHEN `t0`.`age_years` <> 0 THEN CAST(`t0`.`rank` DIV `t0`.`age_years` AS DECIMAL(20, 0)) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > CAST(:p1 AS BIGINT)) IS NOT TRUE [2]
            ansi: ~ TRUE []
            """#),
        Case(
            #"age / rank == nil"#, [],
            #"""
            sqlite sqlite-plain: (CASE WHEN typeof("t0"."age_years" / "t0"."rank") = 'integer' THEN "t0"."age_years" / "t0"."rank" END IS NOT NULL OR "t0"."age_years" IS NULL) AND "t0"."age_years" IS NULL []
            postgresql: (NULLIF(NULLIF(GREATEST(LEAST(div(CAST("t0"."age_years" AS numeric), NULLIF(CAST("t0"."rank" AS numeric), 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR "t0"."age_years" IS NULL) AND "t0"."age_years" IS NULL []
            mysql: (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`rank` = -1 THEN 0 - CAST(`t0`.`age_years` AS DECIMAL(65)) WHEN `t0`.`rank` <> 0 THEN CAST(`t0`.`age_years` AS SIGNED) DIV CAST(`t0`.`rank` AS SIGNED) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR `t0`.`age_years` IS NULL) AND `t0`.`age_years` IS NULL []
            duckdb: (NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."age_years" AS HUGEINT) // NULLIF(CAST("t0"."rank" AS HUGEINT), 0), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR "t0"."age_years" IS NULL) AND "t0"."age_years" IS NULL []
            clickhouse: (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`rank` <> 0 THEN intDivOrZero(toInt128(`t0`.`age_years`), toInt128(`t0`.`rank`)) END, toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) IS NOT NULL OR `t0`.`age_years` IS NULL) AND `t0`.`age_years` IS NULL []
            spark: (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t0`.`rank` = -1 THEN 0 - CAST(`t0`.`age_years` AS DECIMAL(19, 0)) WHEN `t0`.`rank` <> 0 THEN CAST(`t0`.`age_years` DIV `t0`.`rank` AS DECIMAL(20, 0)) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR `t0`.`age_years` IS NULL) AND `t0`.`age_years` IS NULL []
            ansi: ~ TRUE []
            """#),
        Case(
            #"-height > 2"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."height" <= ? [-2.0000000000000004]
            postgresql: "t0"."height" <= $1::float8 [-2.0000000000000004]
            mysql: `t0`.`height` <= ? [-2.0000000000000004]
            duckdb: "t0"."height" <= $1 [-2.0000000000000004]
            clickhouse: `t0`.`height` <= {p1:Float64} [-2.0000000000000004]
            spark: `t0`.`height` <= CAST(:p1 AS DOUBLE) [-2.0000000000000004]
            """#),
        Case(
            #"sqrt:(weight) >= 1.5"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."weight" >= ? [2.25]
            postgresql: "t0"."weight" >= $1::float8 [2.25]
            mysql: `t0`.`weight` >= ? [2.25]
            duckdb: "t0"."weight" >= $1 [2.25]
            clickhouse: `t0`.`weight` >= {p1:Float64} [2.25]
            spark: `t0`.`weight` >= CAST(:p1 AS DOUBLE) [2.25]
            """#),
        Case(
            #"abs:(rank) > 3"#, [],
            #"""
            sqlite sqlite-plain: CASE WHEN "t0"."rank" > -9223372036854775808 THEN abs("t0"."rank") END > ? [3]
            postgresql: NULLIF(NULLIF(GREATEST(LEAST(abs(CAST("t0"."rank" AS numeric)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $1::bigint [3]
            mysql: NULLIF(NULLIF(GREATEST(LEAST(abs(CAST(`t0`.`rank` AS DECIMAL(65))), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > ? [3]
            duckdb: NULLIF(NULLIF(GREATEST(LEAST(abs(CAST("t0"."rank" AS HUGEINT)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $1 [3]
            clickhouse: NULLIF(NULLIF(GREATEST(LEAST(abs(toInt128(`t0`.`rank`)), toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) > {p1:Int64} [3]
            spark: NULLIF(NULLIF(GREATEST(LEAST(abs(CAST(`t0`.`rank` AS DECIMAL(19, 0))), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > CAST(:p1 AS BIGINT) [3]
            ansi: ~ TRUE []
            """#),
        Case(
            #"abs:(height) < 2"#, [],
            #"""
            sqlite sqlite-plain: abs("t0"."height") < ? [2.0]
            postgresql: abs("t0"."height") < $1::float8 [2.0]
            mysql: abs(`t0`.`height`) < ? [2.0]
            duckdb: abs("t0"."height") < $1 [2.0]
            clickhouse: abs(`t0`.`height`) < {p1:Float64} [2.0]
            spark: abs(`t0`.`height`) < CAST(:p1 AS DOUBLE) [2.0]
            ansi: ABS("t0"."height") < ? [2.0]
            """#),
        Case(
            #"floor:(height) == 2"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."height" >= ? AND "t0"."height" <= ? [2.0, 2.9999999999999996]
            postgresql: "t0"."height" >= $1::float8 AND "t0"."height" <= $2::float8 [2.0, 2.9999999999999996]
            mysql: `t0`.`height` >= ? AND `t0`.`height` <= ? [2.0, 2.9999999999999996]
            duckdb: "t0"."height" >= $1 AND "t0"."height" <= $2 [2.0, 2.9999999999999996]
            clickhouse: `t0`.`height` >= {p1:Float64} AND `t0`.`height` <= {p2:Float64} [2.0, 2.9999999999999996]
            spark: `t0`.`height` >= CAST(:p1 AS DOUBLE) AND `t0`.`height` <= CAST(:p2 AS DOUBLE) [2.0, 2.9999999999999996]
            """#),
        Case(
            #"height + weight > 1"#, [],
            #"""
            sqlite sqlite-plain: ("t0"."height" + "t0"."weight") > ? [1.0]
            postgresql: (SELECT NULLIF(CASE WHEN CASE WHEN abs(x) > 1 AND abs(y) > 1 THEN abs((x * 0.5 + y * 0.5)) >= 8.98846567431158e+307 END THEN (x * 0.5 + y * 0.5) * CAST('Infinity' AS float8) ELSE x + y END, CAST('NaN' AS float8)) FROM (SELECT "t0"."height" AS x, "t0"."weight" AS y OFFSET 0) AS v) > $1::float8 [1.0]
            mysql: CASE WHEN CASE WHEN abs(`t0`.`height`) > 1 AND abs(`t0`.`weight`) > 1 THEN abs((`t0`.`height` * 0.5 + `t0`.`weight` * 0.5)) >= 8.98846567431158e+307 END THEN SIGN((`t0`.`height` * 0.5 + `t0`.`weight` * 0.5)) * 1.7976931348623157e+308 ELSE `t0`.`height` + `t0`.`weight` END > ? [1.0]
            duckdb: CASE WHEN NOT isnan(("t0"."height" + "t0"."weight")) THEN ("t0"."height" + "t0"."weight") END > $1 [1.0]
            clickhouse: (`t0`.`height` + `t0`.`weight`) > {p1:Float64} [1.0]
            spark: CASE WHEN NOT isnan((`t0`.`height` + `t0`.`weight`)) THEN (`t0`.`height` + `t0`.`weight`) END > CAST(:p1 AS DOUBLE) [1.0]
            ansi: ~ TRUE []
            """#),
        Case(
            #"rank * 2.5 < 10"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."rank" <= ? [3]
            postgresql: "t0"."rank" <= $1::bigint [3]
            mysql: `t0`.`rank` <= ? [3]
            duckdb: "t0"."rank" <= $1 [3]
            clickhouse: `t0`.`rank` <= {p1:Int64} [3]
            spark: `t0`.`rank` <= CAST(:p1 AS BIGINT) [3]
            """#),
        Case(
            #"modulus:by:(rank, 2) == 1"#, [],
            #"""
            sqlite sqlite-plain: "t0"."rank" % ? = ? [2, 1]
            postgresql: "t0"."rank" % $1::bigint = $2::bigint [2, 1]
            mysql: CAST(`t0`.`rank` AS SIGNED) % CAST(? AS SIGNED) = ? [2, 1]
            duckdb: CAST("t0"."rank" AS BIGINT) % $1 = $2 [2, 1]
            clickhouse: `t0`.`rank` % {p1:Int64} = {p2:Int64} [2, 1]
            spark: `t0`.`rank` % CAST(:p1 AS BIGINT) = CAST(:p2 AS BIGINT) [2, 1]
            ansi: ~ TRUE []
            """#),
        Case(
            #"length:(name) == rank"#, [],
            #"""
            sqlite: predicate_length("t0"."name") = "t0"."rank" []
            sqlite-plain: ~ 1 = 1 []
            postgresql: (length("t0"."name") + CASE WHEN octet_length("t0"."name") > length("t0"."name") AND "t0"."name" ~ '[\U00010000-\U0010FFFF]' THEN length(regexp_replace("t0"."name", '[^\U00010000-\U0010FFFF]', '', 'g')) ELSE 0 END) = "t0"."rank" []
            mysql: (LENGTH(CONVERT(`t0`.`name` USING utf16)) DIV 2) = `t0`.`rank` []
            duckdb: (length("t0"."name") + length(regexp_replace("t0"."name", '[^\x{10000}-\x{10FFFF}]', '', 'g'))) = "t0"."rank" []
            clickhouse: (lengthUTF8(`t0`.`name`) + lengthUTF8(replaceRegexpAll(`t0`.`name`, '[^\\x{10000}-\\x{10FFFF}]', ''))) = `t0`.`rank` []
            spark: (octet_length(encode(`t0`.`name`, 'UTF-16BE')) DIV 2) = `t0`.`rank` []
            ansi: ~ TRUE []
            """#),
        Case(
            #"uppercase:(name) == "ADA""#, [],
            #"""
            sqlite: predicate_uppercase("t0"."name") = ? ["ADA"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: "t0"."name" ~ $1::text ["^[Aa][Dd][Aa]$"]
            mysql: `t0`.`name` REGEXP ? ["\\A[Aa][Dd][Aa]\\z"]
            duckdb: regexp_matches("t0"."name", $1) ["^[Aa][Dd][Aa]$"]
            clickhouse: match(`t0`.`name`, {p1:String}) ["^[Aa][Dd][Aa]$"]
            spark: rlike(`t0`.`name`, CAST(:p1 AS STRING)) ["\\A[Aa][Dd][Aa]\\z"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"lowercase:(nick) BEGINSWITH "ad""#, [],
            #"""
            sqlite: predicate_lowercase("t0"."nick") >= ? AND predicate_lowercase("t0"."nick") < ? ["ad", "ae"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: "t0"."nick" ~ $1::text ["^[Aa][Dd]"]
            mysql: `t0`.`nick` REGEXP ? ["\\A[Aa][Dd]"]
            duckdb: regexp_matches("t0"."nick", $1) ["^[Aa][Dd]"]
            clickhouse: match(`t0`.`nick`, {p1:String}) ["^[Aa][Dd]"]
            spark: rlike(`t0`.`nick`, CAST(:p1 AS STRING)) ["\\A[Aa][Dd]"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"debt > 1.25"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."debt" >= ? [12500000001]
            postgresql: "t0"."debt" >= $1::numeric [1.2500000001]
            mysql: `t0`.`debt` >= ? [1.2500000001]
            duckdb: "t0"."debt" >= CAST($1 AS DECIMAL(38, 10)) ["1.2500000001"]
            clickhouse: `t0`.`debt` >= toDecimal128({p1:String}, 10) ["1.2500000001"]
            spark: `t0`.`debt` >= CAST(CAST(:p1 AS STRING) AS DECIMAL(38, 10)) ["1.2500000001"]
            """#),
        Case(
            #"debt == boss.debt"#, [],
            #"""
            sqlite sqlite-plain: "t0"."debt" IS "t1"."debt" []
            postgresql duckdb ansi: "t0"."debt" IS NOT DISTINCT FROM "t1"."debt" []
            mysql spark: `t0`.`debt` <=> `t1`.`debt` []
            clickhouse: `t0`.`debt` IS NOT DISTINCT FROM `t1`.`debt` []
            """#),
        Case(
            #"vip < boss.vip"#, [],
            #"""
            sqlite sqlite-plain: "t0"."vip" < "t1"."vip" []
            postgresql: CAST("t0"."vip" AS integer) < CAST("t1"."vip" AS integer) []
            mysql: `t0`.`vip` < `t1`.`vip` []
            duckdb: CAST("t0"."vip" AS INTEGER) < CAST("t1"."vip" AS INTEGER) []
            clickhouse: toInt8(`t0`.`vip`) < toInt8(`t1`.`vip`) []
            spark: CAST(`t0`.`vip` AS INT) < CAST(`t1`.`vip` AS INT) []
            ansi: ~ TRUE []
            """#),
        Case(
            #"active >= rank"#, [],
            #"""
            sqlite sqlite-plain: "t0"."active" >= "t0"."rank" []
            postgresql: CAST("t0"."active" AS integer) >= "t0"."rank" []
            mysql: `t0`.`active` >= `t0`.`rank` []
            duckdb: CAST("t0"."active" AS INTEGER) >= "t0"."rank" []
            clickhouse: toInt8(`t0`.`active`) >= `t0`.`rank` []
            spark: CAST(`t0`.`active` AS INT) >= `t0`.`rank` []
            ansi: ~ TRUE []
            """#),
        Case(
            #"CAST(born, 'NSNumber') > 5"#, [],
            #"""
            sqlite sqlite-plain ansi: "t0"."born" > ? [5.0]
            postgresql: "t0"."born" > $1::float8 [5.0]
            mysql: `t0`.`born` > ? [5.0]
            duckdb: "t0"."born" > $1 [5.0]
            clickhouse: `t0`.`born` > {p1:Float64} [5.0]
            spark: `t0`.`born` > CAST(:p1 AS DOUBLE) [5.0]
            """#),
        Case(
            #"orders.@count > age"#, [],
            #"""
            sqlite sqlite-plain duckdb ansi: (SELECT COUNT(*) FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") > "t0"."age_years" []
            postgresql: COALESCE("t1"."value", 0) > "t0"."age_years" []
            mysql spark: (SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`) > `t0`.`age_years` []
            clickhouse: COALESCE((SELECT COUNT(*) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`), 0) > `t0`.`age_years` []
            """#),
        Case(
            #"orders.@max.total == rank"#, [],
            #"""
            sqlite sqlite-plain duckdb ansi: (SELECT MAX("t1"."total") FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") = "t0"."rank" []
            postgresql: "t1"."value" = "t0"."rank" []
            mysql clickhouse spark: (SELECT MAX(`t1`.`total`) FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`) = `t0`.`rank` []
            """#),
        Case(
            #"boss == boss.boss"#, [],
            #"""
            sqlite sqlite-plain: "t0"."boss_id" IS "t1"."boss_id" []
            postgresql duckdb ansi: "t0"."boss_id" IS NOT DISTINCT FROM "t1"."boss_id" []
            mysql spark: `t0`.`boss_id` <=> `t1`.`boss_id` []
            clickhouse: `t0`.`boss_id` IS NOT DISTINCT FROM `t1`.`boss_id` []
            """#),
        Case(
            #"SELF == boss"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb ansi: "t0"."id" = "t0"."boss_id" []
            mysql clickhouse spark: `t0`.`id` = `t0`.`boss_id` []
            """#),
        Case(
            #"name ==[cd] nick"#, [],
            #"""
            sqlite: predicate_equal("t0"."name", "t0"."nick", 'cd') []
            sqlite-plain: ~ 1 = 1 []
            postgresql mysql duckdb clickhouse spark ansi: ~ TRUE []
            """#),
        Case(
            #"name LIKE[c] "a*""#, [],
            #"""
            sqlite: predicate_like("t0"."name", ?, 'c') ["a*"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: "t0"."name" ~ $1::text ["^(?:ẚ|[Aa](?:[^\\x300-\\x344\\x346-\\x36F\\x483-҉\\x591…]|$))"]
            mysql: `t0`.`name` REGEXP ? ["\\A(?:ẚ|[Aa](?:[^\\x{300}-\\x{344}\\x{346}-\\x{36F}\\x{4…]|\\z))"]
            duckdb: regexp_matches("t0"."name", $1) ["^(?:ẚ|[Aa](?:[^\\x{300}-\\x{344}\\x{346}-\\x{36F}\\x{4…]|$))"]
            clickhouse: match(`t0`.`name`, {p1:String}) ["^(?:ẚ|[Aa](?:[^\\x{300}-\\x{344}\\x{346}-\\x{36F}\\x{4…]|$))"]
            spark: rlike(`t0`.`name`, CAST(:p1 AS STRING)) ["\\A(?:ẚ|[Aa](?:[^\\x{300}-\\x{344}\\x{346}-\\x{36F}\\x{4…]|\\z))"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"name MATCHES "a[bc]d+""#, [],
            #"""
            sqlite: "t0"."name" >= ? AND "t0"."name" < ? AND predicate_matches("t0"."name", ?, '') ["a", "b", "a[bc]d+"]
            sqlite-plain: ~ "t0"."name" >= ? AND "t0"."name" < ? AND instr("t0"."name", ?) > 0 ["a", "b", "d"]
            postgresql: "t0"."name" >= $1::text AND "t0"."name" < $2::text AND "t0"."name" ~ $3::text ["a", "b", "^a[bc]d+$"]
            mysql: `t0`.`name` >= ? AND `t0`.`name` < ? AND `t0`.`name` REGEXP ? ["a", "b", "\\Aa[bc]d+\\z"]
            duckdb: "t0"."name" >= $1 AND "t0"."name" < $2 AND regexp_matches("t0"."name", $3) ["a", "b", "^a[bc]d+$"]
            clickhouse: `t0`.`name` >= {p1:String} AND `t0`.`name` < {p2:String} AND match(`t0`.`name`, {p3:String}) ["a", "b", "^a[bc]d+$"]
            spark: `t0`.`name` >= CAST(:p1 AS STRING) AND `t0`.`name` < CAST(:p2 AS STRING) AND rlike(`t0`.`name`, CAST(:p3 AS STRING)) ["a", "b", "\\Aa[bc]d+\\z"]
            ansi: ~ "t0"."name" >= ? AND "t0"."name" < ? AND POSITION(? IN "t0"."name") > 0 ["a", "b", "d"]
            """#),
        Case(
            #"name MATCHES "(ab|a)c*""#, [],
            #"""
            sqlite: predicate_matches("t0"."name", ?, '') ["(ab|a)c*"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: "t0"."name" ~ $1::text ["^(?:a|ab)c*$"]
            mysql spark ansi: ~ TRUE []
            duckdb: regexp_matches("t0"."name", $1) ["^(?:a|ab)c*$"]
            clickhouse: match(`t0`.`name`, {p1:String}) ["^(?:a|ab)c*$"]
            """#),
        Case(
            #"age ** 2 == 4"#, [],
            #"""
            sqlite sqlite-plain: ~ 1 = 1 []
            postgresql mysql duckdb clickhouse spark ansi: ~ TRUE []
            """#),
        Case(
            #"now() > born"#, [],
            #"""
            sqlite sqlite-plain: ~ 1 = 1 []
            postgresql mysql duckdb clickhouse spark ansi: ~ TRUE []
            """#),
        Case(
            #"SUBQUERY(orders, $o, $o.total / $o.owner.age > 1).@count == 0"#, [],
            #"""
            sqlite sqlite-plain: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" LEFT JOIN "person" AS "t2" ON "t2"."id" = "t1"."person_id" WHERE "t1"."person_id" = "t0"."id" AND (CASE WHEN typeof("t1"."total" / "t2"."age_years") = 'integer' THEN "t1"."total" / "t2"."age_years" END > ?) IS NOT TRUE AND (CASE WHEN typeof("t1"."total" / "t2"."age_years") = 'integer' THEN "t1"."total" / "t2"."age_years" END IS NULL AND "t1"."total" IS NOT NULL AND "t2"."age_years" IS NOT NULL OR CASE WHEN typeof("t1"."total" / "t2"."age_years") = 'integer' THEN "t1"."total" / "t2"."age_years" END > ?)) AND NOT EXISTS (SELECT 1 FROM "orders" AS "t1" LEFT JOIN "person" AS "t2" ON "t2"."id" = "t1"."person_id" WHERE "t1"."person_id" = "t0"."id" AND CASE WHEN typeof("t1"."total" / "t2"."age_years") = 'integer' THEN "t1"."total" / "t2"."age_years" END > ?) [1, 1, 1]
            postgresql: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" LEFT JOIN "person" AS "t2" ON "t2"."id" = "t1"."person_id" WHERE "t1"."person_id" = "t0"."id" AND (NULLIF(NULLIF(GREATEST(LEAST(div(CAST("t1"."total" AS numeric), NULLIF(CAST("t2"."age_years" AS numeric), 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $1::bigint) IS NOT TRUE AND (NULLIF(NULLIF(GREATEST(LEAST(div(CAST("t1"."total" AS numeric), NULLIF(CAST("t2"."age_years" AS numeric), 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NULL AND "t1"."total" IS NOT NULL AND "t2"."age_years" IS NOT NULL OR NULLIF(NULLIF(GREATEST(LEAST(div(CAST("t1"."total" AS numeric), NULLIF(CAST("t2"."age_years" AS numeric), 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $2::bigint)) AND NOT EXISTS (SELECT 1 FROM "orders" AS "t1" LEFT JOIN "person" AS "t2" ON "t2"."id" = "t1"."person_id" WHERE "t1"."person_id" = "t0"."id" AND NULLIF(NULLIF(GREATEST(LEAST(div(CAST("t1"."total" AS numeric), NULLIF(CAST("t2"."age_years" AS numeric), 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $3::bigint) [1, 1, 1]
            mysql: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` LEFT JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`person_id` WHERE `t1`.`person_id` = `t0`.`id` AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` = -1 THEN 0 - CAST(`t1`.`total` AS DECIMAL(65)) WHEN `t2`.`age_years` <> 0 THEN CAST(`t1`.`total` AS SIGNED) DIV CAST(`t2`.`age_years` AS SIGNED) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > ?) IS NOT TRUE AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` = -1 THEN 0 - CAST(`t1`.`total` AS DECIMAL(65)) WHEN `t2`.`age_years` <> 0 THEN CAST(`t1`.`total` AS SIGNED) DIV CAST(`t2`.`age_years` AS SIGNED) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NULL AND `t1`.`total` IS NOT NULL AND `t2`.`age_years` IS NOT NULL OR NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` = -1 THEN 0 - CAST(`t1`.`total` AS DECIMAL(65)) WHEN `t2`.`age_years` <> 0 THEN CAST(`t1`.`total` AS SIGNED) DIV CAST(`t2`.`age_years` AS SIGNED) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > ?)) AND NOT EXISTS (SELECT 1 FROM `orders` AS `t1` LEFT JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`person_id` WHERE `t1`.`person_id` = `t0`.`id` AND NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` = -1 THEN 0 - CAST(`t1`.`total` AS DECIMAL(65)) WHEN `t2`.`age_years` <> 0 THEN CAST(`t1`.`total` AS SIGNED) DIV CAST(`t2`.`age_years` AS SIGNED) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > ?) [1, 1, 1]
            duckdb: NOT EXISTS (SELECT 1 FROM "orders" AS "t1" LEFT JOIN (SELECT * FROM "person" OFFSET 0) AS "t2" ON "t2"."id" = "t1"."person_id" WHERE "t1"."person_id" = "t0"."id" AND (NULLIF(NULLIF(GREATEST(LEAST(CAST("t1"."total" AS HUGEINT) // NULLIF(CAST("t2"."age_years" AS HUGEINT), 0), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $1) IS NOT TRUE AND (NULLIF(NULLIF(GREATEST(LEAST(CAST("t1"."total" AS HUGEINT) // NULLIF(CAST("t2"."age_years" AS HUGEINT), 0), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NULL AND "t1"."total" IS NOT NULL AND "t2"."age_years" IS NOT NULL OR NULLIF(NULLIF(GREATEST(LEAST(CAST("t1"."total" AS HUGEINT) // NULLIF(CAST("t2"."age_years" AS HUGEINT), 0), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $2)) AND NOT EXISTS (SELECT 1 FROM "orders" AS "t1" LEFT JOIN (SELECT * FROM "person" OFFSET 0) AS "t2" ON "t2"."id" = "t1"."person_id" WHERE "t1"."person_id" = "t0"."id" AND NULLIF(NULLIF(GREATEST(LEAST(CAST("t1"."total" AS HUGEINT) // NULLIF(CAST("t2"."age_years" AS HUGEINT), 0), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > $3) [1, 1, 1]
            clickhouse: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` LEFT JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`person_id` WHERE `t1`.`person_id` = `t0`.`id` AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` <> 0 THEN intDivOrZero(toInt128(`t1`.`total`), toInt128(`t2`.`age_years`)) END, toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) > {p1:Int64}) IS NOT TRUE AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` <> 0 THEN intDivOrZero(toInt128(`t1`.`total`), toInt128(`t2`.`age_years`)) END, toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) IS NULL AND `t1`.`total` IS NOT NULL AND `t2`.`age_years` IS NOT NULL OR NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` <> 0 THEN intDivOrZero(toInt128(`t1`.`total`), toInt128(`t2`.`age_years`)) END, toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) > {p2:Int64})) AND NOT EXISTS (SELECT 1 FROM `orders` AS `t1` LEFT JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`person_id` WHERE `t1`.`person_id` = `t0`.`id` AND NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` <> 0 THEN intDivOrZero(toInt128(`t1`.`total`), toInt128(`t2`.`age_years`)) END, toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) > {p3:Int64}) [1, 1, 1]
            spark: NOT EXISTS (SELECT 1 FROM `orders` AS `t1` LEFT JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`person_id` WHERE `t1`.`person_id` = `t0`.`id` AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` = -1 THEN 0 - CAST(`t1`.`total` AS DECIMAL(19, 0)) WHEN `t2`.`age_years` <> 0 THEN CAST(`t1`.`total` DIV `t2`.`age_years` AS DECIMAL(20, 0)) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > CAST(:p1 AS BIGINT)) IS NOT TRUE AND (NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` = -1 THEN 0 - CAST(`t1`.`total` AS DECIMAL(19, 0)) WHEN `t2`.`age_years` <> 0 THEN CAST(`t1`.`total` DIV `t2`.`age_years` AS DECIMAL(20, 0)) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NULL AND `t1`.`total` IS NOT NULL AND `t2`.`age_years` IS NOT NULL OR NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` = -1 THEN 0 - CAST(`t1`.`total` AS DECIMAL(19, 0)) WHEN `t2`.`age_years` <> 0 THEN CAST(`t1`.`total` DIV `t2`.`age_years` AS DECIMAL(20, 0)) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > CAST(:p2 AS BIGINT))) AND NOT EXISTS (SELECT 1 FROM `orders` AS `t1` LEFT JOIN `person` AS `t2` ON `t2`.`id` = `t1`.`person_id` WHERE `t1`.`person_id` = `t0`.`id` AND NULLIF(NULLIF(GREATEST(LEAST(CASE WHEN `t2`.`age_years` = -1 THEN 0 - CAST(`t1`.`total` AS DECIMAL(19, 0)) WHEN `t2`.`age_years` <> 0 THEN CAST(`t1`.`total` DIV `t2`.`age_years` AS DECIMAL(20, 0)) END, 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) > CAST(:p3 AS BIGINT)) [1, 1, 1]
            ansi: ~ TRUE []
            """#),
        Case(
            #"ANY orders.total > rank + 1"#, [],
            #"""
            sqlite sqlite-plain: CASE WHEN typeof("t0"."rank" + ?) = 'integer' THEN "t0"."rank" + ? END IS NOT NULL AND EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > CASE WHEN typeof("t0"."rank" + ?) = 'integer' THEN "t0"."rank" + ? END) [1, 1, 1, 1]
            postgresql: NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS numeric) + CAST($1::bigint AS numeric), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL AND EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS numeric) + CAST($2::bigint AS numeric), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809)) [1, 1]
            mysql: NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(65)) + CAST(? AS DECIMAL(65)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL AND EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(65)) + CAST(? AS DECIMAL(65)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809)) [1, 1]
            duckdb: NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS HUGEINT) + CAST($1 AS HUGEINT), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL AND EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS HUGEINT) + CAST($2 AS HUGEINT), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809)) [1, 1]
            clickhouse: NULLIF(NULLIF(GREATEST(LEAST(toInt128(`t0`.`rank`) + toInt128({p1:Int64}), toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) IS NOT NULL AND EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > NULLIF(NULLIF(GREATEST(LEAST(toInt128(`t0`.`rank`) + toInt128({p2:Int64}), toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809'))) [1, 1]
            spark: NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(19, 0)) + CAST(CAST(:p1 AS BIGINT) AS DECIMAL(19, 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL AND EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND `t1`.`total` > NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(19, 0)) + CAST(CAST(:p2 AS BIGINT) AS DECIMAL(19, 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809)) [1, 1]
            ansi: ~ EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") []
            """#),
        Case(
            #"ALL orders.total > rank * age"#, [],
            #"""
            sqlite sqlite-plain: (CASE WHEN typeof("t0"."rank" * "t0"."age_years") = 'integer' THEN "t0"."rank" * "t0"."age_years" END IS NOT NULL OR "t0"."age_years" IS NULL) AND NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND (CASE WHEN typeof("t0"."rank" * "t0"."age_years") = 'integer' THEN "t0"."rank" * "t0"."age_years" END IS NOT NULL OR "t0"."age_years" IS NULL) AND ("t1"."total" > CASE WHEN typeof("t0"."rank" * "t0"."age_years") = 'integer' THEN "t0"."rank" * "t0"."age_years" END) IS NOT TRUE) []
            postgresql: (NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS numeric) * CAST("t0"."age_years" AS numeric), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR "t0"."age_years" IS NULL) AND NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND (NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS numeric) * CAST("t0"."age_years" AS numeric), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR "t0"."age_years" IS NULL) AND ("t1"."total" > NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS numeric) * CAST("t0"."age_years" AS numeric), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809)) IS NOT TRUE) []
            mysql: (NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(65)) * CAST(`t0`.`age_years` AS DECIMAL(65)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR `t0`.`age_years` IS NULL) AND NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND (NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(65)) * CAST(`t0`.`age_years` AS DECIMAL(65)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR `t0`.`age_years` IS NULL) AND (`t1`.`total` > NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(65)) * CAST(`t0`.`age_years` AS DECIMAL(65)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809)) IS NOT TRUE) []
            duckdb: (NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS HUGEINT) * CAST("t0"."age_years" AS HUGEINT), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR "t0"."age_years" IS NULL) AND NOT EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND (NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS HUGEINT) * CAST("t0"."age_years" AS HUGEINT), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR "t0"."age_years" IS NULL) AND ("t1"."total" > NULLIF(NULLIF(GREATEST(LEAST(CAST("t0"."rank" AS HUGEINT) * CAST("t0"."age_years" AS HUGEINT), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809)) IS NOT TRUE) []
            clickhouse: (NULLIF(NULLIF(GREATEST(LEAST(toInt128(`t0`.`rank`) * toInt128(`t0`.`age_years`), toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) IS NOT NULL OR `t0`.`age_years` IS NULL) AND (`t0`.`age_years` IS NULL OR NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND (NULLIF(NULLIF(GREATEST(LEAST(toInt128(`t0`.`rank`) * toInt128(`t0`.`age_years`), toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809')) IS NOT NULL OR `t0`.`age_years` IS NULL) AND (`t1`.`total` > NULLIF(NULLIF(GREATEST(LEAST(toInt128(`t0`.`rank`) * toInt128(`t0`.`age_years`), toInt128('9223372036854775808')), toInt128('-9223372036854775809')), toInt128('9223372036854775808')), toInt128('-9223372036854775809'))) IS NOT TRUE)) AND (`t0`.`age_years` IS NOT NULL OR NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id`)) []
            spark: (NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(19, 0)) * CAST(`t0`.`age_years` AS DECIMAL(19, 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR `t0`.`age_years` IS NULL) AND NOT EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND (NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(19, 0)) * CAST(`t0`.`age_years` AS DECIMAL(19, 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809) IS NOT NULL OR `t0`.`age_years` IS NULL) AND (`t1`.`total` > NULLIF(NULLIF(GREATEST(LEAST(CAST(`t0`.`rank` AS DECIMAL(19, 0)) * CAST(`t0`.`age_years` AS DECIMAL(19, 0)), 9223372036854775808), -9223372036854775809), 9223372036854775808), -9223372036854775809)) IS NOT TRUE) []
            ansi: ~ TRUE []
            """#),
        Case(
            #"rank IN %@"#, [.array((0..<70).map { .integer($0) })],
            #"""
            sqlite sqlite-plain: "t0"."rank" IN (SELECT value FROM json_each(?)) ["[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69]"]
            postgresql: "t0"."rank" = ANY (ARRAY(SELECT CAST(jsonb_array_elements_text(CAST($1::text AS jsonb)) AS bigint))) ["[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69]"]
            mysql: `t0`.`rank` IN (SELECT v FROM JSON_TABLE(?, '$[*]' COLUMNS (v BIGINT PATH '$')) AS list) ["[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69]"]
            duckdb: "t0"."rank" IN (SELECT unnest(from_json($1, '["BIGINT"]'))) ["[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69]"]
            clickhouse: has(JSONExtract({p1:String}, 'Array(Int64)'), `t0`.`rank`) ["[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69]"]
            spark: array_contains(from_json(CAST(:p1 AS STRING), 'array<bigint>'), `t0`.`rank`) ["[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69]"]
            ansi: "t0"."rank" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69]
            """#),
        Case(
            #"height < %@"#, [.double(.infinity)],
            #"""
            sqlite sqlite-plain ansi: "t0"."height" < ? [inf]
            postgresql: "t0"."height" < $1::float8 [inf]
            mysql: `t0`.`height` IS NOT NULL []
            duckdb: "t0"."height" < $1 [inf]
            clickhouse: `t0`.`height` < {p1:Float64} [inf]
            spark: `t0`.`height` < CAST(:p1 AS DOUBLE) [inf]
            """#),
    ]
}
