// Relationships as lines: how they look, and which one a pointer is at. Sizes are pixels of the screen.
const FEW_LINES = 14; // with more, only those of the selected node carry their words
const MANY = 40; // lines from which those that are not meant step back
const REACH = 6; // pixels from a line that still count as on it
const BEND = 26; // pixels by which a second line between the same two nodes stands aside
const ARROW = 8;

/** The course of a line: both ends on the dots' edges, and the middle that it passes. */
function course(line, nodes, scale) {
  const [from, to] = [nodes.get(line.from), nodes.get(line.to)];
  const [ax, ay, bx, by] = [from.x * scale, from.y * scale, to.x * scale, to.y * scale];
  const long = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / long, (by - ay) / long];
  // The same side for lines in either direction.
  const side = line.from < line.to ? 1 : -1;
  const bend = BEND * Math.ceil(line.nth / 2) * (line.nth % 2 ? 1 : -1) * side * Math.min(1, long / 120);
  const [mx, my] = [(ax + bx) / 2 - uy * bend, (ay + by) / 2 + ux * bend];
  const aim = (x, y, r) => {
    const away = Math.hypot(mx - x, my - y) || 1;
    return [x + ((mx - x) / away) * r, y + ((my - y) / away) * r];
  };
  const [sx, sy] = aim(ax, ay, radius(from, scale) + 1);
  const [ex, ey] = aim(bx, by, radius(to, scale) + 2 + (to.mark ? 3 : 0));
  // The control point of a curve that passes the middle.
  return { sx, sy, ex, ey, mx, my, cx: 2 * mx - (sx + ex) / 2, cy: 2 * my - (sy + ey) / 2 };
}

/** Where a course is after a share of its length. */
function along({ sx, sy, ex, ey, cx, cy }, t) {
  const [p, q, r] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
  return { x: p * sx + q * cx + r * ex, y: p * sy + q * cy + r * ey };
}

function paintLine(c, line, at, { width, opacity, over }) {
  c.globalAlpha = opacity;
  c.strokeStyle = c.fillStyle = line.colour;
  c.lineWidth = over ? width + 1.5 : width;
  const dx = at.ex - at.cx;
  const dy = at.ey - at.cy;
  const long = Math.hypot(dx, dy) || 1;
  const size = ARROW * Math.min(1.3, Math.max(0.6, width / 1.6));
  const [ux, uy] = [dx / long, dy / long];
  const [bx, by] = [at.ex - ux * size, at.ey - uy * size];
  c.setLineDash(line.dash);
  c.beginPath();
  c.moveTo(at.sx, at.sy);
  if (line.nth) c.quadraticCurveTo(at.cx, at.cy, bx, by);
  else c.lineTo(bx, by);
  c.stroke();
  c.setLineDash([]);
  c.beginPath();
  c.moveTo(at.ex, at.ey);
  c.lineTo(bx - uy * size * 0.42, by + ux * size * 0.42);
  c.lineTo(bx + uy * size * 0.42, by - ux * size * 0.42);
  c.fill();
  c.globalAlpha = 1;
}

/** A line's words in its middle. */
function paintVerb(c, line, at, inks) {
  c.font = `10.5px ${FACE}`;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.lineJoin = 'round';
  c.lineWidth = 3;
  c.strokeStyle = inks.paper;
  c.strokeText(line.verb, at.mx, at.my);
  c.fillStyle = inks.ink;
  c.fillText(line.verb, at.mx, at.my);
}

/** The id of the line nearest to a place of the drawing, if one is within reach. */
function lineNear(courses, x, y) {
  let [best, found] = [REACH, ''];
  for (const [id, at] of courses) {
    let last = { x: at.sx, y: at.sy };
    for (let step = 1; step <= 8; step++) {
      const next = along(at, step / 8);
      const [dx, dy] = [next.x - last.x, next.y - last.y];
      const share = Math.max(0, Math.min(1, ((x - last.x) * dx + (y - last.y) * dy) / (dx * dx + dy * dy || 1)));
      const far = Math.hypot(last.x + share * dx - x, last.y + share * dy - y);
      if (far < best) [best, found] = [far, id];
      last = next;
    }
  }
  return found;
}
