// The routes. A mistake in a filter is 400 with JSON, which a client can underline; nothing that is typed is 500.

import Foundation
import Hummingbird

/// - Parameter deadline: the time of one answer.
func bookRoutes(_ library: Library, deadline: Duration = .seconds(2)) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("books") { request, _ in
        let reader = Reader(
            isLibrarian: request.headers[.init("x-librarian")!] == "yes",
            shelf: request.headers[.init("x-shelf")!].flatMap { Int($0) } ?? 0)
        var parameters: [String: String] = [:]
        // As a browser writes it: a plus sign is a space, and %2B is a plus sign.
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                part.replacing("+", with: " ").removingPercentEncoding ?? String(part)
            }
            parameters[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        do {
            let query = try BookQuery(parameters, in: library)
            return try json(.ok, await query.page(for: reader, from: library, within: deadline))
        } catch let error as BadRequest {
            return try json(.badRequest, error)
        } catch is CancellationError {
            return try json(.gatewayTimeout, BadRequest(message: "the filter takes too long"))
        }
    }
    return router
}

private func json(_ status: HTTPResponse.Status, _ value: some Encodable) throws -> Response {
    let body = try JSONEncoder().encode(value)
    return Response(
        status: status, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
}
