"use strict";
// The page: a predicate, data, and what the module answers about both. Nothing is fetched or sent. Texts reach the
// document as text nodes only, so that hostile data stays text. .ci/page puts in the samples and the module.
const $ = id => document.getElementById(id);
const text = $("text"), ink = $("ink"), choices = $("choices"), panel = $("panel"), scroller = $("scroller");
const table = $("table"), body = table.tBodies[0], encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const rowHeight = 32, mostColumns = 60, mostSharedBytes = 8192, mostImmediateRows = 5000;
const samples = @SAMPLES@;  // {name: [file, predicate, text]}
const words = new RegExp(@WORDS@, "g");  // The rules of the editors' grammar.

// What a link keeps, besides the predicate and the data. All but the sample are values of controls with these names.
const state = { tab: "row", rows: "matches", dialect: "sqlite", profile: "", sample: null };
let data = { objects: [] }, answer = {}, matches = null, failures = new Map();
let visible = [], row = null, lit = null, drawnRows = "", completions = [], chosen = 0;
let predicates;
@HOST@
const bytesOf = text => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

/// All bytes that a stream makes of these. A link of a few bytes may unpack to gigabytes: hence the limit.
async function piped(bytes, stream, limit = Infinity) {
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
        Object.assign(data, { isLost: true, handle: undefined, schema: undefined });
        const message = `the compiler failed: ${error.message}; please report it with the link of this page`;
        return { ok: false, diagnostics: [{ id: "", severity: "error", message, utf16Start: 0, utf16End: 0 }] };
    }
}

/// Asks about the predicate.
const askText = (command, fields) =>
    ask({ command, format: text.value, schema: data.schema, profile: state.profile || undefined, ...fields });
const firstError = answer => answer.diagnostics?.find(one => one.severity == "error")?.message ?? "";

/// Gives a node attributes. Those that are functions are handlers of events.
function set(node, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value == "function") node.addEventListener(name, value);
        else if (name == "style") Object.assign(node.style, value);
        else if (value !== undefined) node.setAttribute(name, value);
    }
    return node;
}

/// A new node: `make("p.quiet", {}, "none")`. A child may be a list, or null for none.
function make(type, attributes, ...children) {
    const [tag, name] = type.split("."), node = set(document.createElement(tag), attributes);
    if (name) node.classList.add(name);
    node.append(...children.flat().filter(child => child != null));
    return node;
}

const button = (title, attributes) => make("button", { type: "button", ...attributes }, title);
const code = (string, name = "") => make("code", { class: name }, string);
const quiet = string => make("span.quiet", {}, string), note = string => make("p.quiet", {}, string);
const heading = title => make("h3", {}, title), block = string => make("pre", {}, string);
const items = parts => parts.length ? make("ul", {}, parts.map(part => make("li", {}, part))) : null;
const list = (title, parts) => parts?.length ? [heading(title), items(parts)] : [];
const sign = (mark, label, kind = "") => make("span.sign", { role: "img", "aria-label": label, class: kind }, mark);
const number = count => count.toLocaleString("en");
const plural = (count, noun) => `${number(count)} ${noun}${count == 1 ? "" : "s"}`;
const joined = (parts, separator) => parts.filter(Boolean).join(separator);

/// Shows or hides the node that a button controls.
function toggle(button, node) {
    node.hidden = !node.hidden;
    button.setAttribute("aria-expanded", !node.hidden);
}

const waiting = {};
function later(name, milliseconds, action) {
    clearTimeout(waiting[name]);
    waiting[name] = setTimeout(action, milliseconds);
}

/// The index in the text's UTF-16 units for an offset in bytes.
const unitAt = offset => decoder.decode(encoder.encode(text.value).subarray(0, offset)).length;

/// Checks the text and filters the rows; many rows only when no key was pressed for a moment.
function update(isPaused = false) {
    if (data.isLost) return load(data.text, data.name, state.sample, data.isOmitted);
    const waits = !isPaused && data.objects.length > mostImmediateRows, objects = waits ? undefined : data.handle;
    answer = text.value.trim() ? askText("filter", { objects: objects ?? [] }) : {};
    failures = new Map(answer.failures?.map(one => [one.index, one.message]));
    [lit, matches] = [null, objects === undefined ? null : answer.indices ?? null];
    later("filter", 150, () => { if (waits && answer.ok) update(true); });
    later("link", 400, writeLink);
    paint();
    showProblems();
    showRows();
}

