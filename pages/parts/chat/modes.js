// Where the chat stands is decided here alone: attributes and custom properties of the root element say
// it, the style sheet places everything by them, and the server is never asked.
const KEPT = 'materia-chat';
const ARRIVED = 'materia-arrived'; // of a tab: what it was opened at has been seen
const PHONE = 768; // pixels of width up to which chat and page are seen one at a time
const SWITCH = 52; // pixels of the switch between them
const LEAST = { w: 300, h: 400 };
const PAGE = 360; // pixels of the page that a docked panel leaves, where there is room
const STEP = 20; // pixels of an arrow key
const FIRST = {
  mode: 'docked', opened: 'docked', side: 'left', dock: 440, x: -1, y: 80, w: 440, h: 620, phone: 'chat',
};

const between = (least, value, most) => Math.round(Math.max(least, Math.min(value, Math.max(least, most))));

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT)) || {};
    const known = Object.keys(FIRST).filter((name) => typeof kept[name] === typeof FIRST[name]);
    return { ...FIRST, ...Object.fromEntries(known.map((name) => [name, kept[name]])) };
  } catch {
    return { ...FIRST };
  }
}

/** The floating panel within the viewport: {x, y, w, h} in pixels. */
function clamped(at) {
  const w = between(Math.min(LEAST.w, innerWidth), at.w, innerWidth);
  const h = between(Math.min(LEAST.h, innerHeight), at.h, innerHeight);
  return { x: between(0, at.x, innerWidth - w), y: between(0, at.y, innerHeight - h), w, h };
}

function rectangle(state, mode) {
  if (innerWidth <= PHONE) return { x: 0, y: 0, w: innerWidth, h: innerHeight - SWITCH };
  const whole = { y: 0, h: innerHeight };
  if (mode === 'wide') return { ...whole, x: 0, w: Math.round(innerWidth / 2) };
  if (mode === 'floating') return clamped(state);
  const w = between(LEAST.w, state.dock, innerWidth - PAGE);
  return { ...whole, x: state.side === 'right' ? innerWidth - w : 0, w };
}

class Panel {
  constructor() {
    this.state = { ...read() };
    if (this.state.x < 0) this.state.x = innerWidth - this.state.w - 24;
    this.seen = null; // what the server said last
    this.unread = false;
    addEventListener('resize', () => this.show());
    addEventListener('keydown', (event) => this.key(event));
    addEventListener('pointerdown', (event) => this.press(event));
    addEventListener('pointerup', (event) => {
      const at = event.composedPath()[0]; // gone once the event is over, when the selection is made
      setTimeout(() => this.offer(event, at));
    });
  }

  get phone() { return innerWidth <= PHONE; }

  get mode() {
    if (this.phone) return this.state.phone === 'chat' ? 'docked' : 'minimized';
    return this.state.mode;
  }

  /** Change what is kept, and show it. */
  set(change) {
    Object.assign(this.state, change);
    localStorage.setItem(KEPT, JSON.stringify(this.state));
    this.show();
  }

  show() {
    const { mode, state } = this;
    const at = rectangle(state, mode === 'minimized' ? state.opened : mode);
    const root = document.documentElement;
    root.dataset.chatMode = mode;
    root.dataset.chatSide = state.side;
    root.toggleAttribute('data-chat-phone', this.phone);
    for (const name of ['x', 'y', 'w', 'h']) root.style.setProperty('--chat-' + name, at[name] + 'px');
    if (mode !== 'minimized') this.unread = false;
    if (!this.parts) return;
    const { tools, edge, opener, phone } = this.parts;
    for (const button of tools.children) {
      const on = button.dataset.do === mode
        || (mode === 'docked' && button.dataset.do === state.side);
      if (button.dataset.do !== 'grip') button.setAttribute('aria-pressed', String(on));
    }
    edge.setAttribute('aria-valuenow', String(at.w));
    edge.setAttribute('aria-valuemax', String(Math.max(LEAST.w, innerWidth - PAGE)));
    opener.setAttribute('aria-label', this.unread ? 'Open the chat: a new answer' : 'Open the chat');
    opener.dataset.unread = phone.dataset.unread = String(this.unread);
    for (const button of phone.children)
      button.setAttribute('aria-pressed', String((button.dataset.phone === 'chat') === (mode !== 'minimized')));
    phone.lastChild.setAttribute('aria-label', this.unread ? 'Chat: a new answer' : 'Chat');
  }

