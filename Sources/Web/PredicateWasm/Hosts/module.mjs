// The module in JavaScript: an instance, and how it is asked. predicates.mjs uses it in node; .ci/page puts it into the
// page.
export class Predicates {
    static #imports = { env: { clock: () => Date.now() / 1000, random: Math.random } };
    #compiled;
    #exports;

    /// Makes an instance of a WebAssembly.Module.
    constructor(compiled) {
        this.#compiled = compiled;
        this.restart();
    }

    /// Makes a new instance, in a millisecond. It has none of the handles.
    restart() { this.#exports = new WebAssembly.Instance(this.#compiled, Predicates.#imports).exports; }

    /// The bytes of memory in use.
    get memory() { return this.#exports.memory.buffer.byteLength; }

    /// Returns the answer to a request.
    ask(request) { return JSON.parse(this.answer(JSON.stringify(request))); }

    /// Returns the answer to a request, both as JSON.
    answer(json) {
        const { memory, predicate_alloc, predicate_answer, predicate_free } = this.#exports;
        const bytes = typeof json == "string" ? new TextEncoder().encode(json) : json;
        // Addresses are unsigned. After each call the memory may have grown, and its old buffer is empty.
        const place = predicate_alloc(bytes.length) >>> 0;
        if (!place) throw new Error("the module has no memory left");
        new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
        const result = predicate_answer(place, bytes.length) >>> 0;
        if (!result) throw new Error("the module has no memory left");
        const length = new DataView(memory.buffer).getUint32(result, true);
        const answer = new TextDecoder().decode(new Uint8Array(memory.buffer, result + 4, length));
        predicate_free(place);
        predicate_free(result);
        return answer;
    }
}
