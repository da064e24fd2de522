// What Apple's module SwiftUI declares, as far as the view of the article "Filter editors" uses it, from Apple's
// documentation. For type checks only. All of it is in macOS 13.

// MARK: - Views

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

/// A view without a body of its own. Apple's module has no such protocol.
public protocol _Leaf: View where Body == Never {}
extension _Leaf {
    public typealias Body = Never
    public var body: Never { fatalError() }
}
extension Never: _Leaf {}
extension Optional: View, _Leaf where Wrapped: View {}

public struct EmptyView: _Leaf {}
public struct TupleView<T>: _Leaf {}
public struct _ConditionalContent<TrueContent, FalseContent> {}
extension _ConditionalContent: View, _Leaf where TrueContent: View, FalseContent: View {}

@resultBuilder public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { fatalError() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        fatalError()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<T: View, F: View>(first: T) -> _ConditionalContent<T, F> { fatalError() }
    public static func buildEither<T: View, F: View>(second: F) -> _ConditionalContent<T, F> { fatalError() }
}

extension View {
    public func tag<V: Hashable>(_ tag: V) -> some View { EmptyView() }
}

// MARK: - Bindings

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { self }
    public init(projectedValue: Binding<Value>) { self = projectedValue }
    // The documentation leaves out that the closures inherit the actor of the place where they are written.
    @preconcurrency public init(
        @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
        @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) { fatalError() }
    public init<V>(_ base: Binding<V>) where Value == V? { fatalError() }
    public init?(_ base: Binding<Value?>) { fatalError() }
    public init<V: Hashable>(_ base: Binding<V>) where Value == AnyHashable { fatalError() }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}

// MARK: - Texts

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
}

public struct Font: Hashable, Sendable {
    public static let caption = Font()
}

public struct Text: _Leaf {
    public init(_ key: LocalizedStringKey) {}
    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) {}
    public nonisolated func font(_ font: Font?) -> Text { self }
}

public struct Image: _Leaf {}
public struct Label<Title: View, Icon: View>: _Leaf {}

// MARK: - Containers and controls

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View, _Leaf where Content: View {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable { fatalError() }
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        fatalError()
    }
    public init<C: MutableCollection & RandomAccessCollection>(
        _ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    ) where Data == LazyMapSequence<C.Indices, (C.Index, ID)>, ID == C.Element.ID, C.Element: Identifiable, C.Index: Hashable {
        fatalError()
    }
}

public struct HStack<Content: View>: _Leaf {
    public init(@ViewBuilder content: () -> Content) { fatalError() }
}
public struct GroupBox<Label: View, Content: View>: _Leaf {}
extension GroupBox where Label == EmptyView { public init(@ViewBuilder content: () -> Content) { fatalError() } }

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: _Leaf {}
extension Picker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { fatalError() }
}
public struct Button<Label: View>: _Leaf {}
extension Button where Label == SwiftUI.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void) { fatalError() }
}
public struct Stepper<Label: View>: _Leaf {}
extension Stepper where Label == Text {
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) { fatalError() }
}
public struct TextField<Label: View>: _Leaf {}
extension TextField where Label == Text {
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { fatalError() }
}