  /** Go to a mode: one of the four, `left` or `right` for docked there, `open` for the one used last. */
  go(to) {
    const was = this.mode;
    const focused = document.querySelector('[data-testid="stSidebar"]')?.contains(document.activeElement);
    if (this.phone) {
      this.set({ phone: to === 'minimized' ? 'page' : 'chat' });
    } else if (to === 'left' || to === 'right') {
      this.set({ mode: 'docked', opened: 'docked', side: to });
    } else if (to === 'open') {
      this.open();
    } else if (to === 'floating') {
      this.set({ mode: to, opened: to, ...clamped(this.state) });
    } else {
      this.set({ mode: to });
    }
    if (to === 'open' && was === 'minimized') this.write();
    if (to === 'minimized' && focused) this.parts.opener.focus();
  }

  /** Show the chat as it was opened last. */
  open() { this.set(this.phone ? { phone: 'chat' } : { mode: this.state.opened }); }

  toggleWide() { this.go(this.mode === 'wide' ? 'open' : 'wide'); }

  /** Put the keyboard into the input. */
  write() {
    if (this.mode === 'minimized') return this.go('open');
    const box = document.querySelector('.st-key-chat_input textarea');
    if (box) box.focus({ preventScroll: true });
  }

  /** Add a text to what is typed. */
  insert(text) {
    this.write();
    const box = document.querySelector('.st-key-chat_input textarea');
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
    set.call(box, (box.value ? box.value.trimEnd() + ' ' : '') + text + ' ');
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** Offer to ask about what is marked in an answer. */
  offer(event, at) {
    const root = at?.getRootNode?.();
    const { ask } = this.parts ?? {};
    if (!ask || event.target === ask) return;
    const inAnswer = root instanceof ShadowRoot && root.host.closest('.st-key-chat_log');
    const marked = inAnswer ? String((root.getSelection?.() ?? getSelection()) || '') : '';
    this.marked = marked.replace(/\s+/g, ' ').trim().slice(0, 200);
    ask.hidden = !this.marked;
    ask.style.left = Math.min(event.clientX, innerWidth - 150) + 'px';
    ask.style.top = Math.min(event.clientY + 14, innerHeight - 40) + 'px';
  }

  key(event) {
    if (event.defaultPrevented || event.isComposing) return;
    const at = event.composedPath()[0];
    const typing = at instanceof Element && at.closest('input, textarea, select, [contenteditable="true"]');
    const inChat = at instanceof Element && Boolean(at.getRootNode().host || at)
      && Boolean((at.getRootNode().host || at).closest('[data-testid="stSidebar"]'));
    const above = document.querySelector('[role="dialog"], [data-baseweb="popover"], [role="listbox"]');
    const control = event.ctrlKey || event.metaKey;
    const plain = !control && !event.altKey;
    const handled = () => { event.preventDefault(); return true; };
    if (above) return;
    if (control && event.key === '.' && handled()) return this.toggleWide();
    if (typing && !inChat) return;
    if (control && !event.altKey && event.key.toLowerCase() === 'k' && handled()) return this.write();
    if (event.key === 'Escape') return this.escape(inChat, handled);
    if (typing || !plain) return;
    if (event.key === '/' && handled()) return this.write();
    if (event.key.toLowerCase() === 'w' && handled()) this.toggleWide();
  }

  escape(inChat, handled) {
    const stop = document.querySelector('[data-testid="stSidebar"] [class*="st-key-stop_"] button:enabled');
    if (inChat && stop) {
      handled();
      stop.click();
    } else if (this.closeEvidence()) {
      handled();
    } else if (this.mode === 'wide') {
      handled();
      this.go('open');
    } else if (inChat && this.mode !== 'minimized') {
      handled();
      this.go('minimized');
    }
  }

  /** Close the evidence beside the chat, if any is open. */
  closeEvidence() {
    const close = document.querySelector('.st-key-evidence_shown .st-key-evidence_close button');
    close?.click();
    return Boolean(close);
  }

  // -- moved and resized ---------------------------------------------------------------------------

  press(event) {
    const at = event.target instanceof Element ? event.target : null;
    const edge = at?.closest('.chat-edge');
    const head = at?.closest('.st-key-chat_header');
    if (event.button !== 0 || this.phone || !(edge || head)) return;
    if (!edge && (this.mode !== 'floating' || at.closest('button:not([data-do="grip"]), input'))) return;
    const from = { ...rectangle(this.state, this.mode), px: event.clientX, py: event.clientY };
    const what = edge ? edge.dataset.edge : 'move';
    const holder = edge || head;
    event.preventDefault();
    holder.setPointerCapture(event.pointerId); // over the canvas's frame too
    const move = (now) => this.pull(what, from, now.clientX - from.px, now.clientY - from.py);
    const done = () => {
      holder.removeEventListener('pointermove', move);
      document.documentElement.removeAttribute('data-chat-moving');
    };
    document.documentElement.toggleAttribute('data-chat-moving', true);
    holder.addEventListener('pointermove', move);
    holder.addEventListener('lostpointercapture', done, { once: true });
  }

  /** Move the panel, or an edge of it, by so many pixels from where it was. */
  pull(what, from, dx, dy) {
    if (what === 'dock') {
      const w = from.w + (this.state.side === 'right' ? -dx : dx);
      return this.set({ dock: between(LEAST.w, w, innerWidth - PAGE) });
    }
    if (what === 'move') return this.set(clamped({ ...from, x: from.x + dx, y: from.y + dy }));
    let { x, y, w, h } = from;
    const right = x + w;
    const bottom = y + h;
    if (what.includes('e')) w = between(LEAST.w, w + dx, innerWidth - x);
    if (what.includes('s')) h = between(LEAST.h, h + dy, innerHeight - y);
    if (what.includes('w')) x = right - (w = between(LEAST.w, w - dx, right));
    if (what.includes('n')) y = bottom - (h = between(LEAST.h, h - dy, bottom));
    return this.set(clamped({ x, y, w, h }));
  }

  arrow(event, what) {
    const by = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (!by) return false;
    event.preventDefault();
    this.pull(what, rectangle(this.state, this.mode), ...by);
    return true;
  }

  // -- drawn and told --------------------------------------------------------------------------------

  /** A new tab on a phone shows the page that its link names; afterwards what was last chosen. */
  arrive(page) {
    if (sessionStorage.getItem(ARRIVED)) return;
    sessionStorage.setItem(ARRIVED, 'yes');
    if (this.phone && page.length > 1) this.set({ phone: 'page' });
  }

  /** What the server said: which conversation is open with how many answers, and what the page shows. */
  told(data) {
    const before = this.seen;
    this.seen = data;
    if (data.called > (before?.called ?? 0) && this.mode === 'minimized') this.open();
    if (!before) {
      this.arrive(data.page);
      return;
    }
    if (before.about.number !== data.about.number) this.insert(data.about.text);
    const same = before.session === data.session;
    if (same && data.turns > before.turns && this.mode === 'minimized') this.unread = true;
    // What was opened from the conversation is to be seen.
    const elsewhere = before.page !== data.page || before.graph !== data.graph;
    if (elsewhere && this.phone && same) this.set({ phone: 'page' });
    else if (elsewhere && this.mode === 'wide') this.go('open');
  }
}

function element(tag, className, attributes = {}, ...children) {
  const made = document.createElement(tag);
  made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function button(className, icon, label, attributes, text = '') {
  const drawn = element('span', 'chat-icon', { 'aria-hidden': 'true', translate: 'no' }, icon);
  return element(
    'button', className, { type: 'button', 'aria-label': label, title: label, ...attributes },
    drawn, ...(text ? [element('span', '', {}, text)] : []));
}

const TOOLS = [
  ['grip', 'drag_indicator', 'Move the chat: drag, or arrow keys; with Shift its size'],
  ['left', 'dock_to_right', 'Dock left'],
  ['right', 'dock_to_left', 'Dock right'],
  ['floating', 'picture_in_picture_alt', 'Float over the page'],
  ['wide', 'open_in_full', 'Read wide: answers left, evidence right (W, or Ctrl+.)'],
  ['minimized', 'minimize', 'Minimize (Esc)'],
];

function draw(panel) {
  const tools = element('div', 'chat-tools', { role: 'toolbar', 'aria-label': 'Place of the chat' });
  for (const [name, icon, label] of TOOLS)
    tools.append(button('chat-tool', icon, label, { 'data-do': name, tabindex: '-1' }));
  const shown = () => [...tools.children].filter((one) => one.offsetParent !== null);
  const stop = (one) => {
    for (const other of tools.children) other.tabIndex = other === one ? 0 : -1;
  };
  stop(tools.children[1]);
  tools.onclick = (event) => {
    const pressed = event.target.closest('button');
    if (!pressed || pressed.dataset.do === 'grip') return;
    stop(pressed);
    const to = pressed.dataset.do;
    if (to === 'wide') panel.toggleWide();
    else panel.go(to);
  };
  tools.onkeydown = (event) => {
    const at = event.target.closest('button');
    if (at?.dataset.do === 'grip' && panel.arrow(event, event.shiftKey ? 'se' : 'move')) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = shown();
    const next = all[(all.indexOf(at) + step + all.length) % all.length];
    stop(next);
    next.focus();
  };
  const edge = element('div', 'chat-edge', {
    'data-edge': 'dock', role: 'separator', tabindex: '0', title: 'Drag, or arrow keys: width of the chat',
    'aria-label': 'Width of the chat', 'aria-orientation': 'vertical', 'aria-valuemin': String(LEAST.w),
  });
  edge.onkeydown = (event) => { panel.arrow(event, 'dock'); }; // false would hold Tab back
  const edges = ['n', 'e', 's', 'w', 'ne', 'nw', 'se', 'sw'].map(
    (name) => element('div', 'chat-edge', { 'data-edge': name }));
  const opener = button('chat-opener', 'forum', 'Open the chat', {});
  opener.append(element('span', 'chat-dot', { 'aria-hidden': 'true' }));
  opener.onclick = () => panel.go('open');
  const phone = element('div', 'chat-switch', { role: 'group', 'aria-label': 'Page or chat' });
  for (const [name, icon, label] of [['page', 'web_asset', 'Page'], ['chat', 'forum', 'Chat']]) {
    const one = button('', icon, label, { 'data-phone': name }, label);
    one.onclick = () => panel.set({ phone: name });
    phone.append(one);
  }
  phone.lastChild.append(element('span', 'chat-dot', { 'aria-hidden': 'true' }));
  const beside = element('p', 'chat-beside', {},
    'Click a number in an answer: what it rests on is shown here.');
  const ask = element('button', 'chat-ask', { type: 'button', hidden: '' }, 'Ask about this');
  ask.onclick = () => {
    ask.hidden = true;
    panel.insert('\u201c' + panel.marked + '\u201d');
  };
  return { tools, edge, opener, phone, ask, all: [tools, edge, ...edges, opener, phone, beside, ask] };
}

export default function ({ data, parentElement }) {
  const panel = (window.materiaChat ??= new Panel());
  panel.told(data);
  if (!parentElement.querySelector('.chat-tools')) {
    panel.parts = draw(panel);
    parentElement.append(...panel.parts.all);
  }
  panel.show();
}