/// Draws the text under the text area: colours, squiggles, and what a node of the tree stands for.
function paint() {
    const string = text.value, size = string.length, classes = Array(size + 1).fill(""), parts = [];
    const cover = (start, end, name) => { for (let at = start; at < end; at++) classes[at] += ` ${name}`; };
    if (lit) cover(...lit.map(unitAt), "lit");
    for (const match of size < 20000 ? string.matchAll(words) : []) {
        const kind = Object.keys(match.groups).find(name => match.groups[name]);
        if (kind) cover(match.index, match.index + match[0].length, kind.replace(/\d+/, ""));
    }
    for (const { utf16Start: start, utf16End: end, severity } of answer.diagnostics ?? []) {
        cover(Math.min(start, size), Math.min(Math.max(end, start + 1), size + 1), `squiggle ${severity}`);
    }
    for (let start = 0, end = 1; start <= size; end++) {
        if (classes[end] === classes[start]) continue;
        parts.push(make("span", { class: classes[start] }, `${string} `.slice(start, end)));
        start = end;
    }
    ink.replaceChildren(...parts);
    ink.scrollTop = text.scrollTop;
}

const go = ({ utf16Start, utf16End }) => { text.focus(); text.setSelectionRange(utf16Start, utf16End); };
/// Replaces parts of the text in a way that the browser can undo.
function edit(edits) {
    for (const one of [...edits].sort((a, b) => b.utf16Start - a.utf16Start)) {
        go(one);
        document.execCommand(one.replacement ? "insertText" : "delete", false, one.replacement);
    }
    update();
    hideChoices();
}

const showVerdict = (kind, string) => $("verdict").replaceChildren(make("span", { class: kind }, string));
const showFailure = error => showVerdict("bad", error.message);
function showProblems() {
    const all = answer.diagnostics ?? [], errors = all.filter(one => one.severity == "error").length;
    const warnings = all.length - errors, rest = all.length - 20;
    $("problems").replaceChildren(
        ...all.slice(0, 20).map(problem), rest > 0 ? make("li", {}, `and ${rest} more`) : "");
    showVerdict(errors ? "bad" : "good", joined([
        errors && plural(errors, "error"),
        matches && `${number(matches.length)} of ${plural(data.objects.length, "row")} match`,
        warnings && plural(warnings, "warning"),
        failures.size && `${plural(failures.size, "row")} cannot be tested`,
    ], ", "));
}

function problem(one) {
    const explanation = make("p.explanation", { hidden: "" });
    const explain = button("Explain", { "aria-expanded": false, click: () => {
        explanation.textContent = ask({ command: "explain", diagnostic: one.id }).explanation;
        toggle(explain, explanation);
    } });
    const fixes = one.fixits?.map(({ title, edits }) =>
        button(title, { class: "fix", "aria-label": `Fix: ${title}`, click: () => edit(edits) })) ?? [];
    return make("li", { class: one.severity }, make("span.badge", {}, one.severity),
        make("span", {}, button(one.message, { class: "jump", click: () => go(one) }),
            one.hint ? quiet(` — ${one.hint}`) : null),
        make("span.fixes", {}, fixes, one.id ? explain : null), explanation);
}

function complete(isWanted) {
    const before = text.value.slice(0, text.selectionStart), isInWord = /[\p{L}\p{N}_.@$]$/u.test(before);
    hideChoices();
    if (text.selectionStart != text.selectionEnd || !(isWanted || isInWord)) return;
    const found = askText("complete", { offset: encoder.encode(before).length, objects: data.handle }).completions;
    const place = { utf16Start: unitAt(found?.start), utf16End: unitAt(found?.end) };
    completions = (found?.candidates ?? []).slice(0, 100).map(one =>
        ({ ...one, ...place, replacement: one.text + (one.suffix ?? "") }));
    if (!completions.length || !isWanted && completions.length == 1 && before.endsWith(completions[0].text)) return;
    choices.replaceChildren(...completions.map((one, index) => make("li", {
        role: "option", id: `choice-${index}`, mousedown: event => { event.preventDefault(); edit([one]); },
    }, make("span", {}, one.text), quiet(one.detail ?? one.kind ?? ""))));
    const letter = rectangleAt(place.utf16Start), frame = $("editor").getBoundingClientRect();
    const left = Math.max(0, Math.min(letter.left - frame.left - 12, frame.width - choices.offsetWidth));
    set(choices, { style: { top: `${letter.bottom - frame.top + 4}px`, left: `${left}px` } });
    choose(0);
}

