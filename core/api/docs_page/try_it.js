"use strict";
// Draws a form for every operation of /api/openapi.json and sends what is filled in. Everything that
// comes from the document or an answer is text: it is set with textContent, never as markup.

const METHODS = ["get", "post", "put", "patch", "delete"];
const INDENT = 2;

function made(tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

function followed(api, part) {
  let found = part;
  while (found && found.$ref) {
    const place = found.$ref.replace("#/", "").split("/");
    found = place.reduce((whole, name) => whole[name], api);
  }
  return found || {};
}

/** A value of the kind that a schema wants, to begin with. */
function example(api, schema) {
  const whole = followed(api, schema);
  if ("example" in whole) return whole.example;
  if ("default" in whole) return whole.default;
  if (whole.enum) return whole.enum[0];
  if (whole.anyOf || whole.oneOf) return example(api, (whole.anyOf || whole.oneOf)[0]);
  const kind = Array.isArray(whole.type) ? whole.type[0] : whole.type;
  if (kind === "object" || whole.properties) {
    const wanted = whole.required || [];
    return Object.fromEntries(wanted.map((name) => [name, example(api, whole.properties[name])]));
  }
  return { array: [], boolean: false, integer: whole.minimum || 0, number: 0 }[kind] ?? "";
}

function field(form, id, name, words, control) {
  const label = made("label", name + " ");
  label.htmlFor = id;
  label.append(made("small", words));
  control.id = id;
  form.append(label, control);
  return control;
}

function parameterField(api, form, id, parameter) {
  const schema = followed(api, parameter.schema);
  const control = made(schema.enum ? "select" : "input");
  if (schema.enum) {
    const choices = parameter.required ? schema.enum : ["", ...schema.enum];
    control.append(...choices.map((choice) => made("option", choice)));
  }
  control.required = Boolean(parameter.required);
  const kind = `${parameter.required ? "required, " : ""}${parameter.in}`;
  return field(form, id, parameter.name, `${kind}. ${parameter.description || ""}`, control);
}

function bodyFields(api, form, id, content) {
  const [kind, { schema }] = Object.entries(content)[0];
  if (kind === "application/json") {
    const area = made("textarea");
    area.spellcheck = false;
    area.value = JSON.stringify(example(api, schema), null, INDENT);
    const known = Object.entries(followed(api, schema).properties || {});
    field(form, `${id}-body`, "body", "JSON", area);
    const list = made("ul");
    for (const [name, part] of known) {
      const item = made("li");
      const whole = followed(api, part);
      item.append(made("code", name), ` ${part.description || whole.description || whole.type || ""}`);
      list.append(item);
    }
    form.append(list);
    return () => ({ body: area.value, headers: { "Content-Type": kind } });
  }
  const controls = Object.entries(followed(api, schema).properties).map(([name, part]) => {
    const control = made("input");
    const inner = part.items || part;
    if (inner.format === "binary") {
      control.type = "file";
      control.multiple = Boolean(part.items);
    }
    return [name, field(form, `${id}-${name}`, name, part.description || "", control)];
  });
  return () => {
    const sent = new FormData();
    for (const [name, control] of controls) {
      if (control.files) for (const file of control.files) sent.append(name, file);
      else if (control.value) sent.append(name, control.value);
    }
    return { body: sent, headers: {} };
  };
}

async function shown(response) {
  const text = await response.text();
  try {
    return JSON.stringify(JSON.parse(text), null, INDENT);
  } catch {
    return text;
  }
}

function operationForm(api, path, method, operation, id) {
  const form = made("form", "", "inside");
  if (operation.description) form.append(made("p", operation.description));
  const parameters = (operation.parameters || []).map((one) => followed(api, one));
  const fields = parameters.map((one, at) => [one, parameterField(api, form, `${id}-${at}`, one)]);
  const content = operation.requestBody && followed(api, operation.requestBody).content;
  const body = content ? bodyFields(api, form, id, content) : () => ({ headers: {} });
  const button = made("button", "Send");
  const state = made("p");
  state.setAttribute("role", "status");
  const answer = made("pre");
  answer.hidden = true;
  answer.tabIndex = 0;
  const statuses = made("ul");
  for (const [status, given] of Object.entries(operation.responses)) {
    const words = given.description || followed(api, given).description;
    statuses.append(made("li", `${status}: ${words}`));
  }
  form.append(button, state, answer, made("h3", "Answers"), statuses);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    let place = path;
    const query = new URLSearchParams();
    for (const [one, control] of fields) {
      if (one.in === "path") place = place.replace(`{${one.name}}`, encodeURIComponent(control.value));
      else if (control.value) query.append(one.name, control.value);
    }
    button.disabled = true;
    state.textContent = "Waiting for the answer…";
    state.className = "";
    const started = performance.now();
    try {
      const asked = query.size ? `${place}?${query}` : place;
      const response = await fetch(asked, { method: method.toUpperCase(), ...body() });
      const took = Math.round(performance.now() - started);
      answer.textContent = await shown(response);
      answer.hidden = false;
      state.textContent = `${response.status} ${response.statusText}, ${took} ms`;
      state.className = response.ok ? "" : "failed";
    } catch (error) {
      state.textContent = `The server cannot be reached: ${error.message}`;
      state.className = "failed";
    }
    button.disabled = false;
  });
  return form;
}

function operationBox(api, path, method, operation) {
  const box = made("details");
  const head = made("summary");
  head.append(
    made("span", method.toUpperCase(), "method"),
    made("span", path, "path"),
    made("span", operation.summary || "", "words"),
  );
  box.append(head);
  box.dataset.words = `${method} ${path} ${operation.summary || ""}`.toLowerCase();
  box.addEventListener("toggle", () => {
    if (box.open && box.children.length === 1) {
      box.append(operationForm(api, path, method, operation, operation.operationId));
    }
  });
  return box;
}

function draw(api) {
  document.getElementById("summary").textContent = `${api.info.summary} Version ${api.info.version}.`;
  const groups = new Map();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((name) => item[name])) {
      const tag = (item[method].tags || ["others"])[0];
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(operationBox(api, path, method, item[method]));
    }
  }
  const sections = [...groups].map(([tag, boxes]) => {
    const section = made("section");
    section.append(made("h2", tag), ...boxes);
    return section;
  });
  document.getElementById("operations").append(...sections);
  const find = document.getElementById("find");
  const narrow = () => {
    const wanted = find.value.trim().toLowerCase();
    for (const section of sections) {
      const boxes = [...section.querySelectorAll("details")];
      for (const box of boxes) box.hidden = !box.dataset.words.includes(wanted);
      section.hidden = boxes.every((box) => box.hidden);
    }
  };
  find.addEventListener("input", narrow);
  narrow(); // what was typed before there was anything to find
}

async function begin() {
  try {
    const response = await fetch("/api/openapi.json");
    if (!response.ok) throw new Error(`status ${response.status}`);
    draw(await response.json());
  } catch (error) {
    const summary = document.getElementById("summary");
    summary.textContent = `The document cannot be read (${error.message}). Reload the page.`;
    summary.className = "failed";
  }
}

begin();
