"use strict";
// The page: a predicate, data, and what the module answers about both. Nothing is fetched or sent. Texts reach the
// document as text nodes only, so that hostile data stays text. .ci/page puts in the samples and the module.
const $ = id => document.getElementById(id);
const text = $("text"), ink = $("ink"), choices = $("choices"), panel = $("panel"), scroller = $("scroller");
const table = $("table"), body = table.tBodies[0], encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const rowHeight = 32, mostColumns = 60, mostSharedBytes = 8192, mostImmediateRows = 5000;
const tabs = ["row", "sql", "tree", "canonical", "schema"];
const dialects = ["sqlite", "postgresql", "mysql", "duckdb", "clickhouse", "spark", "ansi"];
const samples = @SAMPLES@;  // {name: [file, predicate, text]}
const words = new RegExp(@WORDS@, "g");  // The rules of the editors' grammar.

// What a link keeps, besides the predicate and the data.
const state = { tab: "row", dialect: "sqlite", sample: null, profile: "" };
let data = { text: "", name: "", objects: [], columns: [], problems: [] };
let schema = null, answer = {}, matches = null, failures = new Map();
let visible = [], row = null, lit = null, isDataOmitted = false, drawnRows = "";

// MARK: The module

@HOST@
let predicates, needsData = false;

async function start() {
    if (!globalThis.WebAssembly || !globalThis.DecompressionStream) {
        throw Error("This browser lacks WebAssembly or DecompressionStream; those of 2023 and later have both.");
    }
    const module = bytesOf($("module").textContent.trim());
    const bytes = await piped(module, new DecompressionStream("gzip"), Infinity);
    predicates = new Predicates(await WebAssembly.compile(bytes));
}

const bytesOf = base64 =>
    Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));