/// The rectangle of the letter at an index in UTF-16 units.
function rectangleAt(index) {
    const node = [...ink.childNodes].find(part => (index -= part.textContent.length) < 0).firstChild;
    const start = node.length + index, range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, start + 1);
    return range.getBoundingClientRect();
}

function choose(index) {
    chosen = (index + completions.length) % completions.length;
    for (const [at, item] of [...choices.children].entries()) item.setAttribute("aria-selected", at == chosen);
    choices.children[chosen].scrollIntoView({ block: "nearest" });
    text.setAttribute("aria-activedescendant", `choice-${chosen}`);
}

const hideChoices = () => choices.replaceChildren();

function pressed(event) {
    const isOpen = choices.hasChildNodes(), step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isOpen && step) choose(chosen + step);
    else if (isOpen && (event.key == "Enter" || event.key == "Tab")) edit([completions[chosen]]);
    else if (isOpen && event.key == "Escape") hideChoices();
    else if (event.ctrlKey && event.key == " ") complete(true);
    else if (event.key == "F8" && answer.diagnostics?.length) {
        go(answer.diagnostics.find(one => one.utf16Start > text.selectionStart) ?? answer.diagnostics[0]);
    } else return;
    event.preventDefault();
}
set(text, {
    keydown: pressed, blur: hideChoices, input: () => { update(); complete(false); },
    scroll: () => { ink.scrollTop = text.scrollTop; },
});

/// Reads a text. Its name or its first bytes tell its format. A new instance of the module has none of the old data.
function load(source, name, sample = null, isOmitted = false) {
    predicates.restart();
    const found = ask({ command: "records", text: source, name, keep: true }), paths = new Map();
    const { objects = [], handle, schema: inferred, problems = [] } = found;
    if (!found.ok) problems.push({ line: 1, message: firstError(found) });
    for (const object of objects) collect(object, [], paths);
    const schema = inferred && ask({ command: "schema", schema: inferred }).schema;
    data = { text: source, name, isOmitted, objects, problems, paths: [...paths], handle, schema, inferred };
    [row, drawnRows, state.sample] = [null, "", sample];
    $("notice").textContent = "";
    showData();
    update();
    // The first row is explained at once.
    select(visible[0] ?? (objects.length ? 0 : null));
}

/// Reads what a person brought.
function take(source, name = "data") {
    $("data-note").textContent = "Reading…";
    later("take", 20, () => load(source, name));
}

function takeSample(name) {
    const [file, predicate, source] = samples[name];
    text.value = predicate;
    load(source, file, name);
}

const tagOf = value => Object.keys(value).length == 1 && /^\$[a-z]+$/.exec(Object.keys(value)[0])?.[0];
const isObject = value => value !== null && typeof value == "object" && !Array.isArray(value) && !tagOf(value);
const isNumeric = value => typeof value == "number" || Boolean(value?.$decimal);

/// Adds the key paths to the values of an object.
function collect(value, path, paths) {
    if (isObject(value) && path.length < 4) {
        for (const key of Object.keys(value)) collect(value[key], [...path, key], paths);
    } else if (paths.size < 20000) paths.set(path.join(".") || "SELF", path);
}

