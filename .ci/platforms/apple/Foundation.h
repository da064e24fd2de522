// Apple's Objective-C declarations that this package uses: stubs for type checks with Objective-C interoperability. Written from Apple's documentation.
#pragma once
#include <stddef.h>
#include <stdarg.h>
#include "ObjectiveC.h"
#pragma clang assume_nonnull begin
@class NSCoder;
@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end
@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end
@protocol NSSecureCoding <NSCoding>
@property (class, readonly) BOOL supportsSecureCoding;
@end
@interface NSCoder : NSObject
@end
typedef struct { unsigned long state; id __unsafe_unretained _Nullable * _Nullable itemsPtr; unsigned long * _Nullable mutationsPtr; unsigned long extra[5]; } NSFastEnumerationState;
@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state objects:(id __unsafe_unretained _Nullable [_Nonnull])buffer count:(NSUInteger)len;
@end
__attribute__((swift_bridge("Swift.String")))
@interface NSString : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
- (instancetype)init;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (readonly) NSUInteger length;
@end
__attribute__((swift_bridge("Swift.Array")))
@interface NSArray<__covariant T> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding, NSFastEnumeration>
- (instancetype)init;
+ (instancetype)arrayWithObject:(T)anObject;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
- (T)objectAtIndexedSubscript:(NSUInteger)idx;
@property (readonly) NSUInteger count;
@end
__attribute__((swift_bridge("Swift.Dictionary")))
@interface NSDictionary<__covariant K, __covariant V> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding, NSFastEnumeration>
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (readonly) NSUInteger count;
@end
@interface NSMutableDictionary<K, V> : NSDictionary<K, V>
@end
__attribute__((swift_bridge("Swift.Set")))
@interface NSSet<__covariant T> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding, NSFastEnumeration>
- (instancetype)init;
- (instancetype)initWithArray:(NSArray<T> *)array;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (readonly) NSUInteger count;
@end
@interface NSOrderedSet<__covariant T> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding, NSFastEnumeration>
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (readonly) NSUInteger count;
@end
SENDABLE @interface NSNull : NSObject <NSCopying, NSSecureCoding>
@end
@interface NSValue : NSObject <NSCopying, NSSecureCoding>
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (readonly) const char *objCType;
@end
ENUM(NSInteger, NSComparisonResult, "_OldResult") { NSOrderedAscending_ = -1L, NSOrderedSame_, NSOrderedDescending_ };
SENDABLE @interface NSNumber : NSValue
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
- (NSNumber *)initWithInt:(int)value NAME("init(value:)"); 
- (NSNumber *)initWithInteger:(NSInteger)value NAME("init(value:)");
- (NSNumber *)initWithLongLong:(long long)value NAME("init(value:)");
- (NSNumber *)initWithUnsignedLongLong:(unsigned long long)value NAME("init(value:)");
- (NSNumber *)initWithFloat:(float)value NAME("init(value:)");
- (NSNumber *)initWithDouble:(double)value NAME("init(value:)");
- (NSNumber *)initWithBool:(BOOL)value NAME("init(value:)");
@property (readonly) long long longLongValue NAME("int64Value");
@property (readonly) unsigned long long unsignedLongLongValue NAME("uint64Value");
@property (readonly) float floatValue;
@property (readonly) double doubleValue;
@property (readonly) BOOL boolValue;
@end
SENDABLE @interface NSDecimalNumber : NSNumber
- (instancetype)initWithString:(nullable NSString *)numberValue;
@end
SENDABLE @interface NSDate : NSObject <NSCopying, NSSecureCoding>
@end
SENDABLE @interface NSUUID : NSObject <NSCopying, NSSecureCoding>
@end
SENDABLE @interface NSURL : NSObject <NSCopying, NSSecureCoding>
@end
@interface NSData : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@end
NSString *NSStringFromSelector(SEL aSelector);
@class NSPredicate;
OPTIONS(NSUInteger, NSComparisonPredicateOptions, "NSComparisonPredicate.Options") {
    NSCaseInsensitivePredicateOption NAME("caseInsensitive") = 1, NSDiacriticInsensitivePredicateOption NAME("diacriticInsensitive") = 2, NSNormalizedPredicateOption NAME("normalized") = 4 };
ENUM(NSUInteger, NSComparisonPredicateModifier, "NSComparisonPredicate.Modifier") {
    NSDirectPredicateModifier NAME("direct") = 0, NSAllPredicateModifier NAME("all"), NSAnyPredicateModifier NAME("any") };
ENUM(NSUInteger, NSPredicateOperatorType, "NSComparisonPredicate.Operator") {
    NSLessThanPredicateOperatorType NAME("lessThan") = 0, NSLessThanOrEqualToPredicateOperatorType NAME("lessThanOrEqualTo"), NSGreaterThanPredicateOperatorType NAME("greaterThan"),
    NSGreaterThanOrEqualToPredicateOperatorType NAME("greaterThanOrEqualTo"), NSEqualToPredicateOperatorType NAME("equalTo"), NSNotEqualToPredicateOperatorType NAME("notEqualTo"),
    NSMatchesPredicateOperatorType NAME("matches"), NSLikePredicateOperatorType NAME("like"), NSBeginsWithPredicateOperatorType NAME("beginsWith"),
    NSEndsWithPredicateOperatorType NAME("endsWith"), NSInPredicateOperatorType NAME("in"), NSCustomSelectorPredicateOperatorType NAME("customSelector"),
    NSContainsPredicateOperatorType NAME("contains") = 99, NSBetweenPredicateOperatorType NAME("between") };
