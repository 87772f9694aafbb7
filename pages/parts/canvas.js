// The graph canvas as SVG. Text from the graph goes into text nodes only (textContent).
const SVG = 'http://www.w3.org/2000/svg';
const MOST_ZOOM = 3, LEAST_ZOOM = 0.08, FIT_ZOOM = 1.25, MARGIN = 56;
const FAR = 0.55; // below this zoom relationships are not named
const SMALLEST = 0.6, LARGEST_DOT = 1.3; // below this zoom dots grow on the drawing, up to so much
const GLYPH = 0.54, LINE = 1.15; // of the font's size: a usual letter's width, a line's height
const LABEL = 12, LARGEST_LABEL = 34; // pixels; names grow on the drawing as it shrinks on the screen
const RING = 4.5; // pixels from a node's rim to its ring
const KEPT = 8; // views
const MOVED = 4; // pixels: less is a click, more is a drag

// Of each view: pan, zoom and where nodes were dragged to. It outlives a change of page.
const views = new Map();

function svg(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
}

function build(root) {
  const frame = document.createElement('div');
  frame.className = 'frame';
  const picture = svg('svg', { class: 'graph', role: 'group' }, frame);
  picture.setAttribute('aria-label', 'Graph');
  const defs = svg('defs', {}, picture);
  for (const name of ['arrow', 'strong']) {
    const marker = svg('marker', {
      id: name, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
      orient: 'auto', markerUnits: 'userSpaceOnUse', class: name,
    }, defs);
    svg('path', { d: 'M0,1 L8,4 L0,7 z' }, marker);
  }
  const world = svg('g', {}, picture);
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  const tools = document.createElement('div');
  tools.className = 'tools';
  frame.append(tip, tools);
  root.append(frame);
  const state = { frame, picture, world, tip, nodes: new Map(), edges: [], view: null, pan: null };
  for (const [label, sign, act] of [
    ['Zoom in', '+', () => zoom(state, 1.3)],
    ['Zoom out', '\u2212', () => zoom(state, 1 / 1.3)],
    ['Fit the graph', '\u2922', () => { state.pan.touched = false; fit(state); }],
  ]) {
    const button = document.createElement('button');
    button.type = 'button';
    button.title = label;
    button.setAttribute('aria-label', label);
    button.textContent = sign;
    button.onclick = act;
    tools.append(button);
  }
  listen(state);
  new ResizeObserver(() => state.pan && (state.pan.touched ? place(state) : fit(state)))
    .observe(frame);
  return state;
}

function fit(state) {
  const { width, height } = state.frame.getBoundingClientRect();
  if (!width || !state.nodes.size) return;
  const all = [...state.nodes.values()];
  const xs = all.map((node) => node.x), ys = all.map((node) => node.y);
  const left = Math.min(...xs), right = Math.max(...xs);
  const top = Math.min(...ys), bottom = Math.max(...ys);
  const k = Math.min(
    (width - 2 * MARGIN) / Math.max(right - left, 1),
    (height - 2 * MARGIN) / Math.max(bottom - top, 1),
    FIT_ZOOM,
  );
  Object.assign(state.pan, { k, x: (-k * (left + right)) / 2, y: (-k * (top + bottom)) / 2 });
  place(state);
}

function place(state) {
  const { width, height } = state.frame.getBoundingClientRect();
  const { x, y, k } = state.pan;
  state.world.setAttribute(
    'transform', `translate(${width / 2 + x},${height / 2 + y}) scale(${k})`,
  );
  state.world.style.setProperty('--name', `${labelSize(state)}px`);
  state.picture.classList.toggle('far', k < FAR);
  declutter(state);
}

function labelSize(state) {
  return Math.min(LABEL / state.pan.k, LARGEST_LABEL);
}