const cell = (object, path) =>
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
    data.columns = data.paths.slice(0, mostColumns).map(([name, path]) => {
        const values = data.objects.slice(0, 60).map(object => cell(object, path));
        const letters = Math.max(name.length, ...values.map(value => shown(value).length));
        const kind = values.some(isNumeric) ? "numeric" : "", width = `clamp(64px, ${letters}ch + 32px, 260px)`;
        return { path, kind, head: make("th", { scope: "col", title: name, class: kind, style: { width } }, name) };
    });
    const corner = make("th", { scope: "col", "aria-label": "Row" });
    table.tHead.replaceChildren(make("tr", { "aria-rowindex": 1 }, corner, data.columns.map(column => column.head)));
    const hidden = data.paths.length - data.columns.length, problems = data.problems.length - 3;
    $("data-note").textContent = joined([
        ...data.problems.slice(0, 3).map(one => `Line ${one.line}: ${one.message}.`),
        problems > 0 && `${plural(problems, "more problem")}.`,
        hidden > 0 && `${plural(hidden, "more column")}, not shown, can be used in the predicate.`,
        data.isOmitted && "The link came without its data, which is too large for one. Open the data here.",
    ], " ");
    const tooLarge = data.text.length > 1e6 ? `${data.name} is too large to edit here.` : "";
    Object.assign($("source"), { value: tooLarge ? "" : data.text, placeholder: tooLarge });
    $("sample").value = state.sample ?? "";
    scroller.scrollTop = 0;
}

function showRows() {
    const every = [...data.objects.keys()], isMatch = new Set(matches);
    const lists = { matches, others: matches && every.filter(index => !isMatch.has(index)), every };
    visible = lists[state.rows] ?? every;
    for (const name in lists) $(name).textContent = lists[name] ? number(lists[name].length) : "–";
    table.setAttribute("aria-rowcount", visible.length + 1);
    scroller.hidden = !visible.length;
    $("empty").hidden = !scroller.hidden;
    $("empty").textContent = !every.length ? "No rows yet: paste data, drop a file, or choose a sample."
        : state.rows == "others" ? "Every row matches." : "No row matches. The others show what would change that.";
    drawRows();
    showPanel();
}

/// Draws the rows in view only, between two empty rows that stand for the others.
function drawRows() {
    const isMatch = new Set(matches), first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - 6);
    const slice = visible.slice(first, first + Math.ceil(scroller.clientHeight / rowHeight) + 14);
    // Most keys change no row.
    const marks = slice.map(index => [index, failures.get(index) ?? isMatch.has(index)]);
    const key = JSON.stringify([row, first, visible.length, marks, !matches]);
    if (key == drawnRows) return;
    drawnRows = key;
    const hadFocus = body.contains(document.activeElement), reachable = slice.includes(row) ? row : slice[0];
    const space = count =>
        make("tr.space", { "aria-hidden": true, style: { height: `${count * rowHeight}px` } }, make("td", {}));
    body.replaceChildren(space(first), ...slice.map((index, at) => {
        const problem = failures.get(index), isOther = matches && !isMatch.has(index);
        const mark = problem ? sign("!", problem) : isOther ? sign("\u00a0", "does not match") : sign("✓", "matches");
        return make("tr", {
            "data-index": index, tabindex: index == reachable ? 0 : -1, "aria-rowindex": first + at + 2, title: problem,
            "aria-selected": index == row, class: problem ? "failed other" : isOther ? "other" : "",
            click: () => { $("tab-row").click(); select(index); },
        }, make("th", { scope: "row" }, matches && mark, index + 1), data.columns.map(({ path, kind }) => {
            const value = cell(data.objects[index], path);
            return make("td", { class: value == null ? `${kind} quiet` : kind }, shown(value));
        }));
    }), space(visible.length - first - slice.length));
    if (hadFocus) body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
}

function select(index) {
    row = index;
    const top = visible.indexOf(index) * rowHeight, view = scroller.clientHeight - 2 * rowHeight;
    if (top >= 0) scroller.scrollTop = Math.min(Math.max(scroller.scrollTop, top - view), top);
    drawRows();
    showPanel();
}

set(scroller, { scroll: drawRows });
set(body, { keydown: event => {
    const at = visible.indexOf(Number(event.target.dataset.index)), last = visible.length - 1;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -at, End: last };
    if (event.key in steps) select(visible[Math.max(0, Math.min(at + steps[event.key], last))]);
    else if (event.key == "Enter" || event.key == " ") event.target.click();
    else return;
    event.preventDefault();
} });

function showPanel() {
    $("dialect-choice").hidden = state.tab != "sql";
    panel.setAttribute("aria-labelledby", `tab-${state.tab}`);
    panel.replaceChildren(...[panels[state.tab]()].flat(2));
}