/// All bytes that a stream makes of these. A link of a few bytes may unpack to gigabytes: hence the limit.
async function piped(bytes, stream, limit) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), chunks = [];
    for (let size = 0, next = await reader.read(); !next.done; next = await reader.read()) {
        if ((size += next.value.length) > limit) throw Error("it is too long");
        chunks.push(next.value);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function ask(request) {
    try {
        const json = predicates.answer(JSON.stringify(request));
        // A number with more digits than a double has keeps them.
        const exact = (_, value, at) =>
            typeof value == "number" && at?.source.length > 15 ? { $decimal: at.source } : value;
        return JSON.parse(json, /\d{16}/.test(json) ? exact : undefined);
    } catch (error) {
        // A module that trapped is not asked again. Its successor gets the data at the next change.
        predicates.restart();
        [data.handle, schema, needsData] = [undefined, null, true];
        const message = `the compiler failed: ${error.message}; please report it with the link of this page`;
        return { ok: false, diagnostics: [{ id: "", severity: "error", message, utf16Start: 0, utf16End: 0 }] };
    }
}

/// Asks about the predicate.
const askText = (command, fields) => ask({
    command, format: text.value, ...schema && { schema }, ...state.profile && { profile: state.profile }, ...fields,
});
const firstError = answer => answer.diagnostics?.find(one => one.severity == "error")?.message ?? "";

// MARK: Small parts

function make(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (typeof value == "function") on(node, { [name]: value });
        else if (value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.filter(child => child !== null && child !== undefined));
    return node;
}

function on(node, handlers) {
    for (const [name, handler] of Object.entries(handlers)) node.addEventListener(name, handler);
}
const heading = title => make("h3", {}, title), block = string => make("pre", {}, string);
const note = string => make("p", { class: "quiet" }, string);
const list = (title, items) => items?.length ? [heading(title), make("ul", {}, ...items)] : [];
const number = count => count.toLocaleString("en");
const plural = (count, noun) => `${number(count)} ${noun}${count == 1 ? "" : "s"}`;

const waiting = {};
function later(name, milliseconds, action) {
    clearTimeout(waiting[name]);
    waiting[name] = setTimeout(action, milliseconds);
}

/// The index in the text's UTF-16 units for an offset in bytes.
const unitAt = offset => decoder.decode(encoder.encode(text.value).subarray(0, offset)).length;

// MARK: The predicate

/// Checks the text and filters the rows; many rows only when no key was pressed for a moment.
function update() {
    if (needsData) return load(data.text, data.name);
    const isEmpty = !text.value.trim(), isMany = data.objects.length > mostImmediateRows;
    [lit, matches, failures] = [null, null, new Map()];
    answer = isEmpty ? {} : askText("filter", { objects: [] });
    clearTimeout(waiting.filter);
    if (isMany && answer.ok) later("filter", 150, () => { filter(); showRows(); });
    if (!isMany && answer.ok) filter();
    paint();
    showProblems();
    showRows();
    later("link", 400, writeLink);
}

function filter() {
    if (data.handle === undefined) return;
    const found = askText("filter", { objects: data.handle });
    if (!found.ok) answer = found;
    matches = found.indices ?? null;
    failures = new Map((found.failures ?? []).map(one => [one.index, one.message]));
}

/// Draws the text under the text area: colours, squiggles, and what a node of the tree stands for.
function paint() {
    const string = text.value, size = string.length, spans = lit ? [[...lit.map(unitAt), "lit"]] : [];
    for (const match of size < 20000 ? string.matchAll(words) : []) {
        const kind = Object.keys(match.groups).find(name => match.groups[name]);
        if (kind) spans.push([match.index, match.index + match[0].length, kind.replace(/\d+/, "")]);
    }
    for (const { utf16Start: start, utf16End: end, severity } of answer.diagnostics ?? []) {
        spans.push([Math.min(start, size), Math.max(end, start + 1), `squiggle ${severity}`]);
    }
    const drawn = string + " ", opening = Map.groupBy(spans, span => span[0]);
    const cuts = [...new Set(spans.flatMap(span => [span[0], span[1]]).concat(0, size + 1))].sort((a, b) => a - b);
    let open = [];
    ink.replaceChildren(...cuts.slice(0, -1).map((start, index) => {
        open = [...open, ...opening.get(start) ?? []].filter(span => span[1] > start);
        const part = drawn.slice(start, cuts[index + 1]);
        return open.length ? make("span", { class: open.map(span => span[2]).join(" ") }, part) : part;
    }));
    ink.scrollTop = text.scrollTop;
}

/// Replaces parts of the text in a way that the browser can undo.
function edit(edits) {
    for (const one of [...edits].sort((a, b) => b.utf16Start - a.utf16Start)) {
        go(one);
        const isDone = document.execCommand(one.replacement ? "insertText" : "delete", false, one.replacement);
        if (!isDone) text.setRangeText(one.replacement, text.selectionStart, text.selectionEnd, "end");
    }
    update();
    hideChoices();
}

function go({ utf16Start, utf16End }) {
    text.focus();
    text.setSelectionRange(utf16Start, utf16End);
}

function showProblems() {
    const all = answer.diagnostics ?? [];
    $("problems").replaceChildren(...all.slice(0, 20).map(one => {
        const explanation = make("p", { class: "explanation", hidden: "" });
        const explain = make("button", { type: "button", "aria-expanded": "false", click: () => {
            explanation.textContent = ask({ command: "explain", diagnostic: one.id }).explanation;
            explanation.hidden = !explanation.hidden;
            explain.setAttribute("aria-expanded", !explanation.hidden);
        } }, "Explain");
        const fixes = (one.fixits ?? []).map(({ title, edits }) => make("button", {
            type: "button", class: "fix", "aria-label": `Fix: ${title}`, click: () => edit(edits),
        }, title));
        return make("li", { class: one.severity }, make("span", { class: "badge" }, one.severity),
            make("span", {}, make("button", { type: "button", class: "jump", click: () => go(one) }, one.message),
                one.hint ? make("span", { class: "quiet" }, ` — ${one.hint}`) : null),
            make("span", { class: "fixes" }, ...fixes, one.id ? explain : null), explanation);
    }), all.length > 20 ? make("li", {}, `and ${all.length - 20} more`) : "");
}

function showVerdict() {
    const all = answer.diagnostics ?? [], errors = all.filter(one => one.severity == "error").length, parts = [];
    if (errors) parts.push(plural(errors, "error"));
    if (matches) parts.push(`${number(matches.length)} of ${plural(data.objects.length, "row")} match`);
    if (all.length > errors) parts.push(plural(all.length - errors, "warning"));
    if (failures.size) parts.push(`${plural(failures.size, "row")} cannot be tested`);
    $("verdict").textContent = parts.join(", ");
    $("verdict").className = errors ? "bad" : "good";
}

// MARK: Completion

let completions = [], chosen = 0;

function complete(isWanted) {
    const before = text.value.slice(0, text.selectionStart), isInWord = /[\p{L}\p{N}_.@$]$/u.test(before);
    hideChoices();
    if (text.selectionStart != text.selectionEnd || !(isWanted || isInWord)) return;
    const found = askText("complete", { offset: encoder.encode(before).length, objects: data.handle }).completions;
    const { start, end, candidates = [] } = found ?? {};
    const [utf16Start, utf16End] = [unitAt(start), unitAt(end)];
    completions = candidates.slice(0, 100).map(one => ({ ...one, utf16Start, utf16End }));
    if (!completions.length || !isWanted && completions.length == 1 && before.endsWith(completions[0].text)) return;
    choices.replaceChildren(...completions.map((one, index) => make("li", {
        role: "option", id: `choice-${index}`, mousedown: event => { event.preventDefault(); accept(index); },
    }, make("span", {}, one.text), make("span", { class: "quiet" }, one.detail ?? one.kind ?? ""))));
    choices.hidden = false;
    const place = placeOf(utf16Start), frame = $("editor").getBoundingClientRect();
    choices.style.top = `${place.bottom - frame.top + 4}px`;
    choices.style.left = `${Math.max(0, Math.min(place.left - frame.left - 12, frame.width - choices.offsetWidth))}px`;
    choose(0);
}

/// The rectangle of the letter at an index in UTF-16 units.
function placeOf(index) {
    const range = document.createRange(), walker = document.createTreeWalker(ink, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && index >= walker.currentNode.length) index -= walker.currentNode.length;
    range.setStart(walker.currentNode, index);
    range.setEnd(walker.currentNode, index + 1);
    return range.getBoundingClientRect();
}

function choose(index) {
    chosen = (index + completions.length) % completions.length;
    for (const [at, item] of [...choices.children].entries()) item.setAttribute("aria-selected", at == chosen);
    choices.children[chosen].scrollIntoView({ block: "nearest" });
    text.setAttribute("aria-activedescendant", `choice-${chosen}`);
}

function accept(index) {
    const { text: replacement, suffix = "" } = completions[index];
    edit([{ ...completions[index], replacement: replacement + suffix }]);
}

function hideChoices() {
    choices.hidden = true;
    text.removeAttribute("aria-activedescendant");
}

function pressed(event) {
    const isOpen = !choices.hidden, step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isOpen && step) choose(chosen + step);
    else if (isOpen && (event.key == "Enter" || event.key == "Tab")) accept(chosen);
    else if (isOpen && event.key == "Escape") hideChoices();
    else if (event.ctrlKey && event.key == " ") complete(true);
    else if (event.key == "F8" && answer.diagnostics) {
        go(answer.diagnostics.find(one => one.utf16Start > text.selectionStart) ?? answer.diagnostics[0]);
    } else return;
    event.preventDefault();
}
on(text, {
    keydown: pressed, blur: hideChoices, input: () => { update(); complete(false); },
    scroll: () => { ink.scrollTop = text.scrollTop; },
});