// A name that would lie on the name of a more important node is left out; hovering shows it.
function declutter(state) {
  const size = labelSize(state), boxes = [];
  const dot = Math.min(Math.max(SMALLEST / state.pan.k, 1), LARGEST_DOT);
  state.world.style.setProperty('--dot', dot);
  const ranked = [...state.nodes.values()].sort((one, other) => other.rank - one.rank);
  for (const { x, y, r, ring, lines, mark } of ranked) {
    const rim = (r + (ring ? RING : 0)) * dot;
    const below = y + rim;
    mark.querySelector('.name').setAttribute('y', rim);
    const half = (Math.max(...lines.map((line) => line.length)) * GLYPH * size) / 2;
    const box = [x - half, below, x + half, below + lines.length * LINE * size];
    const covered = boxes.some(([left, top, right, bottom]) => box[0] < right && left < box[2]
      && box[1] < bottom && top < box[3]);
    mark.classList.toggle('covered', covered);
    if (!covered) boxes.push(box);
  }
}

function zoom(state, factor, atX = 0, atY = 0) {
  const pan = state.pan;
  const k = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, pan.k * factor));
  pan.x = atX - ((atX - pan.x) * k) / pan.k;
  pan.y = atY - ((atY - pan.y) * k) / pan.k;
  pan.k = k;
  pan.touched = true;
  place(state);
}

function listen(state) {
  const { picture, frame } = state;
  let held = null;
  picture.addEventListener('wheel', (event) => {
    event.preventDefault();
    const box = frame.getBoundingClientRect();
    zoom(state, Math.exp(-event.deltaY / 500), event.clientX - box.left - box.width / 2,
      event.clientY - box.top - box.height / 2);
  }, { passive: false });
  picture.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const mark = event.target.closest('.node');
    held = { x: event.clientX, y: event.clientY, node: mark && state.nodes.get(mark.dataset.id),
      moved: false };
    picture.setPointerCapture(event.pointerId);
    hideTip(state);
  });
  picture.addEventListener('pointermove', (event) => {
    if (!held) return hover(state, event);
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    if (!held.moved && Math.hypot(dx, dy) < MOVED) return;
    Object.assign(held, { moved: true, x: event.clientX, y: event.clientY });
    state.pan.touched = true;
    if (held.node) {
      held.node.x += dx / state.pan.k;
      held.node.y += dy / state.pan.k;
      state.pan.dragged.set(held.node.id, [held.node.x, held.node.y]);
      arrange(state);
      declutter(state);
    } else {
      state.pan.x += dx;
      state.pan.y += dy;
      place(state);
    }
  });
  picture.addEventListener('pointerup', () => {
    if (held && held.node && !held.moved) state.send('clicked', held.node.id);
    held = null;
  });
  picture.addEventListener('pointercancel', () => { held = null; });
  picture.addEventListener('pointerleave', () => hideTip(state));
  picture.addEventListener('dblclick', (event) => {
    // The pointer is captured by the picture: the node is what lies under it.
    const under = state.picture.getRootNode().elementFromPoint(event.clientX, event.clientY);
    const mark = under && under.closest('.node');
    if (mark) state.send('expanded', mark.dataset.id);
  });
  picture.addEventListener('keydown', (event) => {
    const mark = event.target.closest('.node');
    if (mark && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      state.send('clicked', mark.dataset.id);
    }
  });
}

function hover(state, event) {
  const mark = event.target.closest('.node, .edge');
  if (!mark) return hideTip(state);
  const id = mark.dataset.id;
  const node = id === undefined ? null : state.nodes.get(id);
  const edge = node ? null : state.edges[Number(mark.dataset.edge)];
  const near = new Set(node ? [id] : [edge.source.id, edge.target.id]);
  for (const one of state.edges) {
    const touches = node ? one.source === node || one.target === node : one === edge;
    one.mark.classList.toggle('near', touches);
    if (touches) near.add(one.source.id).add(one.target.id);
  }
  for (const [key, one] of state.nodes) one.mark.classList.toggle('near', near.has(key));
  state.picture.classList.add('looking');
  const { tip, frame } = state;
  tip.textContent = node ? node.name : edge.words;
  const kind = document.createElement('span');
  kind.textContent = node ? node.kind : '';
  tip.append(kind);
  tip.hidden = false;
  const box = frame.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  tip.style.left = `${Math.max(4, Math.min(x + 14, box.width - tip.offsetWidth - 8))}px`;
  const below = y + 18 + tip.offsetHeight < box.height;
  tip.style.top = `${below ? y + 16 : y - tip.offsetHeight - 10}px`;
}

