// The drawing: vis-network holds nodes, lines, zoom and pointer; the server says what is drawn and where. What the
// analyst does is seen at once, and told to the server with a number until it has answered that number.
const STILL = 140; // milliseconds after which a drawing counts as still

class Graph extends Hands {
  constructor(name) {
    super();
    this.name = name;
    this.data = null;
    this.nodes = new Map();
    this.lines = new Map();
    this.near = new Map(); // id -> ids of neighbours
    this.homes = new Set(); // elements of the page that hold it, or did until a moment ago
    this.asked = [];
    this.number = 0;
    this.selected = this.line = this.focus = this.over = this.overLine = this.from = '';
    this.build();
  }

  build() {
    this.root = make('div', 'graph-root', { 'data-graph': this.name });
    this.legend = new Legend((of, key, on) => this.ask('filter', { of, key, on }));
    this.drawing = make('div', 'graph-drawing');
    this.net = make('div', 'graph-net', { 'aria-hidden': 'true' });
    this.list = make('div', 'graph-list', { role: 'listbox', tabindex: '0' });
    this.lineList = make('ul', 'graph-lines', { 'aria-label': 'Relationships that are drawn' });
    this.banner = make('div', 'graph-banner', { role: 'status', hidden: '' });
    this.tools = make('div', 'graph-tools', { role: 'toolbar', 'aria-label': 'Canvas' },
      tool('in', 'add', 'Zoom in (+)'), tool('out', 'remove', 'Zoom out (-)'),
      tool('fit', 'fit_screen', 'All of it in sight (0)'),
      tool('full', 'fullscreen', 'Full screen (F)'),
      tool('png', 'image', 'Save the picture (PNG)'),
      tool('menu', 'more_vert', 'What can be done with the selected entity (M)'));
    this.drawing.append(this.net, this.list, this.lineList, this.tools, this.banner);
    this.root.append(this.legend.root, this.drawing);
    this.hint = new Hint(this.drawing);
    this.menu = new Menu(this.drawing);
    this.stage = new Stage(this.root, (other) => this.resize(other));
    this.tools.onclick = (event) => this.press(event.target.closest('button')?.dataset.do);
    this.list.addEventListener('keydown', (event) => this.key(event));
    this.list.addEventListener('focus', () => this.paint());
    this.list.addEventListener('blur', () => this.paint());
    addEventListener('keydown', (event) => this.steps(event));
    // Lines are our own: as thick on the screen at every zoom, and changed without the library's notice.
    this.set = new vis.DataSet();
    this.network = new vis.Network(this.net, { nodes: this.set, edges: [] }, {
      autoResize: false, physics: false, layout: { improvedLayout: false },
      nodes: { shape: 'custom', chosen: false, ctxRenderer: (at) => this.node(at) },
      interaction: { hover: false, selectConnectedEdges: false, multiselect: false, tooltipDelay: 1e9 },
    });
    this.network.canvas.frame.tabIndex = -1;
    const on = (event, act) => this.network.on(event, act);
    on('click', (at) => this.click(at));
    on('doubleClick', (at) => this.expand(this.nodeAt(at)));
    on('oncontext', (at) => this.context(at));
    on('hold', (at) => { if (at.event.pointerType === 'touch') this.context(at); });
    on('dragStart', (at) => {
      [this.moving, this.dragging] = [at.nodes[0], true];
      this.hint.hide();
    });
    on('dragEnd', (at) => this.dropped(at));
    on('zoom', () => { this.touched = true; this.hint.hide(); });
    this.net.addEventListener('pointermove', (event) => this.hover(event));
    addEventListener('pointercancel', () => this.letGo());
    this.net.addEventListener('pointerleave', () => this.point('', ''));
    on('beforeDrawing', (context) => this.beforeDrawing(context));
    on('afterDrawing', (context) => this.afterDrawing(context));
  }

  // -- what the server said ------------------------------------------------------------------------

  told(data, tell, parent) {
    const before = this.data;
    this.tell = tell;
    this.data = data;
    this.homes.delete(parent);
    this.homes.add(parent);
    if (this.root.parentElement !== parent) parent.append(this.root);
    this.asked = this.asked.filter((one) => one.number > data.done);
    if (!this.asked.length) [this.selected, this.line] = [data.selected, data.line];
    this.inks = this.colours();
    const anew = before?.view !== data.view;
    if (anew) this.from = '';
    const added = this.take(data);
    this.legend.show(data.kinds, data.verbs);
    this.say();
    this.stage.watch();
    if (anew || before?.fit !== data.fit) this.fit();
    else if (added && (!this.touched || !this.allInSight())) this.fit();
    this.network.redraw();
  }

  /** A place on the page is gone: the drawing moves to the one that was told of last, if it was in this one. */
  left(parent) {
    this.homes.delete(parent);
    const other = [...this.homes].filter((one) => one.isConnected).at(-1);
    if (!other || this.root.isConnected) return;
    other.append(this.root);
    this.stage.watch();
    this.network.redraw();
  }

