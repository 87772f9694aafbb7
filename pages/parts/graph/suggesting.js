// Suggestions below a text input of the page: an editable combobox with a list (ARIA Authoring Practices).
const PAUSE = 120; // milliseconds without a key after which the server is asked
const NOTHING = 'Nothing in the graph is called so, or begins so.';
const LIST = 'materia-suggested';

export default function ({ data, parentElement, setTriggerValue }) {
  // The list stays open when the page is drawn anew while somebody types.
  const kept = parentElement.materiaSuggesting;
  if (kept) {
    kept.data = data;
    kept.choose = (value) => setTriggerValue('chosen', value);
    return;
  }
  const state = (parentElement.materiaSuggesting = {
    data, choose: (value) => setTriggerValue('chosen', value),
  });
  const panel = document.createElement('div');
  panel.className = 'suggested';
  panel.hidden = true;
  const list = document.createElement('ul');
  list.id = LIST;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  const foot = document.createElement('p');
  foot.className = 'foot';
  panel.append(list, foot);
  const said = document.createElement('div');
  said.className = 'suggested-said';
  said.setAttribute('role', 'status');
  parentElement.append(panel, said);

  const ends = new AbortController();
  const listen = (target, kind, act) => target.addEventListener(kind, (event) => {
    if (parentElement.isConnected) act(event);
    else ends.abort(); // the page is another one
  }, { capture: true, signal: ends.signal });
  const box = () => document.querySelector(`.st-key-${state.data.box} input`);
  let found = [];
  let active = -1;
  let waiting = 0;
  let asking = null;

  const place = () => {
    const rect = box()?.closest('[data-testid="stTextInputRootElement"]')?.getBoundingClientRect();
    if (!rect) return;
    panel.style.left = `${Math.max(rect.left, 8)}px`;
    panel.style.top = `${rect.bottom + 4}px`;
    panel.style.width = `${Math.min(rect.width, window.innerWidth - 16)}px`;
  };

  const describe = () => {
    const input = box();
    if (!input) return;
    const open = !panel.hidden;
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-haspopup', 'listbox');
    input.setAttribute('aria-expanded', String(open));
    input.setAttribute('aria-controls', LIST);
    input.setAttribute('autocomplete', 'off');
    if (open && active >= 0) input.setAttribute('aria-activedescendant', `${LIST}-${active}`);
    else input.removeAttribute('aria-activedescendant');
  };

  const close = () => {
    clearTimeout(waiting);
    asking?.abort();
    panel.hidden = true;
    active = -1;
    describe();
  };

  const choose = (one, add) => {
    const input = box();
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    close();
    found = [];
    set.call(input, '');
    input.dispatchEvent(new Event('input', { bubbles: true }));
    clearTimeout(waiting);
    state.choose({ id: one.id, add: add && state.data.adds });
  };

  const mark = (to) => {
    active = to;
    [...list.children].forEach((item, n) => item.setAttribute('aria-selected', String(n === active)));
    list.children[active]?.scrollIntoView({ block: 'nearest' });
    describe();
  };

  const part = (kind, text, tag = 'span') => {
    const made = document.createElement(tag);
    made.className = kind;
    made.textContent = text;
    return made;
  };

  // What was typed stands out where it is in the name as it was typed.
  const named = (name, typed) => {
    const words = part('name', '');
    const at = name.toLowerCase().indexOf(typed.toLowerCase());
    if (at < 0 || name.toLowerCase().length !== name.length) {
      words.textContent = name;
      return words;
    }
    const strong = document.createElement('mark');
    strong.textContent = name.slice(at, at + typed.length);
    words.append(name.slice(0, at), strong, name.slice(at + typed.length));
    return words;
  };

  const option = (one, n, typed) => {
    const type = state.data.types[one.type] ?? { name: one.type, colour: 'gray' };
    const item = document.createElement('li');
    item.id = `${LIST}-${n}`;
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', 'false');
    const dot = part('dot', '');
    dot.style.background = type.colour;
    const words = part('words', '');
    words.append(named(one.name, typed), ' ', part('kind', `· ${type.name}`));
    const more = [
      one.alsoCalled && `also called ${one.alsoCalled}`,
      one.toldApart && `${one.id}: ${one.toldApart}`,
    ].filter(Boolean);
    for (const text of more) words.append(part('more', text));
    item.append(dot, words);
    if (state.data.adds) {
      const add = part('add', '+', 'button');
      add.type = 'button';
      add.tabIndex = -1;
      add.title = 'Add to the canvas';
      add.setAttribute('aria-label', `Add ${one.name} to the canvas`);
      add.onclick = (event) => { event.stopPropagation(); choose(one, true); };
      item.append(add);
    }
    item.onclick = () => choose(one, false);
    return item;
  };

  const show = (suggested, typed) => {
    found = suggested;
    active = -1;
    list.replaceChildren(...found.map((one, n) => option(one, n, typed)));
    const read = found[0]?.readAs;
    const keys = state.data.adds ? '↑ ↓ choose · Enter opens · Ctrl + Enter adds to the canvas' : '↑ ↓ choose · Enter opens';
    foot.className = 'foot';
    foot.textContent = read ? `Nothing is called so; these are spelt nearly so. ${keys}` : keys;
    panel.hidden = false;
    said.textContent = found.length === 1 ? '1 suggestion' : `${found.length} suggestions`;
    place();
    describe();
  };

  // Nothing was found, or nothing could be looked up: what is said differs.
  const tell = (words) => {
    found = [];
    active = -1;
    list.replaceChildren();
    foot.className = 'foot problem';
    foot.textContent = said.textContent = words;
    panel.hidden = false;
    place();
    describe();
  };

  const ask = async () => {
    const typed = box()?.value.trim() ?? '';
    asking?.abort();
    if (!typed || typed.length > state.data.longest) return close();
    asking = new AbortController();
    try {
      const answer = await fetch(`/api/graph/suggest?q=${encodeURIComponent(typed)}`, { signal: asking.signal });
      const body = await answer.json();
      if (document.activeElement !== box() || box().value.trim() !== typed) return;
      if (answer.ok && body.suggestions.length) show(body.suggestions, typed);
      else if (answer.ok) tell(NOTHING);
      else tell(body.details);
    } catch (error) {
      if (error.name !== 'AbortError') close(); // the search itself says what is wrong
    }
  };

  listen(document, 'input', (event) => {
    if (event.target !== box()) return;
    clearTimeout(waiting);
    waiting = setTimeout(ask, PAUSE);
  });
  listen(document, 'focusin', (event) => { if (event.target === box()) describe(); });
  listen(document, 'focusout', (event) => { if (event.target === box()) close(); });
  // The box keeps the keyboard while the mouse chooses.
  listen(panel, 'mousedown', (event) => event.preventDefault());
  listen(window, 'resize', close);
  listen(document, 'scroll', (event) => { if (!panel.contains(event.target)) place(); });
  listen(document, 'keydown', (event) => {
    if (event.target !== box() || event.isComposing) return;
    const handled = () => { event.preventDefault(); event.stopPropagation(); };
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      handled();
      if (panel.hidden) ask();
      else mark(((active + 1 + move + found.length + 1) % (found.length + 1)) - 1);
    } else if (event.key === 'Escape' && !panel.hidden) {
      handled();
      close();
    } else if (event.key === 'Enter' && !panel.hidden && (active >= 0 || found.length === 1)) {
      handled(); // a single suggestion need not be marked
      choose(found[Math.max(active, 0)], event.ctrlKey || event.metaKey);
    } else if (event.key === 'Enter') {
      close();
    }
  });
  describe();
}
