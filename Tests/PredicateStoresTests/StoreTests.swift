// placeholder
import PredicateStores
import Testing
