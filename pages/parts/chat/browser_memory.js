// What the tab remembers: the open conversation, what is typed, and how far the conversation was read.
const CONVERSATION = 'materia-conversation';
const SCOPE = 'materia-chat-scope';
const DRAFT = 'materia-chat-draft';
const PLACE = 'materia-chat-place';
const SETTLED = 2000; // milliseconds without change after which all answers count as drawn

const input = () => document.querySelector('.st-key-chat_input textarea');
const log = () => document.querySelector('.st-key-chat_log');

class Memory {
  constructor() {
    this.session = null;
    this.turns = 0;
    this.answered = '';
    this.placed = 0; // when the server told the last place
    this.filled = 0; // when it told what it fills the input with
    this.holding = null;
    this.box = null;
    try { this.left = JSON.parse(sessionStorage.getItem(PLACE)); } catch { this.left = null; }
    if (this.left?.session !== sessionStorage.getItem(CONVERSATION)) this.left = null; // not open at the reload
    document.addEventListener('input', (event) => {
      if (event.target === input()) this.keepDraft();
    });
    // Sending empties the input without telling anybody.
    for (const kind of ['keyup', 'click', 'focusout'])
      document.addEventListener(kind, () => setTimeout(() => this.box === input() && this.keepDraft(), 50));
    addEventListener('pagehide', () => this.box === input() && this.keepDraft()); // sent a moment before
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

  /** A question that comes back into the input is typed by nobody: no event would keep it. */
  keepFilled({ text, told }) {
    if (!text || told === this.filled) return;
    this.filled = told;
    sessionStorage.setItem(DRAFT, text);
  }

  /** Have the panel drawn once more where it shows what it does not have any more: Streamlit's browser side
      keeps what a run of the panel left out when a part that refreshes itself ran right behind it. */
  complete({ scope, turns }, times = 3) {
    clearTimeout(this.completing);
    const left = () => {
      const chips = Object.entries(scope).reduce((sum, [kind, of]) => sum + (kind === 'scope_entities' ? 1 : of.length), 0);
      const count = (part) => document.querySelectorAll(part).length;
      return count('.st-key-chat_scope [class*="st-key-chip_"]') > chips || count('.st-key-chat_log [class*="st-key-closing_"]') > turns;
    };
    const look = () => {
      const busy = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== 'notRunning';
      if (!busy && !left()) return;
      if (!busy) {
        window.materiaRedraw?.(`left over ${times}`);
        times -= 1;
      }
      if (times > 0) this.completing = setTimeout(look, SETTLED);
    };
    this.completing = setTimeout(look, SETTLED / 2);
  }

  keepPlace() {
    sessionStorage.setItem(PLACE, JSON.stringify({ session: this.session, top: Math.round(log().scrollTop) }));
  }

  /** Show a conversation at the answer it was opened at; that of before a reload where it was left; any other at
      its newest question. A new answer is read from its beginning, with its question above it. */
  open({ session, turns, place, answered }) {
    const other = session !== this.session;
    // A run may have the new turn, and the next one that its answer was waited for.
    const came = !other && answered && answered !== this.answered;
    if (!other && turns > this.turns) this.release();
    this.session = session;
    this.turns = turns;
    this.answered = answered;
    if (!session || !turns) return;
    if (place.turn && place.told !== this.placed) {
      this.placed = place.told;
      this.left = null;
      this.hold(asked(place.turn));
      return;
    }
    if (came) this.hold(asked(answered));
    if (!other) return;
    const left = this.left;
    this.left = null;
    this.hold(left && left.session === session ? () => left.top : newest);
  }

  /** Keep the log where `place` says until all is drawn, however long that takes, or the reader moves. */
  hold(place) {
    let height = -1;
    let since = performance.now();
    const put = () => {
      const found = log();
      const top = found && place(found);
      const app = document.querySelector('[data-testid="stApp"]');
      if (found && top !== null && Math.abs(found.scrollTop - top) > 1) found.scrollTop = top;
      if (!found || top === null || found.scrollHeight !== height || app?.dataset.testScriptState !== 'notRunning') {
        height = found ? found.scrollHeight : -1;
        since = performance.now();
      } else if (performance.now() - since > SETTLED) {
        this.release();
      }
    };
    this.release();
    this.holding = put;
    const again = setInterval(put, 60);
    this.end = () => clearInterval(again);
    put();
  }

  release() {
    if (!this.holding) return;
    this.end();
    this.holding = null;
    if (log() && this.session) this.keepPlace();
  }
}

const messages = (found) => [...found.querySelectorAll('[data-testid="stChatMessage"]')];

function top(found, message) {
  if (!message) return null;
  return found.scrollTop + message.getBoundingClientRect().top - found.getBoundingClientRect().top;
}

const newest = (found) => top(found, messages(found).at(-2));

/** Where the question of a turn stands. */
const asked = (turn) => (found) => {
  const answer = found.querySelector('.st-key-answer_' + CSS.escape(turn))?.closest('[data-testid="stChatMessage"]');
  return answer ? top(found, messages(found)[messages(found).indexOf(answer) - 1]) : null;
};

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
  memory.keepFilled(data.filled);
  memory.fillIn();
  memory.open(data);
  memory.complete(data);
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