// MARK: Data

/// Reads a text. Its name or its first bytes tell its format.
function load(source, name) {
    for (const kept of [{ objects: data.handle }, { schema }]) ask({ command: "release", ...kept });
    const found = ask({ command: "records", text: source, name, keep: true }), objects = found.objects ?? [];
    const columns = new Map(), problems = found.ok ? found.problems ?? [] : [{ line: 1, message: firstError(found) }];
    for (const object of objects) collect(object, [], columns);
    data = { text: source, name, objects, problems, columns: [...columns.values()], handle: found.handle };
    data.schema = found.schema;
    schema = data.schema ? ask({ command: "schema", schema: data.schema }).schema ?? null : null;
    [row, needsData] = [null, false];
    showData();
    update();
    // The first row is explained at once.
    select(visible[0] ?? (objects.length ? 0 : null));
}

const tagOf = value => Object.keys(value).length == 1 && /^\$[a-z]+$/.exec(Object.keys(value)[0])?.[0];
const isObject = value => value !== null && typeof value == "object" && !Array.isArray(value) && !tagOf(value);

/// Adds the key paths to the values of an object.
function collect(value, path, columns) {
    const name = path.join(".") || "SELF", column = columns.get(name);
    if (isObject(value) && path.length < 4) {
        for (const key of Object.keys(value)) collect(value[key], [...path, key], columns);
    } else if (column) column.isNumeric ||= isNumeric(value);
    else if (columns.size < 20000) columns.set(name, { name, path, isNumeric: isNumeric(value) });
}