function hideTip(state) {
  state.tip.hidden = true;
  state.picture.classList.remove('looking');
}

// Lines end at the rim of a node, where its arrow can be seen.
function arrange(state) {
  for (const { x, y, mark } of state.nodes.values()) {
    mark.setAttribute('transform', `translate(${x},${y})`);
  }
  for (const { source, target, lines, text } of state.edges) {
    if (source === target) {
      const d = `M${source.x - 6},${source.y - source.r} c-30,-44 42,-44 12,0`;
      for (const line of lines) line.setAttribute('d', d);
    } else {
      const dx = target.x - source.x, dy = target.y - source.y;
      const length = Math.hypot(dx, dy) || 1;
      const end = Math.max(length - target.r - 3, 0) / length;
      const d = `M${source.x},${source.y} L${source.x + dx * end},${source.y + dy * end}`;
      for (const line of lines) line.setAttribute('d', d);
    }
    if (text) {
      text.setAttribute('x', (source.x + target.x) / 2);
      text.setAttribute('y', (source.y + target.y) / 2 - 3);
    }
  }
}

function drawEdge(state, edge, number) {
  const source = state.nodes.get(edge.source), target = state.nodes.get(edge.target);
  const mark = svg('g', { class: `edge ${edge.look}`, 'data-edge': number }, state.world);
  const line = svg('path', { class: 'line', 'marker-end': '' }, mark);
  line.setAttribute('marker-end', `url(#${edge.look === 'strong' ? 'strong' : 'arrow'})`);
  const wide = svg('path', { class: 'wide' }, mark);
  let text = null;
  if (edge.label) {
    text = svg('text', { class: 'verb' }, mark);
    text.textContent = edge.label;
  }
  state.edges.push({ source, target, mark, text, lines: [line, wide], words: edge.words });
}

function drawNode(state, node) {
  const [x, y] = state.pan.dragged.get(node.id) || [node.x, node.y];
  const mark = svg('g', {
    class: `node${node.selected ? ' selected' : ''}${node.ring ? ' ringed' : ''}`,
    tabindex: 0, role: 'button',
  }, state.world);
  mark.dataset.id = node.id;
  mark.setAttribute('aria-label', `${node.name}, ${node.kind}`);
  mark.setAttribute('aria-pressed', String(node.selected));
  if (node.ring) svg('circle', { class: 'ring', r: node.r + RING }, mark);
  svg('circle', { class: 'dot', r: node.r, fill: node.colour }, mark);
  const text = svg('text', { class: 'name' }, mark);
  node.lines.forEach((words) => {
    const line = svg('tspan', { x: 0, dy: '1.15em' }, text);
    line.textContent = words;
  });
  state.nodes.set(node.id, { ...node, x, y, mark });
}

function draw(state, data) {
  const active = state.picture.getRootNode().activeElement;
  const focused = active && active.dataset ? active.dataset.id : undefined;
  const known = views.get(data.view);
  state.pan = known || { x: 0, y: 0, k: 1, touched: false, dragged: new Map() };
  if (!known) {
    views.set(data.view, state.pan);
    if (views.size > KEPT) views.delete(views.keys().next().value);
  }
  hideTip(state);
  state.frame.classList.toggle('low', data.low);
  state.world.replaceChildren();
  state.nodes = new Map();
  state.edges = [];
  // Nodes are drawn over the lines: made first, as lines need their places, then put behind them.
  for (const node of data.nodes) drawNode(state, node);
  data.edges.forEach((edge, number) => drawEdge(state, edge, number));
  // The more important ones come last, so that no dot lies on their names.
  const ranked = [...state.nodes.values()].sort((one, other) => one.rank - other.rank);
  for (const { mark } of ranked) state.world.append(mark);
  arrange(state);
  if (state.pan.touched) place(state);
  else fit(state);
  if (focused !== undefined && state.nodes.has(focused)) {
    state.nodes.get(focused).mark.focus({ preventScroll: true });
  }
}

const made = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  if (!made.has(parentElement)) made.set(parentElement, build(parentElement));
  const state = made.get(parentElement);
  state.send = (what, id) => setTriggerValue(what, id);
  draw(state, data);
}