  /** Put the difference to what is drawn into the network; whether something came. */
  take(data) {
    const nodes = new Map(data.nodes.map((node) => [node.id, node]));
    const lines = new Map(data.lines.map((line) => [line.id, line]));
    const added = [...nodes.keys()].some((id) => !this.nodes.has(id));
    const dragged = new Set(this.asked.filter((one) => one.what === 'pin').map((one) => one.id));
    for (const [id, node] of nodes) {
      const was = this.nodes.get(id);
      if (was && dragged.has(id)) Object.assign(node, { x: was.x, y: was.y, pinned: true });
    }
    const gone = (old, now) => [...old.keys()].filter((id) => !now.has(id));
    this.set.remove(gone(this.nodes, nodes));
    this.set.update([...nodes.values()]
      .filter((node) => {
        const was = this.nodes.get(node.id);
        return !was || was.x !== node.x || was.y !== node.y;
      })
      .map(({ id, x, y }) => ({ id, x, y })));
    [this.nodes, this.lines] = [nodes, lines];
    this.near = new Map([...nodes.keys()].map((id) => [id, new Set()]));
    const pairs = new Map();
    for (const line of lines.values()) {
      this.near.get(line.from).add(line.to);
      this.near.get(line.to).add(line.from);
      const pair = [line.from, line.to].sort().join('\n');
      line.nth = pairs.get(pair) ?? 0;
      pairs.set(pair, line.nth + 1);
    }
    for (const id of ['selected', 'focus', 'over', 'from']) if (!nodes.has(this[id])) this[id] = '';
    if (!lines.has(this.line)) this.line = '';
    this.version = (this.version ?? 0) + 1;
    return added;
  }

  colours() {
    const read = getComputedStyle(this.drawing);
    const of = (name) => read.getPropertyValue(name).trim();
    return {
      ink: of('--st-text-color'), paper: of('--st-background-color'), accent: of('--st-primary-color'), ring: '#f0b429',
    };
  }

  /** Tell the server what the analyst did; once, whatever is drawn meanwhile. */
  ask(what, more = {}) {
    this.number = Math.max(Date.now(), this.number + 1);
    this.asked.push({ number: this.number, what, ...more });
    this.tell('asked', [...this.asked]);
  }

  // -- lines ---------------------------------------------------------------------------------------

  /** The courses of all lines at a zoom, from the drawing's origin. */
  coursesAt(scale) {
    const key = `${this.version} ${scale}`;
    if (this.coursed !== key) {
      this.coursed = key;
      this.courses = new Map([...this.lines].map(([id, line]) => [id, course(line, this.nodes, scale)]));
    }
    return this.courses;
  }

  /** How thick, strong and named each line is with what is selected: [line, look] each, the strong ones last. */
  looks(scale) {
    const all = [...this.lines.values()];
    const many = all.length > MANY;
    const strong = all.some((line) => line.strong);
    const mine = (line) => Boolean(this.selected) && (line.from === this.selected || line.to === this.selected);
    const ofSelected = all.filter(mine).length;
    const width = Math.max(0.7, Math.min(1.4, scale * 1.6));
    return all.map((line) => {
      const chosen = line.id === this.line;
      const meant = chosen || line.strong || (!strong && mine(line));
      const back = (this.selected || this.line || strong) && !meant;
      return [line, {
        meant, over: line.id === this.overLine,
        opacity: meant ? 0.95 : back ? (many ? 0.16 : 0.4) : many ? 0.45 : 0.8,
        width: chosen ? 3.2 : line.strong ? 2.6 : meant ? 1.7 : width,
        named: chosen || (strong ? line.strong : all.length <= FEW_LINES) || (mine(line) && ofSelected <= FEW_LINES),
      }];
    }).sort(([, one], [, other]) => one.meant - other.meant);
  }

  beforeDrawing(context) {
    if (!this.data || !this.net.clientWidth) return;
    const scale = this.network.getScale();
    const courses = this.coursesAt(scale);
    this.drawn = this.looks(scale);
    this.onScreen(context, () => {
      for (const [line, look] of this.drawn) paintLine(context, line, courses.get(line.id), look);
    });
  }

  /** Paint in pixels of the screen, from the drawing's origin. */
  onScreen(context, paint) {
    const scale = this.network.getScale();
    const at = this.network.getViewPosition();
    const ratio = context.canvas.width / this.net.clientWidth;
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.translate(this.net.clientWidth / 2 - at.x * scale, this.net.clientHeight / 2 - at.y * scale);
    paint();
    context.restore();
  }

  // -- nodes and names -----------------------------------------------------------------------------

  isMeant(id) {
    const line = this.lines.get(this.line);
    return id === this.selected || Boolean(this.near.get(this.selected)?.has(id)) || line?.from === id || line?.to === id;
  }

  isFaded(id) {
    return this.nodes.size > MANY && Boolean(this.selected || this.line) && !this.isMeant(id);
  }