const isNumeric = value => typeof value == "number" || Boolean(value?.$decimal);
const cell = (object, { path }) =>
    path.reduce((value, key) => isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined, object);

/// A value as a cell shows it.
function shown(value) {
    if (value === null || value === undefined) return "nil";
    if (typeof value != "object") return String(value).slice(0, 300);
    const tag = tagOf(value), inner = value[tag];
    // Seconds since 2001.
    if (tag == "$date" && Math.abs(inner) < 1e11) return new Date((inner + 978307200) * 1000).toISOString();
    return tag && typeof inner != "object" ? String(inner) : JSON.stringify(value).slice(0, 300);
}

function showData() {
    const columns = data.columns.slice(0, mostColumns), some = data.objects.slice(0, 60);
    const widths = [64, ...columns.map(column => {
        const longest = Math.max(column.name.length, ...some.map(object => shown(cell(object, column)).length));
        return Math.min(Math.max(longest * 9 + 28, 64), 260);
    })];
    const head = make("tr", { "aria-rowindex": 1 }, make("th", { scope: "col", "aria-label": "Row" }), ...columns.map(
        ({ name, isNumeric }) => make("th", { scope: "col", title: name, class: isNumeric ? "numeric" : "" }, name)));
    for (const [at, width] of widths.entries()) head.children[at].style.width = `${width}px`;
    table.tHead.replaceChildren(head);
    table.style.width = `${widths.reduce((sum, width) => sum + width)}px`;
    const notes = data.problems.slice(0, 3).map(one => `Line ${one.line}: ${one.message}.`);
    if (data.problems.length > 3) notes.push(`${plural(data.problems.length - 3, "more problem")}.`);
    const rest = data.columns.length - columns.length;
    if (rest > 0) notes.push(`${plural(rest, "more column")}, not shown, can be used in the predicate.`);
    if (isDataOmitted) notes.push("The link came without its data, which is too large for one. Open the data here.");
    $("data-note").textContent = notes.join(" ");
    const isShort = data.text.length < 1e6;
    $("source").value = isShort ? data.text : "";
    $("source").placeholder = isShort ? "" : `${data.name} is too large to edit here.`;
    $("sample").value = state.sample ?? "";
    scroller.scrollTop = 0;
}

/// Uses data that a person brought.
function take(source, name) {
    [state.sample, isDataOmitted] = [null, false];
    $("data-note").textContent = "Reading…";
    later("take", 20, () => load(source, name));
}

function takeSample(name, predicate = samples[name][1]) {
    [state.sample, isDataOmitted] = [name, false];
    text.value = predicate;
    load(samples[name][2], samples[name][0]);
}

// MARK: Rows

function showRows() {
    const every = data.objects.map((_, index) => index), isMatch = new Set(matches);
    const choice = document.querySelector("[name=rows]:checked").value;
    const others = matches && every.filter(index => !isMatch.has(index));
    visible = { matches, others }[choice] ?? every;
    for (const [name, rows] of Object.entries({ matches, others, every })) {
        $(`count-${name}`).textContent = rows ? number(rows.length) : "–";
    }
    table.setAttribute("aria-rowcount", visible.length + 1);
    $("empty").hidden = visible.length > 0;
    scroller.hidden = !visible.length;
    $("empty").textContent = !every.length ? "No rows yet: paste data, drop a file, or choose a sample."
        : choice == "others" ? "Every row matches." : "No row matches. The others show what would change that.";
    showVerdict();
    drawRows();
    showPanel();
}

