// What stands around the drawing: legend, tools, menu, hint. Text from the graph is text content, never markup.
const FACE = '"Source Sans", "Source Sans Pro", "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

function make(tag, className, attributes = {}, ...children) {
  const made = document.createElement(tag);
  made.className = className;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function icon(name) {
  return make('span', 'graph-icon', { 'aria-hidden': 'true', translate: 'no' }, name);
}

function tool(what, picture, label) {
  return make('button', 'graph-tool',
    { type: 'button', 'data-do': what, 'aria-label': label, title: label }, icon(picture));
}

/** A canvas of so many pixels, painted by a function that gets its context. */
function sample(width, height, paint) {
  const ratio = window.devicePixelRatio || 1;
  const drawn = make('canvas', 'graph-sample', { 'aria-hidden': 'true' });
  drawn.width = width * ratio;
  drawn.height = height * ratio;
  drawn.style.width = width + 'px';
  drawn.style.height = height + 'px';
  const context = drawn.getContext('2d');
  context.scale(ratio, ratio);
  paint(context);
  return drawn;
}

class Legend {
  constructor(press) {
    this.root = make('div', 'graph-legend');
    this.fold = make('button', 'graph-fold', { type: 'button', 'aria-expanded': 'false' }, 'Legend');
    this.kinds = make('div', 'graph-keys', { role: 'group', 'aria-label': 'Types of entities' });
    this.verbs = make('div', 'graph-keys', { role: 'group', 'aria-label': 'Relationships' });
    this.root.append(this.fold, this.kinds, this.verbs);
    this.fold.onclick = () => {
      const open = this.root.toggleAttribute('data-open');
      this.fold.setAttribute('aria-expanded', String(open));
    };
    this.root.addEventListener('click', (event) => {
      const key = event.target.closest('[data-key]');
      if (!key) return;
      const on = key.getAttribute('aria-pressed') !== 'true';
      key.setAttribute('aria-pressed', String(on));
      press(key.dataset.of, key.dataset.key, on);
    });
  }

  show(kinds, verbs) {
    const told = JSON.stringify([kinds, verbs, window.devicePixelRatio]);
    if (told === this.told) return;
    this.told = told;
    const focus = this.root.contains(document.activeElement) ? document.activeElement.dataset : null;
    const draw = (of, one, picture) => make(
      'button', 'graph-key',
      { type: 'button', 'data-of': of, 'data-key': one.key, 'aria-pressed': String(one.on),
        title: one.on ? `Hide: ${one.name}` : `Show: ${one.name}` },
      picture, make('span', 'graph-key-name', {}, one.name),
      make('span', 'graph-key-count', {}, one.count.toLocaleString('en')));
    this.kinds.replaceChildren(...kinds.map((one) => draw('kind', one, sample(16, 16, (c) => {
      c.translate(8, 8);
      outline(c, one.shape, 5.5);
      c.fillStyle = one.colour;
      c.fill();
    }))));
    this.verbs.replaceChildren(...verbs.map((one) => draw('verb', one, sample(24, 10, (c) => {
      c.setLineDash(one.dash);
      c.strokeStyle = one.colour;
      c.lineWidth = 2;
      c.beginPath();
      c.moveTo(0, 5);
      c.lineTo(24, 5);
      c.stroke();
    }))));
    if (focus?.key)
      [...this.root.querySelectorAll('[data-key]')].find(
        (one) => one.dataset.of === focus.of && one.dataset.key === focus.key)?.focus();
  }
}

/** A menu of buttons at a place of the drawing; arrow keys walk in it, Esc closes it. */
class Menu {
  constructor(root) {
    this.root = make('div', 'graph-menu', { role: 'menu', hidden: '' });
    root.append(this.root);
    this.root.addEventListener('keydown', (event) => this.key(event));
    this.root.addEventListener('pointerdown', () => { this.touched = true; });
    document.addEventListener('pointerdown', (event) => {
      if (!this.root.contains(event.target)) this.close();
    }, true);
  }

  get isOpen() { return !this.root.hidden; }

  /** @param entries [label, icon, act] each. */
  open(title, entries, x, y, back) {
    this.back = back;
    this.touched = false;
    const head = make('div', 'graph-menu-title', { role: 'presentation' }, title);
    this.root.setAttribute('aria-label', title);
    this.root.replaceChildren(head, ...entries.map(([label, picture, act]) => {
      const entry = make('button', 'graph-menu-entry', { type: 'button', role: 'menuitem', tabindex: '-1' },
        icon(picture), make('span', '', {}, label));
      entry.onclick = (event) => {
        // The end of the long press that opened the menu is no click on what came to lie under the finger.
        if (event.detail && !this.touched) return;
        this.close(true);
        act();
      };
      return entry;
    }));
    this.root.hidden = false;
    const room = this.root.parentElement;
    this.root.style.left = Math.max(4, Math.min(x, room.clientWidth - this.root.offsetWidth - 4)) + 'px';
    this.root.style.top = Math.max(4, Math.min(y, room.clientHeight - this.root.offsetHeight - 4)) + 'px';
    this.root.scrollIntoView({ block: 'nearest' }); // a canvas may go on below the window
    this.root.querySelector('button').focus({ preventScroll: true });
  }

  close(giveBack = false) {
    if (!this.isOpen) return;
    this.root.hidden = true;
    if (giveBack) this.back?.focus({ preventScroll: true });
  }

  key(event) {
    const all = [...this.root.querySelectorAll('button')];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[(to + all.length) % all.length].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The words that appear beside what is pointed at. */
class Hint {
  constructor(root) {
    this.root = make('div', 'graph-hint', { role: 'tooltip', hidden: '' });
    root.append(this.root);
  }

  show(lines, x, y, covered) {
    this.root.replaceChildren(...lines.filter(Boolean).map(
      (line, number) => make('div', number ? 'graph-hint-more' : 'graph-hint-name', {}, line)));
    this.root.hidden = false;
    const room = this.root.parentElement;
    const left = x + 14 + this.root.offsetWidth > room.clientWidth - covered ? x - 14 - this.root.offsetWidth : x + 14;
    const top = y + 14 + this.root.offsetHeight > room.clientHeight ? y - 10 - this.root.offsetHeight : y + 14;
    this.root.style.left = Math.max(2, left) + 'px';
    this.root.style.top = Math.max(2, top) + 'px';
  }

  hide() { this.root.hidden = true; }
}