  node({ ctx, id, x, y }) {
    const node = this.nodes.get(id);
    const scale = this.network?.getScale() || 1;
    const r = node ? radius(node, scale) : 1;
    const size = (2 * Math.max(r, 7)) / scale;
    return {
      drawNode: () => {
        if (!node) return;
        ctx.save();
        ctx.translate(x, y);
        ctx.scale(1 / scale, 1 / scale);
        paintNode(ctx, node, r, this.inks, {
          selected: id === this.selected,
          focused: id === this.focus && this.list.matches(':focus-visible'),
          hovered: id === this.over || id === this.from,
          faded: this.isFaded(id),
        });
        ctx.restore();
      },
      nodeDimensions: { width: size, height: size },
    };
  }

  rank(node) {
    return node.rank + 8 * (node.id === this.selected || node.id === this.focus) + 4 * this.isMeant(node.id)
      + node.mark + 3 * node.strong;
  }

  afterDrawing(context) {
    if (!this.data || !this.net.clientWidth) return;
    const scale = this.network.getScale();
    const key = [this.version, scale.toFixed(4), this.selected, this.line, this.focus].join(' ');
    if (key !== this.placed) {
      this.placed = key;
      const always = (node) => node.id === this.selected || node.id === this.focus || node.strong;
      const synced = [...this.nodes.values()];
      this.names = placeNames(context, synced, scale, (node) => this.rank(node), always);
    }
    this.onScreen(context, () => {
      for (const [line, look] of this.drawn ?? [])
        if (look.named) paintVerb(context, line, this.courses.get(line.id), this.inks);
      for (const [id, place] of this.names)
        if (id !== this.moving) paintName(context, place, this.inks, this.isFaded(id));
    });
    clearTimeout(this.quiet);
    this.root.removeAttribute('data-still');
    this.quiet = setTimeout(() => this.mark(), STILL);
  }

  paint() { this.network.redraw(); }

  // -- said to those who do not see it -------------------------------------------------------------

  say() {
    const told = JSON.stringify([this.data.nodes.map((one) => [one.id, one.name]), this.data.lines.map((one) => one.says)]);
    if (told === this.said) return;
    this.said = told;
    const many = (count, one, more) => `${count.toLocaleString('en')} ${count === 1 ? one : more}`;
    this.list.setAttribute('aria-label',
      `Graph of ${many(this.nodes.size, 'entity', 'entities')} and ${many(this.lines.size, 'relationship', 'relationships')}. `
      + 'Arrow keys walk between neighbours, Enter selects, E expands, M opens a menu.');
    this.list.replaceChildren(...[...this.nodes.values()].map((node, number) => make('div', '', {
      role: 'option', id: `graph-${this.name}-${number}`, 'data-id': node.id, 'aria-selected': 'false',
    }, `${node.name}, ${node.kind}, ${many(this.near.get(node.id).size, 'neighbour', 'neighbours')} here`)));
    this.options = new Map([...this.list.children].map((one) => [one.dataset.id, one]));
    this.lineList.replaceChildren(...[...this.lines.values()].map(
      (line) => make('li', '', { 'data-id': line.id }, line.says)));
  }

  /** Note where everything is, once the drawing stands still. */
  mark() {
    if (!this.root.isConnected || this.later) return;
    const scale = this.network.getScale();
    const put = (element, at) => {
      element.dataset.x = at.x.toFixed(1);
      element.dataset.y = at.y.toFixed(1);
    };
    for (const [id, node] of this.nodes) {
      const option = this.options.get(id);
      if (!option) continue;
      put(option, this.network.canvasToDOM({ x: node.x, y: node.y }));
      option.setAttribute('aria-selected', String(id === this.selected));
      option.toggleAttribute('data-named', this.names?.has(id) ?? false);
      option.toggleAttribute('data-pinned', Boolean(node.pinned));
      option.dataset.mark = String(node.mark);
    }
    for (const item of this.lineList.children) {
      const middle = this.courses?.get(item.dataset.id);
      if (middle) put(item, this.network.canvasToDOM({ x: middle.mx / scale, y: middle.my / scale }));
      item.toggleAttribute('data-selected', item.dataset.id === this.line);
    }
    if (this.options.has(this.focus)) this.list.setAttribute('aria-activedescendant', this.options.get(this.focus).id);
    else this.list.removeAttribute('aria-activedescendant');
    this.root.toggleAttribute('data-still', true);
  }
}

// One drawing for each name, for as long as the window lives: put into the page again, it is as it was left.
const drawings = (window.materiaGraphs ??= new Map());

export default function ({ data, parentElement, setStateValue }) {
  // Streamlit calls this some time after it has drawn: the element may be gone from the page by then.
  const show = () => {
    if (!parentElement.isConnected) return;
    if (!drawings.has(data.name)) drawings.set(data.name, new Graph(data.name));
    drawings.get(data.name).told(data, setStateValue, parentElement);
  };
  if (window.vis?.Network) show();
  else addEventListener('materia-graph-library', show, { once: true });
  return () => drawings.get(data.name)?.left(parentElement);
}