/// Draws the rows in view only, between two empty rows that stand for the others.
function drawRows() {
    const hadFocus = body.contains(document.activeElement), isMatch = new Set(matches);
    const first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 6);
    const slice = visible.slice(first, first + Math.ceil(scroller.clientHeight / rowHeight) + 14);
    const reachable = slice.includes(row) ? row : slice[0], columns = data.columns.slice(0, mostColumns);
    // Most keys change no row.
    const marks = slice.map(index => failures.get(index) ?? isMatch.has(index));
    const key = JSON.stringify([data.handle, row, first, visible.length, slice, marks, !matches]);
    if (key == drawnRows) return;
    drawnRows = key;
    body.replaceChildren(space(first), ...slice.map((index, at) => {
        const problem = failures.get(index), isOther = matches && !isMatch.has(index);
        const [sign, label] = problem ? ["!", problem] : isOther ? ["\u00a0", "does not match"] : ["✓", "matches"];
        const mark = matches ? make("span", { class: "sign", role: "img", "aria-label": label }, sign) : null;
        return make("tr", {
            "data-index": index, tabindex: index == reachable ? 0 : -1, "aria-rowindex": first + at + 2, title: problem,
            "aria-selected": index == row, class: problem ? "failed other" : isOther ? "other" : "",
        }, make("th", { scope: "row" }, mark, index + 1), ...columns.map(column => {
            const value = cell(data.objects[index], column), kind = value == null ? "quiet" : "";
            return make("td", { class: column.isNumeric ? `numeric ${kind}` : kind }, shown(value));
        }));
    }), space(visible.length - first - slice.length));
    if (hadFocus) focusRow();
}

function space(count) {
    const node = make("tr", { class: "space", "aria-hidden": "true" }, make("td"));
    node.style.height = `${count * rowHeight}px`;
    return node;
}

function select(index) {
    row = index;
    const top = visible.indexOf(index) * rowHeight, view = scroller.clientHeight - 2 * rowHeight;
    if (top >= 0) scroller.scrollTop = Math.min(Math.max(scroller.scrollTop, top - view), top);
    drawRows();
    showPanel();
}

const focusRow = () => body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });

on(body, {
    click: event => {
        const index = event.target.closest("[data-index]")?.dataset.index;
        if (!index) return;
        openTab("row", () => select(Number(index)));
        focusRow();
    },
    keydown: event => {
        const at = visible.indexOf(Number(event.target.dataset.index)), last = visible.length - 1;
        const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -at, End: last };
        if (event.key in steps) select(visible[Math.max(0, Math.min(at + steps[event.key], last))]), focusRow();
        else if (event.key == "Enter" || event.key == " ") event.target.click();
        else return;
        event.preventDefault();
    },
});
on(scroller, { scroll: drawRows });

// MARK: The panel

function showPanel() {
    for (const name of tabs) {
        $(`tab-${name}`).setAttribute("aria-selected", name == state.tab);
        $(`tab-${name}`).tabIndex = name == state.tab ? 0 : -1;
    }
    const hadFocus = document.activeElement?.id == "dialect";
    panel.setAttribute("aria-labelledby", `tab-${state.tab}`);
    panel.replaceChildren(...panels[state.tab]());
    if (hadFocus) $("dialect")?.focus();
}

