// What pointer and keyboard do with the drawing, and what of it is in sight.
const MOST_SCALE = 1.1;
const STEP = 1.25; // of zoom
const DOUBLE = 380; // milliseconds in which a second click may come

class Hands {
  // -- pointer -------------------------------------------------------------------------------------

  nodeAt(at) { return this.network.getNodeAt(at.pointer.DOM) ?? ''; }

  lineAt(at) { return this.lineBelow(at.pointer.DOM); }

  /** The line at a place of the canvas. */
  lineBelow({ x, y }) {
    const scale = this.network.getScale();
    const at = this.network.DOMtoCanvas({ x, y });
    return lineNear(this.coursesAt(scale), at.x * scale, at.y * scale);
  }

  hover(event) {
    if (event.buttons || event.pointerType === 'touch') return;
    const own = this.net.getBoundingClientRect();
    const at = { x: event.clientX - own.left, y: event.clientY - own.top };
    const node = this.network.getNodeAt(at) ?? '';
    const line = node ? '' : this.lineBelow(at);
    if (node !== this.over || line !== this.overLine) this.point(node, line, at);
  }

  click(at) {
    if (at.event.type === 'press' && at.event.pointerType === 'touch') return; // a long press opens the menu
    const id = this.nodeAt(at);
    this.clicked = performance.now();
    this.list.focus({ preventScroll: true });
    this.hint.hide();
    if (this.from) {
      if (id && id !== this.from) this.ask('path', { id: this.from, to: id });
      if (id) this.choosePath('');
      return;
    }
    if (id) this.select(id);
    else this.selectLine(this.lineAt(at));
  }

  select(id) {
    this.focus = id;
    if (id === this.selected && !this.line) return;
    [this.selected, this.line] = [id, ''];
    this.paint();
    this.ask('select', { id });
  }

  /** Select a line, or nothing. */
  selectLine(id) {
    if (id === this.line && !this.selected) return;
    [this.selected, this.line] = ['', id];
    this.paint();
    this.ask(id ? 'line' : 'select', { id });
  }

  expand(id) { if (id) this.ask('expand', { id }); }

  point(node, line, at) {
    if (!node && !line && !this.over && !this.overLine) return;
    [this.over, this.overLine] = [node, line];
    this.net.style.cursor = node || line ? 'pointer' : '';
    const one = this.nodes.get(node);
    const other = this.lines.get(line);
    if (!at || this.menu.isOpen) this.hint.hide();
    else if (one) {
      const ties = `${one.degree.toLocaleString('en')} ${one.degree === 1 ? 'relationship' : 'relationships'} in the graph`;
      this.hint.show([one.name, `${one.kind} · ${ties}`, one.about], at.x, at.y, this.stage.covered().right);
    } else if (other) this.hint.show([other.says], at.x, at.y, this.stage.covered().right);
    else this.hint.hide();
    this.paint();
  }

  /** No drag any more, whether it ended or was taken away: what waited for it comes. */
  letGo() {
    this.dragging = false;
    if (this.held) this.later = setTimeout(() => this.settle(), 0);
    this.held = false;
  }

  dropped(at) {
    const id = at.nodes[0];
    this.moving = '';
    this.letGo();
    if (!id || !this.nodes.has(id)) {
      this.touched = true;
      return;
    }
    const place = this.network.getPositions([id])[id];
    const node = this.nodes.get(id);
    if (!place || (Math.abs(place.x - node.x) < 1 && Math.abs(place.y - node.y) < 1)) return;
    Object.assign(node, { x: place.x, y: place.y, pinned: true });
    this.version += 1;
    this.network.unselectAll();
    this.touched = true;
    this.ask('pin', { id, x: place.x, y: place.y });
    this.paint();
  }

  context(at) {
    at.event.preventDefault();
    this.hint.hide();
    const id = this.nodeAt(at);
    const { x, y } = at.pointer.DOM;
    if (id) return this.openMenu(id, x, y);
    const line = this.lineAt(at);
    const told = this.lines.get(line);
    const entries = told
      ? [['Show the relationship', 'link', () => this.selectLine(line)],
        [`Hide all “${told.verb}”`, 'visibility_off', () => this.ask('filter', { of: 'verb', key: told.type, on: false })]]
      : [];
    entries.push(['All of it in sight', 'fit_screen', () => this.fit()]);
    if (this.data.hidden) entries.push([`Show ${this.data.hidden} hidden`, 'visibility', () => this.ask('unhide')]);
    this.menu.open(told?.says ?? 'Canvas', entries, x, y, this.list);
  }