ENUM(NSUInteger, NSCompoundPredicateType, "NSCompoundPredicate.LogicalType") { NSNotPredicateType NAME("not") = 0, NSAndPredicateType NAME("and"), NSOrPredicateType NAME("or") };
ENUM(NSUInteger, NSExpressionType, "NSExpression.ExpressionType") {
    NSConstantValueExpressionType NAME("constantValue") = 0, NSEvaluatedObjectExpressionType NAME("evaluatedObject"), NSVariableExpressionType NAME("variable"),
    NSKeyPathExpressionType NAME("keyPath"), NSFunctionExpressionType NAME("function"), NSUnionSetExpressionType NAME("unionSet"), NSIntersectSetExpressionType NAME("intersectSet"),
    NSMinusSetExpressionType NAME("minusSet"), NSSubqueryExpressionType NAME("subquery") = 13, NSAggregateExpressionType NAME("aggregate"), NSAnyKeyExpressionType NAME("anyKey") = 15,
    NSBlockExpressionType NAME("block") = 19, NSConditionalExpressionType NAME("conditional") = 20 };
@interface NSPredicate : NSObject <NSSecureCoding, NSCopying>
+ (NSPredicate *)predicateWithFormat:(NSString *)predicateFormat argumentArray:(nullable NSArray *)arguments;
+ (NSPredicate *)predicateWithFormat:(NSString *)predicateFormat, ...;
+ (NSPredicate *)predicateWithFormat:(NSString *)predicateFormat arguments:(va_list)argList;
+ (nullable NSPredicate *)predicateFromMetadataQueryString:(NSString *)queryString AVAILABLE(10.9);
+ (NSPredicate *)predicateWithValue:(BOOL)value;
+ (NSPredicate *)predicateWithBlock:(BOOL (^)(id _Nullable evaluatedObject, NSDictionary<NSString *, id> * _Nullable bindings))block;
@property (readonly, copy) NSString *predicateFormat;
- (instancetype)predicateWithSubstitutionVariables:(NSDictionary<NSString *, id> *)variables;
- (BOOL)evaluateWithObject:(nullable id)object;
- (BOOL)evaluateWithObject:(nullable id)object substitutionVariables:(nullable NSDictionary<NSString *, id> *)bindings;
- (void)allowEvaluation;
@end
@interface NSExpression : NSObject <NSSecureCoding, NSCopying>
+ (NSExpression *)expressionWithFormat:(NSString *)expressionFormat argumentArray:(NSArray *)arguments;
+ (NSExpression *)expressionForConstantValue:(nullable id)obj;
+ (NSExpression *)expressionForEvaluatedObject;
+ (NSExpression *)expressionForVariable:(NSString *)string;
+ (NSExpression *)expressionForKeyPath:(NSString *)keyPath;
- (instancetype)initWithExpressionType:(NSExpressionType)type;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (readonly) NSExpressionType expressionType;
@property (nullable, readonly, retain) id constantValue;
@property (readonly, copy) NSString *keyPath;
@property (readonly, copy) NSString *function;
@property (readonly, copy) NSString *variable;
@property (readonly, copy) NSExpression *operand;
@property (nullable, readonly, copy) NSArray<NSExpression *> *arguments;
@property (readonly, retain) id collection;
@property (readonly, copy) NSPredicate *predicate;
@property (readonly, copy) NSExpression *leftExpression NAME("left");
@property (readonly, copy) NSExpression *rightExpression NAME("right");
@property (readonly, copy) NSExpression *trueExpression NAME("true");
@property (readonly, copy) NSExpression *falseExpression NAME("false");
- (void)allowEvaluation;
@end
@interface NSComparisonPredicate : NSPredicate
- (instancetype)initWithLeftExpression:(NSExpression *)lhs rightExpression:(NSExpression *)rhs modifier:(NSComparisonPredicateModifier)modifier type:(NSPredicateOperatorType)type options:(NSComparisonPredicateOptions)options;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (readonly) NSPredicateOperatorType predicateOperatorType;
@property (readonly) NSComparisonPredicateModifier comparisonPredicateModifier;
@property (readonly, retain) NSExpression *leftExpression;
@property (readonly, retain) NSExpression *rightExpression;
@property (nullable, readonly) SEL customSelector;
@property (readonly) NSComparisonPredicateOptions options;
@end
@interface NSCompoundPredicate : NSPredicate
- (instancetype)initWithType:(NSCompoundPredicateType)type subpredicates:(NSArray<NSPredicate *> *)subpredicates;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@property (readonly) NSCompoundPredicateType compoundPredicateType;
@property (readonly, copy) NSArray *subpredicates;
@end
#pragma clang assume_nonnull end
