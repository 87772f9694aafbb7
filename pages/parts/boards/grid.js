export default function ({ data, parentElement, setTriggerValue }) {
  const { selected, ...shown } = data;
  const content = JSON.stringify(shown);
  let frame = parentElement.querySelector('.frame');
  const element = (tag, role, className, text) => {
    const made = document.createElement(tag);
    if (role) made.setAttribute('role', role);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };
  const fill = (place, cell) => {
    if (!cell || cell.own) {
      place.setAttribute('aria-label', cell ? 'itself' : 'nothing found');
      if (cell) place.textContent = '\u2014';
      return;
    }
    place.classList.add(cell.support);
    place.title = cell.spoken;
    place.setAttribute('aria-label', cell.spoken);
    if (cell.said) place.append(element('span', '', 'said', cell.said));
    const marks = element('span', '', 'marks');
    for (const mark of cell.marks) marks.append(element('span', '', 'mark', mark));
    if (cell.differs) {
      place.classList.add('differs');
      marks.append(element('span', '', 'mark unlike', '\u2260'));
    }
    place.append(marks);
  };
  const draw = () => {
    const made = element('div', '', 'frame');
    made.dataset.content = content;
    const table = element('table', 'grid');
    table.setAttribute('aria-label', data.label);
    table.setAttribute('aria-rowcount', String(data.rows.length + 1));
    const head = element('tr', 'row');
    for (const name of [data.corner, ...data.columns.map((one) => one.name)]) {
      const cell = element('th', 'columnheader', '', name);
      cell.scope = 'col';
      head.append(cell);
    }
    const top = element('thead', 'rowgroup');
    top.append(head);
    const body = element('tbody', 'rowgroup');
    data.rows.forEach((row) => {
      const line = element('tr', 'row');
      const name = element('th', 'rowheader', row.quoted ? 'quoted' : '',
        row.quoted ? '\u201c' + row.name + '\u201d' : row.name);
      name.scope = 'row';
      line.append(name);
      for (const cell of row.cells) {
        const place = element('td', 'gridcell');
        fill(place, cell);
        line.append(place);
      }
      body.append(line);
    });
    table.append(top, body);
    made.append(table);
    return made;
  };
  if (!frame || frame.dataset.content !== content) {
    const before = frame ? [frame.scrollLeft, frame.scrollTop] : [0, 0];
    const old = parentElement.querySelector('.board');
    if (old) old.remove();
    frame = draw();
    const board = element('div', '', 'board');
    const more = element('button', '', 'more');
    more.type = 'button';
    const around = element('div', '', 'around');
    around.append(frame, element('span', '', 'edge'));
    board.append(more, around);
    parentElement.append(board);
    [frame.scrollLeft, frame.scrollTop] = before;
    // Which medicines lie beyond an edge: a scroll bar may be hidden, or below the window.
    const tell = () => {
      const [name, ...heads] = frame.querySelectorAll('thead th');
      const seen = frame.getBoundingClientRect();
      const left = seen.left + name.offsetWidth;
      const after = heads.filter((one) => one.getBoundingClientRect().right > seen.right + 2).length;
      const earlier = heads.filter((one) => one.getBoundingClientRect().left < left - 2).length;
      const said = (count) => `${count} more ${count === 1 ? 'medicine' : 'medicines'}`;
      const words = after ? `${said(after)} \u2192` : earlier ? `\u2190 ${said(earlier)}` : '';
      if (more.textContent !== words) more.textContent = words;
      more.hidden = !words;
      around.classList.toggle('goes_on', after > 0);
    };
    more.onclick = () => {
      const [name] = frame.querySelectorAll('thead th');
      const on = around.classList.contains('goes_on');
      frame.scrollTo({ left: on ? frame.scrollLeft + frame.clientWidth - name.offsetWidth : 0 });
    };
    frame.onscroll = tell;
    new ResizeObserver(tell).observe(frame);
    tell();
  }
  const rows = [...frame.querySelectorAll('tbody tr')];
  const at = (row, column) => rows[row] && rows[row].children[column];
  const columns = ['', ...data.columns.map((one) => one.key)];
  const own = (row, column) => {
    const cell = column > 0 && data.rows[row].cells[column - 1];
    return Boolean(cell && cell.own);
  };
  const reach = (row, column) => {
    for (const one of frame.querySelectorAll('[tabindex="0"]')) one.tabIndex = -1;
    const cell = at(row, column);
    if (cell) cell.tabIndex = 0;
    return cell;
  };
  const place = (target) => {
    const cell = target.closest('tbody th, tbody td');
    return cell ? [rows.indexOf(cell.parentElement), [...cell.parentElement.children].indexOf(cell)] : null;
  };
  const mark = (row, column) => {
    for (const one of frame.querySelectorAll('[aria-selected="true"]')) one.setAttribute('aria-selected', 'false');
    const cell = reach(row, column);
    if (cell) cell.setAttribute('aria-selected', 'true');
  };
  const pick = (row, column) => {
    if (own(row, column)) return;
    mark(row, column);
    setTriggerValue('picked', { row: data.rows[row].key, column: columns[column] });
  };
  frame.onclick = (event) => {
    const found = place(event.target);
    if (found) pick(...found);
  };
  frame.onkeydown = (event) => {
    const found = place(event.target);
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = found;
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const ends = { Home: [row, 0], End: [row, columns.length - 1], PageUp: [row - 10, column], PageDown: [row + 10, column] };
    const clamp = (value, most) => Math.max(0, Math.min(value, most));
    if (event.key === 'Enter' || event.key === ' ') {
      pick(row, column);
    } else if (steps[event.key] || ends[event.key]) {
      const step = steps[event.key];
      const [to, across] = step ? [row + step[0], column + step[1]] : ends[event.key];
      const cell = reach(clamp(to, rows.length - 1), clamp(across, columns.length - 1));
      cell.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const chosen = selected.length
    ? [data.rows.findIndex((row) => row.key === selected[0]), columns.indexOf(selected[1])]
    : [-1, -1];
  if (chosen[0] >= 0 && chosen[1] >= 0) {
    mark(...chosen);
    // A table that was drawn anew begins at its top.
    const cell = at(...chosen).getBoundingClientRect();
    const seen = frame.getBoundingClientRect();
    const head = frame.querySelector('thead').offsetHeight;
    if (cell.top < seen.top + head || cell.bottom > seen.bottom) {
      frame.scrollTop += cell.top - seen.top - (frame.clientHeight - cell.height) / 2;
    }
    // In a narrow page the evidence lies over the lower part of the window.
    const host = parentElement.getRootNode().host ?? parentElement;
    const around = host.closest('.st-key-board_with_evidence');
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const low = at(...chosen).getBoundingClientRect().bottom - innerHeight / 2;
    if (around && around.clientWidth < 46 * rem && low > 0) host.closest('[data-testid="stMain"]')?.scrollBy(0, low);
  }
  else if (!frame.querySelector('tbody [tabindex="0"]')) reach(0, Math.min(1, columns.length - 1));
}
