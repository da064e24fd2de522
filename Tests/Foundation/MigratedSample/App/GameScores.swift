import Foundation
import PredicateFoundation

final class Score: NSObject {
    let player: String
    let points: Int
    let level: String

    init(player: String, points: Int, level: String) {
        self.player = player
        self.points = points
        self.level = level
    }
}

struct GameScores {
    let scores: [Score]

    private static let levels = ["easy", "normal", "hard"]

    func ranking() -> [String] {
        let byLevel = NSSortDescriptor(key: "level", ascending: false) { one, other in
            let first = GameScores.levels.firstIndex(of: one as! String)!
            let second = GameScores.levels.firstIndex(of: other as! String)!
            return (first as NSNumber).compare(second as NSNumber)
        }
        let byPoints = NSSortDescriptor(key: "points", ascending: false)
        let sorted = (scores as NSArray).sortedArray(using: [byLevel, byPoints]) as! [Score]
        return sorted.map { $0.player }
    }

    func average() -> Double {
        let average = NSExpression(
            forFunction: "average:", arguments: [NSExpression(forConstantValue: scores.map { $0.points })])
        return average.expressionValue(with: nil, context: nil) as! Double
    }

    func bonus(_ formula: String, for score: Score) -> Int {
        NSExpression(format: formula).expressionValue(with: score, context: nil) as! Int
    }

    func beaten(by points: Int) -> [Score] {
        scores.filter {
            NSPredicate(format: "points < $mine").evaluate(with: $0, substitutionVariables: ["mine": points])
        }
    }
}