const refusal = found => note(text.value.trim() ? firstError(found) : "Write a predicate first.");
const panels = {
    row() {
        if (row === null) return [note("Choose a row to see why it matches or not, and what would change that.")];
        const found = askText("why", { objects: data.handle, index: row });
        const { outcome, root, changes } = found.explanation ?? {};
        const own = [heading("The row"), block(JSON.stringify(data.objects[row], null, 2).slice(0, 4000))];
        if (!root) return [refusal(found), ...own];
        const verdict = { true: "matches", false: "does not match", raised: "cannot be tested" }[outcome];
        return [
            make("p", { class: outcome == "true" ? "good" : "bad" }, make("strong", {}, `Row ${row + 1} ${verdict}.`)),
            make("ul", {}, part(root)),
            ...list(outcome == "true" ? "What would exclude it" : "What would make it match",
                changes.slice(0, 8).map(set => make("li", { class: "change" }, ...set.map(change)))),
            ...own,
        ];
    },

    sql() {
        const choice = make("select", { id: "dialect", change: () => openTab("sql", () => {
            state.dialect = choice.value;
            showPanel();
        }) }, ...dialects.map(name => make("option", {}, name)));
        choice.value = state.dialect;
        const head = make("p", {}, make("label", {}, "Dialect ", choice));
        if (!schema) return [head, note("SQL needs a schema, which comes from data.")];
        const found = askText("sql", { dialect: state.dialect }), { residual } = found;
        if (!found.statement) return [head, refusal(found)];
        const items = parts => parts?.map(part => make("li", {}, part));
        return [
            head, block(found.statement), ...list("Bindings", items(found.bindings.map((value, index) =>
                make("code", {}, `${index + 1}  ${JSON.stringify(value).slice(0, 300)}`)))),
            heading("Rows"), make("p", {}, found.exactness == "exact" ? "Exactly the matches."
                : "All matches, perhaps with others: the rest of the predicate tests each row."),
            ...residual ? [heading("The rest"), block(ask({ command: "check", ...residual }).canonical)] : [],
            ...list("Why not in SQL", items(found.reasons?.map(one => `${one.construct}: ${one.sentence}`))),
            ...list("It needs", items(found.requires)),
        ];
    },

    tree() {
        const found = askText("format", { shape: "tree" }), light = event => {
            const node = event.type != "mouseout" && event.target.closest("[data-start]");
            lit = node ? [Number(node.dataset.start), Number(node.dataset.end)] : null;
            paint();
        };
        if (!found.tree) return [refusal(found)];
        const tree = branch("", found.tree, { left: 3000 });
        return [make("ul", { mouseover: light, mouseout: light, focusin: light }, tree)];
    },

    canonical() {
        if (!answer.canonical) return [refusal(answer)];
        const shape = name => askText("format", { shape: name, width: 48 }).text;
        const forms = {
            "Canonical": answer.canonical, "Over several lines": shape("pretty"), "Without values": shape("redacted"),
            "Simplified": askText("simplify").simplified,
        };
        return Object.entries(forms).flatMap(([title, form]) => [heading(title), block(form)]);
    },

    schema() {
        if (!data.schema) return [note("The schema comes from the data: there is none yet.")];
        return [note("Inferred from the data, to check the predicate."), block(JSON.stringify(data.schema, null, 2))];
    },
};

const change = ({ key, from, to }) => make("div", {},
    make("code", {}, key), " from ", make("code", {}, from), " to ", make("strong", {}, to));

/// A part of an explanation.
function part(one) {
    const signs = { true: ["✓", "good", "true"], false: ["✗", "bad", "false"], raised: ["!", "bad", "fails"] };
    const [sign, kind, word] = signs[one.outcome] ?? ["–", "quiet", "not looked at"];
    const values = one.operands.map(operand => `${operand.text} is ${operand.value}`).concat(one.message ?? []);
    return make("li", { class: one.decides ? "" : "plain" },
        make("span", { class: `sign ${kind}`, role: "img", "aria-label": word }, sign), make("code", {}, one.text),
        make("span", { class: "quiet" }, ` ${values.join(", ")}`),
        one.parts.length ? make("ul", {}, ...one.parts.slice(0, 50).map(part)) : null);
}

/// A node of the tree. `budget` bounds how many are shown.
function branch(name, { kind, start, end, ...members }, budget) {
    if (budget.left-- <= 0) return make("li", {}, "…");
    const facts = [], below = [];
    for (const [key, value] of Object.entries(members)) {
        const nodes = [value].flat().filter(one => one?.kind && typeof one == "object");
        below.push(...nodes.map(one => branch(key == "children" ? "" : key, one, budget)));
        if (!nodes.length) facts.push(key == "value" ? JSON.stringify(value) : [value].flat().map(shown).join("."));
    }
    return make("li", {}, make("span", { tabindex: 0, "data-start": start, "data-end": end },
        make("span", { class: "quiet" }, `${name} `), make("code", {}, kind), " ",
        make("code", { class: "call" }, facts.join(" ").slice(0, 300))),
    below.length ? make("ul", {}, ...below) : null);
}

