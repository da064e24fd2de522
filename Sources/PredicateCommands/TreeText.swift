// The other forms of a tree as text.

import PredicateModel

extension PredicateText {
    var treeText: String { canonical }
    var pretty: String { canonical }
}