const refusal = found => note(text.value.trim() ? firstError(found) : "Write a predicate first.");
const panels = {
    row() {
        if (row === null) return note("Choose a row to see why it matches or not, and what would change that.");
        const found = askText("why", { objects: data.handle, index: row });
        const { outcome, root, changes } = found.explanation ?? {};
        const own = [heading("The row"), block(JSON.stringify(data.objects[row], null, 2).slice(0, 4000))];
        if (!root) return [refusal(found), own];
        const verdict = { true: "matches", false: "does not match", raised: "cannot be tested" }[outcome];
        return [
            make("p", { class: outcome == "true" ? "good" : "bad" }, make("strong", {}, `Row ${row + 1} ${verdict}.`)),
            items([part(root)]),
            list(outcome == "true" ? "What would exclude it" : "What would make it match",
                changes.slice(0, 8).map(set => make("div.change", {}, set.map(({ key, from, to }) =>
                    make("div", {}, code(key), " from ", code(from), " to ", make("strong", {}, to)))))),
            own,
        ];
    },
    sql() {
        if (!data.schema) return note("SQL needs a schema, which comes from data.");
        const found = askText("sql", { dialect: state.dialect }), { residual } = found;
        if (!found.statement) return refusal(found);
        const bindings = found.bindings.map((value, at) => code(`${at + 1}  ${JSON.stringify(value).slice(0, 300)}`));
        return [
            block(found.statement), list("Bindings", bindings),
            heading("Rows"), make("p", {}, found.exactness == "exact" ? "Exactly the matches."
                : "All matches, perhaps with others: the rest of the predicate tests each row."),
            residual ? [heading("The rest"), block(ask({ command: "check", ...residual }).canonical)] : [],
            list("Why not in SQL", found.reasons?.map(one => `${one.construct}: ${one.sentence}`)),
            list("It needs", found.requires),
        ];
    },
    tree() {
        const found = askText("format", { shape: "tree" });
        return found.tree ? items([branch("", found.tree, { left: 3000 })]) : refusal(found);
    },
    canonical() {
        if (!answer.canonical) return refusal(answer);
        const shape = name => block(askText("format", { shape: name, width: 48 }).text);
        return [
            heading("Canonical"), block(answer.canonical), heading("Over several lines"), shape("pretty"),
            heading("Without values"), shape("redacted"), heading("Simplified"), block(askText("simplify").simplified),
        ];
    },
    schema: () => data.inferred
        ? [note("Inferred from the data, to check the predicate."), block(JSON.stringify(data.inferred, null, 2))]
        : note("The schema comes from the data: there is none yet."),
};

/// A part of an explanation.
function part(one) {
    const signs = { true: ["✓", "true", "good"], false: ["✗", "false", "bad"], raised: ["!", "fails", "bad"] };
    const values = one.operands.map(operand => `${operand.text} is ${operand.value}`).concat(one.message ?? []);
    return [
        sign(...signs[one.outcome] ?? ["–", "not looked at", "quiet"]), code(one.text, one.decides ? "" : "quiet"),
        quiet(` ${values.join(", ")}`), items(one.parts.slice(0, 50).map(part)),
    ];
}

/// A node of the tree. `budget` bounds how many are shown.
function branch(name, { kind, start, end, ...members }, budget) {
    if (budget.left-- <= 0) return ["…"];
    const facts = [], below = [];
    for (const [key, value] of Object.entries(members)) {
        const nodes = [value].flat().filter(one => one?.kind && typeof one == "object");
        below.push(...nodes.map(one => branch(key == "children" ? "" : key, one, budget)));
        if (!nodes.length) facts.push(key == "value" ? JSON.stringify(value) : [value].flat().map(shown).join("."));
    }
    const label = [quiet(`${name} `), code(kind), " ", code(facts.join(" ").slice(0, 300), "call")];
    const light = span => () => { lit = span; paint(); }, mouseover = light([start, end]), mouseout = light(null);
    const attributes = { tabindex: 0, "data-start": start, focus: mouseover, mouseover, mouseout };
    return [make("span", attributes, label), items(below)];
}

