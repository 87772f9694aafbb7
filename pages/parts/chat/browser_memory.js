// What the tab remembers: the open conversation, what is typed, and how far the conversation was read.
const CONVERSATION = 'materia-conversation';
const SCOPE = 'materia-chat-scope';
const DRAFT = 'materia-chat-draft';
const PLACE = 'materia-chat-place';
const SETTLING = 3000; // milliseconds in which answers are drawn, one after the other

const input = () => document.querySelector('.st-key-chat_input textarea');
const log = () => document.querySelector('.st-key-chat_log');

class Memory {
  constructor() {
    this.session = null;
    this.holding = null;
    this.box = null;
    try { this.left = JSON.parse(sessionStorage.getItem(PLACE)); } catch { this.left = null; }
    document.addEventListener('input', (event) => {
      if (event.target === input()) this.keepDraft();
    });
    // Sending empties the input without telling anybody.
    for (const kind of ['keyup', 'click', 'focusout'])
      document.addEventListener(kind, () => setTimeout(() => this.box === input() && this.keepDraft(), 50));
    document.addEventListener('scroll', (event) => {
      if (event.target !== log()) return;
      if (this.holding) this.holding();
      else if (this.session) this.keepPlace();
    }, true);
    for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      document.addEventListener(kind, () => this.release(), { capture: true, passive: true });
    new MutationObserver(() => this.fillIn()).observe(document.body, { childList: true, subtree: true });
  }

  keepDraft() {
    const box = input();
    if (box && box.value) sessionStorage.setItem(DRAFT, box.value);
    else if (box) sessionStorage.removeItem(DRAFT);
  }

  /** Fill an input that was drawn anew with what was typed before. */
  fillIn() {
    const box = input();
    if (!box || box === this.box) return;
    this.box = box;
    const draft = sessionStorage.getItem(DRAFT);
    if (!draft || box.value) return;
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
    set.call(box, draft);
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }

  keepPlace() {
    sessionStorage.setItem(PLACE, JSON.stringify({ session: this.session, top: Math.round(log().scrollTop) }));
  }

  /** Show the conversation of before a reload where it was left, any other at its newest question. */
  open(session, turns) {
    const other = session !== this.session;
    this.session = session;
    if (!other || !session || !turns) return;
    const left = this.left;
    this.left = null;
    this.hold(left && left.session === session ? () => left.top : newest);
  }

  /** Keep the log where `place` says until all is drawn or the reader moves. */
  hold(place) {
    const put = () => {
      const found = log();
      const top = found && place(found);
      if (found && top !== null && Math.abs(found.scrollTop - top) > 1) found.scrollTop = top;
    };
    this.release();
    this.holding = put;
    const again = setInterval(put, 60);
    const over = setTimeout(() => this.release(), SETTLING);
    this.end = () => { clearInterval(again); clearTimeout(over); };
    put();
  }

  release() {
    if (!this.holding) return;
    this.end();
    this.holding = null;
    if (log() && this.session) this.keepPlace();
  }
}

function newest(found) {
  const messages = found.querySelectorAll('[data-testid="stChatMessage"]');
  const question = messages[messages.length - 2];
  if (!question) return null;
  return found.scrollTop + question.getBoundingClientRect().top - found.getBoundingClientRect().top;
}

function keptScope() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(SCOPE)) || {};
    return Object.keys(kept).length ? kept : null;
  } catch {
    return null;
  }
}

export default function ({ data, setTriggerValue }) {
  if (data.fresh) {
    const session = sessionStorage.getItem(CONVERSATION);
    const scope = keptScope();
    if (session || scope) quietly(() => setTriggerValue('kept', { session, scope }));
  } else {
    if (data.session) sessionStorage.setItem(CONVERSATION, data.session);
    else sessionStorage.removeItem(CONVERSATION);
    sessionStorage.setItem(SCOPE, JSON.stringify(data.scope));
  }
  const memory = (window.materiaMemory ??= new Memory());
  memory.fillIn();
  memory.open(data.session, data.turns);
  // Offered until it is taken: what a page tells while it is drawn anew may not arrive.
  clearInterval(window.materiaOffer);
  if (!data.offered) return;
  const offer = () => {
    const box = input();
    if (!box || box.value) return Boolean(box);
    quietly(() => { if (!box.value) setTriggerValue('taken', data.offered); });
    return false;
  };
  if (!offer()) {
    window.materiaOffer = setInterval(() => {
      if (offer()) clearInterval(window.materiaOffer);
    }, 1000);
  }
}