  openMenu(id, x, y) {
    const node = this.nodes.get(id);
    if (!node) return;
    const entries = [
      ['Expand', 'add_circle', () => this.expand(id)],
      ['Collapse', 'do_not_disturb_on', () => this.ask('collapse', { id })],
      ['Hide', 'visibility_off', () => this.ask('hide', { id })],
      node.pinned
        ? ['Unpin', 'keep_off', () => this.ask('unpin', { id })]
        : ['Pin here', 'keep', () => this.ask('pin', { id, x: node.x, y: node.y })],
      ['Only this and its neighbours', 'center_focus_strong', () => this.ask('only', { id })],
      ['Path to ...', 'route', () => this.choosePath(id)],
      ['Ask about it', 'forum', () => this.ask('about', { id })],
    ];
    const offered = entries.filter(([label]) => this.data.able.includes(label));
    this.menu.open(node.name, offered, x, y, this.list);
  }

  /** Wait for the other end of a path, or no longer. */
  choosePath(id) {
    this.from = id;
    const name = this.nodes.get(id)?.name;
    this.banner.hidden = !id;
    this.banner.textContent = id ? `Path from ${name}: click the other end (Esc: never mind)` : '';
    this.paint();
  }

  press(what) {
    const scale = this.network.getScale();
    if (what === 'in') this.zoom(scale * STEP);
    else if (what === 'out') this.zoom(scale / STEP);
    else if (what === 'fit') this.fit();
    else if (what === 'full') this.stage.full(!this.stage.isFull);
    else if (what === 'png') this.save();
    else if (what === 'menu') this.menuOf(this.selected || this.focus);
  }

  menuOf(id) {
    const node = this.nodes.get(id);
    if (!node) {
      this.banner.hidden = false;
      this.banner.textContent = 'Select an entity first: click it, or walk to it with the arrow keys.';
      setTimeout(() => { if (!this.from) this.banner.hidden = true; }, 4000);
      return;
    }
    const at = this.network.canvasToDOM({ x: node.x, y: node.y });
    this.openMenu(id, at.x + 12, at.y + 12);
  }

  // -- keyboard ------------------------------------------------------------------------------------

  key(event) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const id = this.focus || this.selected;
    const control = event.ctrlKey || event.metaKey || event.altKey;
    if (control) return;
    if (by) this.walk(...by);
    else if (event.key === 'Enter' || event.key === ' ') {
      if (this.from && id && id !== this.from) {
        this.ask('path', { id: this.from, to: id });
        this.choosePath('');
      } else if (id) this.select(id);
    } else if (event.key === 'Escape' && this.from) this.choosePath('');
    else if (event.key === 'Escape' && this.stage.isFull) this.stage.full(false);
    else if (event.key === 'Escape' && (this.selected || this.line)) this.selectLine('');
    else if (event.key === 'm' || event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) this.menuOf(id);
    else if (event.key === 'e') this.expand(id);
    else if (event.key === 'Delete' && id) this.ask('hide', { id });
    else if (event.key === '+' || event.key === '=') this.press('in');
    else if (event.key === '-') this.press('out');
    else if (event.key === '0') this.fit();
    else if (event.key === 'f') this.press('full');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Go to the neighbour that lies nearest to a direction. */
  walk(dx, dy) {
    const at = this.nodes.get(this.focus || this.selected);
    if (!at) {
      this.focus = [...this.nodes.values()].sort((a, b) => b.rank - a.rank)[0]?.id ?? '';
    } else {
      let best = Infinity;
      for (const id of this.near.get(at.id)) {
        const other = this.nodes.get(id);
        const [x, y] = [other.x - at.x, other.y - at.y];
        const along = x * dx + y * dy;
        const aside = Math.abs(x * dy) + Math.abs(y * dx);
        if (along <= 0 || aside > 3 * along) continue;
        const cost = along + 2 * aside;
        if (cost < best) [best, this.focus] = [cost, id];
      }
    }
    this.intoSight(this.focus);
    this.paint();
  }