/// Shows the state in its controls. A value that the page lacks, such as one from a link, becomes the first.
function showState() {
    for (const name of ["tab", "rows", "dialect", "profile"]) {
        const nodes = [...document.querySelectorAll(`input[name=${name}], [name=${name}] option`)];
        const node = nodes.find(node => node.value == state[name]) ?? nodes[0];
        node[node.localName == "option" ? "selected" : "checked"] = true;
        state[name] = node.value;
    }
}

const tooMuch = "The link is without the data: more than 8 KB compressed.";
const deflated = string => piped(encoder.encode(string), new CompressionStream("deflate-raw"));

/// Returns whether the link has all.
async function writeLink() {
    const isSmall = state.sample || data.text.length < 4e6 && (await deflated(data.text)).length <= mostSharedBytes;
    const source = state.sample ? {} : isSmall ? { name: data.name, data: data.text } : { isDataOmitted: true };
    const bytes = await deflated(JSON.stringify({ ...state, ...source, predicate: text.value }));
    const letters = Array.from(bytes, byte => String.fromCharCode(byte)).join("");
    history.replaceState(null, "", "#1" + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""));
    if (!isSmall) $("notice").textContent = tooMuch;
    return isSmall;
}

/// Takes everything from the address. Returns true, or an empty text if it has nothing.
async function readLink() {
    if (!location.hash.startsWith("#1")) return "";
    const bytes = bytesOf(location.hash.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
    const json = decoder.decode(await piped(bytes, new DecompressionStream("deflate-raw"), 4e6));
    const link = JSON.parse(json), sample = Object.hasOwn(samples, link.sample) ? link.sample : null;
    const [name, , source] = samples[sample] ?? [link.name ?? "data", "", link.data ?? ""];
    for (const name in state) state[name] = link[name];
    showState();
    text.value = link.predicate ?? "";
    load(String(source), String(name), sample, Boolean(link.isDataOmitted));
    return true;
}

const showOthers = () => { scroller.scrollTop = 0; showRows(); };
const choosing = { profile: update, dialect: showPanel, tabs: showPanel, rows: showOthers };
for (const [id, show] of Object.entries(choosing)) {
    set($(id), { change: ({ target }) => {
        state[target.name] = target.value;
        show();
        later("link", 400, writeLink);
    } });
}

/// Reads the text that was dropped or pasted, or else the first file.
async function takeFrom(source) {
    const string = source.getData?.("text"), file = source.files[0];
    if (file && !string) take(await file.text(), file.name);
    else if (string !== undefined) take(string);
}
set($("sample"), { change: event => takeSample(event.target.value) });
set($("file"), { change: event => takeFrom(event.target) });
set($("edit"), { click: event => { toggle(event.target, $("source-box")); $("source").focus(); } });
set($("source"), { input: event => later("source", 250, () => take(event.target.value)) });
set($("share"), { click: async () => {
    const isSmall = await writeLink(), copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
    const said = await copied.then(() => "Copied.", () => "The address of this page is the link.");
    $("notice").textContent = `${said} ${isSmall ? "" : tooMuch}`;
} });
set(globalThis, {
    resize: drawRows, hashchange: () => readLink().catch(showFailure), dragover: event => event.preventDefault(),
    drop: event => { event.preventDefault(); takeFrom(event.dataTransfer); },
    paste: event => { if (!event.target.closest?.("textarea")) takeFrom(event.clipboardData); },
});

async function start() {
    if (!globalThis.WebAssembly || !globalThis.DecompressionStream) {
        throw Error("This browser lacks WebAssembly or DecompressionStream; those of 2023 and later have both.");
    }
    const module = await piped(bytesOf($("module").textContent.trim()), new DecompressionStream("gzip"));
    predicates = new Predicates(await WebAssembly.compile(module));
    const { profiles } = ask({ command: "profiles" });
    $("profile").append(...profiles.map(({ name, summary }) => make("option", { title: summary }, name)));
    $("sample").append(...Object.keys(samples).map(name => make("option", {}, name)));
    showState();
    const found = await readLink().catch(error => `The link cannot be read: ${error.message}.`);
    if (found !== true) takeSample("Team");
    if (found !== true) $("notice").textContent = found;
    performance.mark("answered");
}
start().catch(showFailure);