function openTab(name, show = showPanel) {
    state.tab = name;
    show();
    later("link", 400, writeLink);
}

on(document.querySelector(".tabs"), {
    click: event => { if (event.target.role == "tab") openTab(event.target.id.slice(4)); },
    keydown: event => {
        const step = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
        if (!step) return;
        openTab(tabs[(tabs.indexOf(state.tab) + step) % tabs.length]);
        $(`tab-${state.tab}`).focus();
    },
});

// MARK: The link

const deflated = string => piped(encoder.encode(string), new CompressionStream("deflate-raw"), Infinity);

async function writeLink() {
    const isSmall = state.sample || data.text.length < 4e6 && (await deflated(data.text)).length <= mostSharedBytes;
    const source = state.sample ? {} : isSmall ? { name: data.name, data: data.text } : { isDataOmitted: true };
    const bytes = await deflated(JSON.stringify({ ...state, ...source, predicate: text.value }));
    const letters = Array.from(bytes, byte => String.fromCharCode(byte)).join("");
    history.replaceState(null, "", "#1" + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""));
    $("notice").textContent = isSmall ? "" : "The link is without the data: more than 8 KB compressed.";
}

/// Takes everything from the address. Returns whether it had anything.
async function readLink() {
    if (!location.hash.startsWith("#1")) return false;
    const bytes = bytesOf(location.hash.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
    const link = JSON.parse(decoder.decode(await piped(bytes, new DecompressionStream("deflate-raw"), 4e6)));
    if (tabs.includes(link.tab)) state.tab = link.tab;
    if (dialects.includes(link.dialect)) state.dialect = link.dialect;
    // A profile that the page lacks is none.
    $("profile").value = link.profile ?? "";
    state.profile = $("profile").value ||= "";
    const predicate = String(link.predicate ?? "");
    if (Object.hasOwn(samples, link.sample)) takeSample(link.sample, predicate);
    else {
        [text.value, state.sample, isDataOmitted] = [predicate, null, Boolean(link.isDataOmitted)];
        load(String(link.data ?? ""), String(link.name ?? "data"));
    }
    return true;
}

on($("share"), { click: async () => {
    await writeLink();
    const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
    const said = await copied.then(() => "Copied.", () => "The address of this page is the link.");
    $("notice").textContent = `${said} ${$("notice").textContent}`;
} });

// MARK: Start

const takeFile = async file => file && take(await file.text(), file.name);
$("sample").append(...Object.keys(samples).map(name => make("option", {}, name)));
on($("profile"), { change: event => {
    state.profile = event.target.value;
    update();
} });
on($("sample"), { change: event => takeSample(event.target.value) });
on($("file"), { change: event => takeFile(event.target.files[0]) });
on($("edit"), { click: () => {
    const isHidden = $("source-box").hidden = !$("source-box").hidden;
    $("edit").setAttribute("aria-expanded", !isHidden);
    if (!isHidden) $("source").focus();
} });
on($("source"), { input: event => later("source", 250, () => take(event.target.value, "data")) });
on($("segments"), { change: () => { scroller.scrollTop = 0; showRows(); } });
on(globalThis, {
    resize: drawRows, hashchange: () => readLink().catch(showFailure), dragover: event => event.preventDefault(),
    drop: event => {
        event.preventDefault();
        if (event.dataTransfer.files.length) takeFile(event.dataTransfer.files[0]);
        else take(event.dataTransfer.getData("text"), "data");
    },
    paste: event => {
        if (!event.target.closest?.("textarea")) take(event.clipboardData.getData("text"), "data");
    },
});

function showFailure(error) {
    $("verdict").className = "bad";
    $("verdict").textContent = error.message;
}

start().then(async () => {
    const { profiles } = ask({ command: "profiles" });
    $("profile").append(...profiles.map(({ name, summary }) => make("option", { title: summary }, name)));
    const problem = await readLink().then(
        isRead => isRead ? null : "", error => `The link cannot be read: ${error.message}.`);
    if (problem !== null) takeSample("Team");
    $("notice").textContent = problem ?? "";
    performance.mark("answered");
}).catch(showFailure);
