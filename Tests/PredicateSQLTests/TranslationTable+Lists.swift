// The rows of TranslationTests.swift for list columns, which a dialect translates to a subquery or to a
// function with a lambda.
import PredicateSyntax

extension TranslationTests {
    static let listCases: [Case] = [
        Case(
            #"ANY tags == 'x'"#, [],
            #"""
            sqlite sqlite-plain: EXISTS (SELECT 1 FROM json_each("t0"."tags") AS "t1" WHERE "t1"."value" = ?) ["x"]
            postgresql: $1::text = ANY ("t0"."tags") ["x"]
            mysql: EXISTS (SELECT 1 FROM JSON_TABLE(`t0`.`tags`, '$[*]' COLUMNS (value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$')) AS `t1` WHERE `t1`.`value` = ?) ["x"]
            duckdb: EXISTS (SELECT 1 FROM unnest("t0"."tags") AS "t1"(value) WHERE "t1"."value" = $1) ["x"]
            clickhouse: arrayExists(`t1` -> `t1` = {p1:String}, `t0`.`tags`) ["x"]
            spark: exists(`t0`.`tags`, `t1` -> `t1` = CAST(:p1 AS STRING)) ["x"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"NOT tags CONTAINS nick"#, [],
            #"""
            sqlite sqlite-plain: NOT EXISTS (SELECT 1 FROM json_each("t0"."tags") AS "t1" WHERE "t1"."value" = "t0"."nick") []
            postgresql duckdb: NOT EXISTS (SELECT 1 FROM unnest("t0"."tags") AS "t1"(value) WHERE "t1"."value" = "t0"."nick") []
            mysql: NOT EXISTS (SELECT 1 FROM JSON_TABLE(`t0`.`tags`, '$[*]' COLUMNS (value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$')) AS `t1` WHERE `t1`.`value` = `t0`.`nick`) []
            clickhouse: (arrayExists(`t1` -> `t1` = `t0`.`nick`, `t0`.`tags`)) IS NOT TRUE []
            spark: (exists(`t0`.`tags`, `t1` -> `t1` = `t0`.`nick`)) IS NOT TRUE []
            ansi: ~ TRUE []
            """#),
        Case(
            #"ALL marks > age"#, [],
            #"""
            sqlite sqlite-plain: NOT EXISTS (SELECT 1 FROM json_each("t0"."marks") AS "t1" WHERE ("t1"."value" <= "t0"."age_years" OR "t1"."value" IS NULL OR "t0"."age_years" IS NULL)) []
            postgresql duckdb: NOT EXISTS (SELECT 1 FROM unnest("t0"."marks") AS "t1"(value) WHERE ("t1"."value" <= "t0"."age_years" OR "t1"."value" IS NULL OR "t0"."age_years" IS NULL)) []
            mysql: NOT EXISTS (SELECT 1 FROM JSON_TABLE(`t0`.`marks`, '$[*]' COLUMNS (value BIGINT PATH '$')) AS `t1` WHERE (`t1`.`value` <= `t0`.`age_years` OR `t1`.`value` IS NULL OR `t0`.`age_years` IS NULL)) []
            clickhouse: (arrayExists(`t1` -> `t1` <= `t0`.`age_years` OR `t1` IS NULL OR `t0`.`age_years` IS NULL, `t0`.`marks`)) IS NOT TRUE []
            spark: (exists(`t0`.`marks`, `t1` -> `t1` <= `t0`.`age_years` OR `t1` IS NULL OR `t0`.`age_years` IS NULL)) IS NOT TRUE []
            ansi: ~ TRUE []
            """#),
        Case(
            #"NONE tags BEGINSWITH[c] 'a'"#, [],
            #"""
            sqlite: NOT EXISTS (SELECT 1 FROM json_each("t0"."tags") AS "t1" WHERE predicate_beginswith("t1"."value", ?, 'c')) ["a"]
            sqlite-plain: ~ 1 = 1 []
            postgresql: NOT EXISTS (SELECT 1 FROM unnest("t0"."tags") AS "t1"(value) WHERE "t1"."value" ~ $1::text) ["^(?:ẚ|[Aa](?:[^\\x300-\\x344\\x346-\\x36F\\x483-҉\\x591…]|$))"]
            mysql: NOT EXISTS (SELECT 1 FROM JSON_TABLE(`t0`.`tags`, '$[*]' COLUMNS (value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$')) AS `t1` WHERE `t1`.`value` REGEXP ?) ["\\A(?:ẚ|[Aa](?:[^\\x{300}-\\x{344}\\x{346}-\\x{36F}\\x{4…]|\\z))"]
            duckdb: NOT EXISTS (SELECT 1 FROM unnest("t0"."tags") AS "t1"(value) WHERE regexp_matches("t1"."value", $1)) ["^(?:ẚ|[Aa](?:[^\\x{300}-\\x{344}\\x{346}-\\x{36F}\\x{4…]|$))"]
            clickhouse: (arrayExists(`t1` -> match(`t1`, {p1:String}), `t0`.`tags`)) IS NOT TRUE ["^(?:ẚ|[Aa](?:[^\\x{300}-\\x{344}\\x{346}-\\x{36F}\\x{4…]|$))"]
            spark: (exists(`t0`.`tags`, `t1` -> rlike(`t1`, CAST(:p1 AS STRING)))) IS NOT TRUE ["\\A(?:ẚ|[Aa](?:[^\\x{300}-\\x{344}\\x{346}-\\x{36F}\\x{4…]|\\z))"]
            ansi: ~ TRUE []
            """#),
        Case(
            #"tags == nil OR boss.marks == nil"#, [],
            #"""
            sqlite sqlite-plain postgresql duckdb: "t0"."tags" IS NULL OR "t2"."marks" IS NULL []
            mysql spark: `t0`.`tags` IS NULL OR `t2`.`marks` IS NULL []
            clickhouse: `t2`.`id` IS NULL []
            ansi: "t0"."tags" IS NULL OR "t1"."marks" IS NULL []
            """#),
        Case(
            #"marks[SIZE] > 2 AND tags.@count == 0"#, [],
            #"""
            sqlite sqlite-plain: (SELECT COUNT(*) FROM json_each("t0"."marks") AS "t1") >= ? AND "t0"."tags" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each("t0"."tags") AS "t2") [3]
            postgresql: (SELECT COUNT(*) FROM unnest("t0"."marks") AS "t1"(value)) >= $1::bigint AND "t0"."tags" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM unnest("t0"."tags") AS "t2"(value)) [3]
            mysql: (SELECT COUNT(*) FROM JSON_TABLE(`t0`.`marks`, '$[*]' COLUMNS (value BIGINT PATH '$')) AS `t1`) >= ? AND `t0`.`tags` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM JSON_TABLE(`t0`.`tags`, '$[*]' COLUMNS (value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$')) AS `t2`) [3]
            duckdb: (SELECT COUNT(*) FROM unnest("t0"."marks") AS "t1"(value)) >= $1 AND "t0"."tags" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM unnest("t0"."tags") AS "t2"(value)) [3]
            clickhouse: length(`t0`.`marks`) >= {p1:Int64} AND (length(`t0`.`tags`) > 0) IS NOT TRUE [3]
            spark: size(`t0`.`marks`) >= CAST(:p1 AS BIGINT) AND `t0`.`tags` IS NOT NULL AND (size(`t0`.`tags`) > 0) IS NOT TRUE [3]
            ansi: ~ TRUE []
            """#),
        Case(
            #"SUBQUERY(tags, $t, $t BEGINSWITH 'a' AND $t != nick).@count > 1"#, [],
            #"""
            sqlite sqlite-plain: "t0"."tags" IS NOT NULL AND (SELECT COUNT(*) FROM json_each("t0"."tags") AS "t1" WHERE "t1"."value" >= ? AND "t1"."value" < ? AND "t1"."value" IS NOT "t0"."nick") >= ? ["a", "b", 2]
            postgresql: "t0"."tags" IS NOT NULL AND (SELECT COUNT(*) FROM unnest("t0"."tags") AS "t1"(value) WHERE "t1"."value" >= $1::text AND "t1"."value" < $2::text AND "t1"."value" IS DISTINCT FROM "t0"."nick") >= $3::bigint ["a", "b", 2]
            mysql: `t0`.`tags` IS NOT NULL AND (SELECT COUNT(*) FROM JSON_TABLE(`t0`.`tags`, '$[*]' COLUMNS (value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$')) AS `t1` WHERE `t1`.`value` >= ? AND `t1`.`value` < ? AND NOT (`t1`.`value` <=> `t0`.`nick`)) >= ? ["a", "b", 2]
            duckdb: "t0"."tags" IS NOT NULL AND (SELECT COUNT(*) FROM unnest("t0"."tags") AS "t1"(value) WHERE "t1"."value" >= $1 AND "t1"."value" < $2 AND "t1"."value" IS DISTINCT FROM "t0"."nick") >= $3 ["a", "b", 2]
            clickhouse: arrayCount(`t1` -> `t1` >= {p1:String} AND `t1` < {p2:String} AND `t1` IS DISTINCT FROM `t0`.`nick`, `t0`.`tags`) >= {p3:Int64} ["a", "b", 2]
            spark: `t0`.`tags` IS NOT NULL AND size(filter(`t0`.`tags`, `t1` -> `t1` >= CAST(:p1 AS STRING) AND `t1` < CAST(:p2 AS STRING) AND NOT (`t1` <=> `t0`.`nick`))) >= CAST(:p3 AS BIGINT) ["a", "b", 2]
            ansi: ~ TRUE []
            """#),
        Case(
            #"marks.@count == age"#, [],
            #"""
            sqlite sqlite-plain: (SELECT COUNT(*) FROM json_each("t0"."marks") AS "t1") = "t0"."age_years" []
            postgresql duckdb: (SELECT COUNT(*) FROM unnest("t0"."marks") AS "t1"(value)) = "t0"."age_years" []
            mysql: (SELECT COUNT(*) FROM JSON_TABLE(`t0`.`marks`, '$[*]' COLUMNS (value BIGINT PATH '$')) AS `t1`) = `t0`.`age_years` []
            clickhouse: length(`t0`.`marks`) = `t0`.`age_years` []
            spark: size(`t0`.`marks`) = `t0`.`age_years` []
            ansi: ~ TRUE []
            """#),
        Case(
            #"SUBQUERY(orders, $o, ANY $o.labels == nick).@count > 0"#, [],
            #"""
            sqlite sqlite-plain: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND EXISTS (SELECT 1 FROM json_each("t1"."labels") AS "t2" WHERE "t2"."value" IS "t0"."nick")) []
            postgresql duckdb: EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND EXISTS (SELECT 1 FROM unnest("t1"."labels") AS "t2"(value) WHERE "t2"."value" IS NOT DISTINCT FROM "t0"."nick")) []
            mysql: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND EXISTS (SELECT 1 FROM JSON_TABLE(`t1`.`labels`, '$[*]' COLUMNS (value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$')) AS `t2` WHERE `t2`.`value` <=> `t0`.`nick`)) []
            clickhouse: `t0`.`nick` IS NOT NULL AND EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND arrayExists(`t2` -> `t2` IS NOT DISTINCT FROM `t0`.`nick`, `t1`.`labels`)) OR `t0`.`nick` IS NULL AND EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND arrayExists(`t2` -> `t2` IS NULL, `t1`.`labels`)) []
            spark: EXISTS (SELECT 1 FROM `orders` AS `t1` WHERE `t1`.`person_id` = `t0`.`id` AND exists(`t1`.`labels`, `t2` -> `t2` <=> `t0`.`nick`)) []
            ansi: ~ EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id") []
            """#),
        Case(
            #"SUBQUERY(tags, $t, $t == 'x' AND ANY orders.note == $t).@count > 0"#, [],
            #"""
            sqlite sqlite-plain: "t0"."tags" IS NOT NULL AND EXISTS (SELECT 1 FROM json_each("t0"."tags") AS "t1" WHERE "t1"."value" = ? AND EXISTS (SELECT 1 FROM "orders" AS "t2" WHERE "t2"."person_id" = "t0"."id" AND "t2"."note" IS "t1"."value")) ["x"]
            postgresql: "t0"."tags" IS NOT NULL AND EXISTS (SELECT 1 FROM unnest("t0"."tags") AS "t1"(value) WHERE "t1"."value" = $1::text AND EXISTS (SELECT 1 FROM "orders" AS "t2" WHERE "t2"."person_id" = "t0"."id" AND "t2"."note" IS NOT DISTINCT FROM "t1"."value")) ["x"]
            mysql: `t0`.`tags` IS NOT NULL AND EXISTS (SELECT 1 FROM JSON_TABLE(`t0`.`tags`, '$[*]' COLUMNS (value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin PATH '$')) AS `t1` WHERE `t1`.`value` = ? AND EXISTS (SELECT 1 FROM `orders` AS `t2` WHERE `t2`.`person_id` = `t0`.`id` AND `t2`.`note` <=> `t1`.`value`)) ["x"]
            duckdb: "t0"."tags" IS NOT NULL AND EXISTS (SELECT 1 FROM unnest("t0"."tags") AS "t1"(value) WHERE "t1"."value" = $1 AND EXISTS (SELECT 1 FROM "orders" AS "t2" WHERE "t2"."person_id" = "t0"."id" AND "t2"."note" IS NOT DISTINCT FROM "t1"."value")) ["x"]
            clickhouse: ~ arrayExists(`t1` -> `t1` = {p1:String}, `t0`.`tags`) ["x"]
            spark: ~ `t0`.`tags` IS NOT NULL AND exists(`t0`.`tags`, `t1` -> `t1` = CAST(:p1 AS STRING)) ["x"]
            ansi: ~ TRUE []
            """#),
    ]
}
