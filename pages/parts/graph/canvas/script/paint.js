// How nodes look, and which names have room. Sizes are pixels of the screen at every zoom.
const TAU = 2 * Math.PI;
const NAME = 12; // pixels of a name
const LINE = 14; // pixels from one line of a name to the next
const PADS = { left: 66, right: 66, top: 30, bottom: 88 }; // pixels for names and tools around what is fitted
const BELOW_LAST = 42; // of the lower one, for names: the rest is for tools
const GAP = 3; // pixels between a dot and its name

const SHAPES = {
  circle: (c, r) => c.arc(0, 0, r, 0, TAU),
  square: (c, r) => c.rect(-r * 0.88, -r * 0.88, r * 1.76, r * 1.76),
  diamond: (c, r) => polygon(c, r * 1.2, 4, -Math.PI / 2),
  triangle: (c, r) => polygon(c, r * 1.25, 3, -Math.PI / 2),
  down: (c, r) => polygon(c, r * 1.25, 3, Math.PI / 2),
  hexagon: (c, r) => polygon(c, r * 1.1, 6, 0),
  pentagon: (c, r) => polygon(c, r * 1.15, 5, -Math.PI / 2),
};

function polygon(c, r, corners, start) {
  for (let i = 0; i < corners; i++) {
    const at = start + (TAU * i) / corners;
    c[i ? 'lineTo' : 'moveTo'](r * Math.cos(at), r * Math.sin(at));
  }
  c.closePath();
}

/** Pixels from a dot's middle to its edge. */
function radius(node, scale) {
  const base = 6 + 8 * Math.sqrt(Math.sqrt(node.rank));
  return base * Math.max(0.45, Math.min(1.15, Math.sqrt(scale * 1.3)));
}

function outline(c, shape, r) {
  c.beginPath();
  (SHAPES[shape] ?? SHAPES.circle)(c, r);
}

/** Draw a node around the origin of a context whose unit is a pixel. */
function paintNode(c, node, r, inks, { selected, focused, hovered, faded }) {
  c.globalAlpha = faded ? 0.28 : 1;
  if (node.mark || selected) {
    outline(c, node.shape, r + (selected ? 3.5 : 3));
    c.lineWidth = selected ? 2.5 : node.mark === 2 ? 2 : 1.5;
    c.strokeStyle = selected ? inks.ink : inks.ring;
    if (!selected && node.mark === 1) c.globalAlpha *= 0.45;
    c.stroke();
    c.globalAlpha = faded ? 0.28 : 1;
  }
  if (selected && node.mark) {
    outline(c, node.shape, r + 6.5);
    c.lineWidth = 1.5;
    c.strokeStyle = inks.ring;
    c.stroke();
  }
  outline(c, node.shape, r);
  c.fillStyle = node.colour;
  c.fill();
  c.lineWidth = hovered ? 2 : 1;
  c.strokeStyle = hovered ? inks.ink : inks.paper;
  c.stroke();
  if (node.pinned) {
    c.beginPath();
    c.arc(0, 0, Math.max(1.6, r * 0.28), 0, TAU);
    c.fillStyle = inks.paper;
    c.fill();
  }
  if (focused) {
    c.setLineDash([3, 3]);
    outline(c, 'square', r + 9);
    c.lineWidth = 1.5;
    c.strokeStyle = inks.accent;
    c.stroke();
    c.setLineDash([]);
  }
  c.globalAlpha = 1;
}

/** A name in at most two lines. */
function nameLines(name, most) {
  if (name.length <= most) return [name];
  const cut = name.lastIndexOf(' ', most);
  const at = cut > most / 3 ? cut : most;
  const rest = name.slice(at).trim();
  return [name.slice(0, at), rest.length > most ? rest.slice(0, most - 1).trimEnd() + '…' : rest];
}

/** Where names go: the higher ranks first, each below, beside or above its dot, where neither a dot nor a name
 * is; a Map from id to {x, y, lines, w, align} in pixels of the screen, the origin where the drawing has it. */
function placeNames(context, nodes, scale, rankOf, always) {
  const cells = new Map();
  const SIZE = 64;
  const each = (box, act) => {
    for (let x = Math.floor(box.l / SIZE); x <= Math.floor(box.r / SIZE); x++)
      for (let y = Math.floor(box.t / SIZE); y <= Math.floor(box.b / SIZE); y++) act(`${x} ${y}`);
  };
  const take = (box) => each(box, (key) => (cells.get(key) ?? cells.set(key, []).get(key)).push(box));
  const isFree = (box, own) => {
    let free = true;
    each(box, (key) => {
      for (const other of cells.get(key) ?? [])
        if (other.own !== own && box.l < other.r && other.l < box.r && box.t < other.b && other.t < box.b)
          free = false;
    });
    return free;
  };
  const dots = nodes.map((node) => {
    const r = radius(node, scale);
    const [x, y] = [node.x * scale, node.y * scale];
    take({ l: x - r, r: x + r, t: y - r, b: y + r, own: node.id });
    return { node, x, y, r };
  });
  // What is fitted has this much room around it: a name that keeps to it is never cut off.
  const [xs, ys] = [dots.map((dot) => dot.x), dots.map((dot) => dot.y)];
  const edge = {
    l: Math.min(...xs) - PADS.left, r: Math.max(...xs) + PADS.right, t: Math.min(...ys) - PADS.top,
    b: Math.max(...ys) + BELOW_LAST,
  };
  const within = (box) => box.l >= edge.l && box.r <= edge.r && box.t >= edge.t && box.b <= edge.b;
  dots.sort((a, b) => rankOf(b.node) - rankOf(a.node));
  const found = new Map();
  context.font = `${NAME}px ${FACE}`;
  for (const { node, x, y, r } of dots) {
    node.lines ??= nameLines(node.name, 20);
    node.wide ??= Math.max(...node.lines.map((line) => context.measureText(line).width));
    const [w, h] = [node.wide, node.lines.length * LINE];
    const out = r + GAP + (node.mark ? 3 : 0);
    const places = [
      { x, y: y + out, l: x - w / 2, t: y + out, align: 'center' },
      { x: x + out, y: y - h / 2, l: x + out, t: y - h / 2, align: 'left' },
      { x, y: y - out - h, l: x - w / 2, t: y - out - h, align: 'center' },
      { x: x - out, y: y - h / 2, l: x - out - w, t: y - h / 2, align: 'right' },
    ].map((at) => ({ ...at, r: at.l + w, b: at.t + h, own: node.id }));
    const place = places.find((at) => within(at) && isFree(at, node.id)) ?? (always(node) ? places[0] : null);
    if (!place) continue;
    take(place);
    found.set(node.id, { ...place, lines: node.lines, w });
  }
  return found;
}

function paintName(c, at, inks, faded) {
  c.font = `${NAME}px ${FACE}`;
  c.textAlign = at.align;
  c.textBaseline = 'top';
  c.lineJoin = 'round';
  c.globalAlpha = faded ? 0.35 : 1;
  at.lines.forEach((line, number) => {
    c.lineWidth = 3;
    c.strokeStyle = inks.paper;
    c.strokeText(line, at.x, at.y + number * LINE);
    c.fillStyle = inks.ink;
    c.fillText(line, at.x, at.y + number * LINE);
  });
  c.globalAlpha = 1;
}