  /** Undo and redo, wherever on the page the keyboard is, except in a field; Esc leaves full screen. */
  steps(event) {
    if (event.key === 'Escape' && this.root.isConnected && this.stage.isFull && !this.menu.isOpen)
      return this.stage.full(false);
    const typing = event.composedPath()[0] instanceof Element
      && event.composedPath()[0].closest('input, textarea, select, [contenteditable="true"]');
    if (typing || !this.root.isConnected || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const what = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' ? 'undo' : '';
    if (!what) return;
    event.preventDefault();
    this.ask(what);
  }

  // -- in sight ------------------------------------------------------------------------------------

  zoom(scale) {
    this.touched = true;
    this.network.moveTo({ scale: Math.max(0.05, Math.min(4, scale)) });
  }

  /** The part of the canvas that nothing covers, in its pixels. */
  free() {
    const over = this.stage.covered();
    return {
      left: PADS.left, top: PADS.top,
      right: Math.max(PADS.left + 80, this.net.clientWidth - over.right - PADS.right),
      bottom: Math.max(PADS.top + 80, this.net.clientHeight - over.bottom - (over.bottom ? BELOW_LAST : PADS.bottom)),
    };
  }

  fit() {
    const all = [...this.nodes.values()];
    if (!all.length) return;
    if (!this.net.clientWidth) {
      this.wanted = true; // once it has a size
      return;
    }
    const [xs, ys] = [all.map((node) => node.x), all.map((node) => node.y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const free = this.free();
    const scale = Math.min(
      (free.right - free.left) / Math.max(right - left, 1), (free.bottom - free.top) / Math.max(bottom - top, 1),
      MOST_SCALE);
    const aside = {
      x: (free.left + free.right) / 2 - this.net.clientWidth / 2,
      y: (free.top + free.bottom) / 2 - this.net.clientHeight / 2,
    };
    this.touched = false;
    this.network.moveTo({
      scale, position: { x: (left + right) / 2 - aside.x / scale, y: (top + bottom) / 2 - aside.y / scale },
    });
  }

  allInSight() {
    return [...this.nodes.values()].every((node) => {
      const at = this.network.canvasToDOM(node);
      return at.x > 0 && at.y > 0 && at.x < this.net.clientWidth && at.y < this.net.clientHeight;
    });
  }

  /** Move the drawing as little as brings a node into the free part of the canvas. */
  intoSight(id) {
    const node = this.nodes.get(id);
    if (!node) return;
    const at = this.network.canvasToDOM(node);
    const free = this.free();
    const dx = Math.min(0, free.right - at.x) + Math.max(0, free.left - at.x);
    const dy = Math.min(0, free.bottom - at.y) + Math.max(0, free.top - at.y);
    if (!dx && !dy) return;
    const view = this.network.getViewPosition();
    const scale = this.network.getScale();
    this.network.moveTo({ position: { x: view.x - dx / scale, y: view.y - dy / scale } });
  }

  /** The page has another shape: fit anew, unless the analyst chose what is seen and only details came. */
  resize(other) {
    this.wanted = this.wanted || other || !this.sized;
    const wait = Math.max(30, DOUBLE - (performance.now() - (this.clicked ?? -DOUBLE)));
    clearTimeout(this.later);
    if (!this.sized) return this.settle();
    this.root.removeAttribute('data-still');
    this.later = setTimeout(() => this.settle(), wait);
  }

  settle() {
    // Nothing moves under the hand that drags; it comes when that lets go.
    if (this.dragging) return (this.held = true);
    this.later = 0;
    if (!this.root.isConnected || !this.drawing.clientWidth || !this.data) return this.stage.forget();
    this.sized = true;
    this.root.style.setProperty('--graph-covered', this.stage.covered().right + 'px');
    this.network.setSize(this.drawing.clientWidth + 'px', this.drawing.clientHeight + 'px');
    if (this.wanted || !this.touched) this.fit();
    else this.intoSight(this.selected);
    this.wanted = false;
    this.network.redraw();
  }

  /** Save what is seen as a picture, on the page's own paper. */
  save() {
    const drawn = this.network.canvas.frame.canvas;
    const picture = make('canvas', '');
    [picture.width, picture.height] = [drawn.width, drawn.height];
    const context = picture.getContext('2d');
    context.fillStyle = this.inks.paper;
    context.fillRect(0, 0, picture.width, picture.height);
    context.drawImage(drawn, 0, 0);
    picture.toBlob((blob) => {
      const address = URL.createObjectURL(blob);
      make('a', '', { href: address, download: 'graph.png' }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    });
  }
}
