export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.querySelector('.compare')?.remove();
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    made.className = className;
    if (text) made.textContent = text;
    return made;
  };
  const side = (told, which, section, row) => {
    if (told === null) return element('div', 'none quiet');
    const drawn = element('div', 'side ' + which);
    drawn.append(element('span', 'which-side quiet', which === 'old' ? 'Old' : 'New'));
    for (const [text, kind] of told.parts) {
      drawn.append(kind ? element(which === 'old' ? 'del' : 'ins', kind, text) : text);
    }
    const page = element('button', 'page', told.page);
    page.type = 'button';
    page.setAttribute('aria-label', `Open ${told.page} of the ${which} version`);
    page.onclick = () => setTriggerValue('clicked', { section, row, side: which, at: Date.now() });
    drawn.append(' ', page);
    return drawn;
  };
  const root = element('div', 'compare');
  const files = element('div', 'files');
  for (const [which, name] of [['Old', data.old], ['New', data.new]]) {
    const file = element('div', '');
    file.append(element('span', 'which quiet', which), name);
    files.append(file);
  }
  root.append(files);
  for (const section of data.sections) {
    const head = element('h3', 'section', section.name);
    head.append(element('span', 'quiet', section.counts));
    root.append(head);
    for (const row of section.rows) {
      const drawn = element('div', 'row ' + row.kind);
      if (row.word || row.numbers.length) {
        const told = element('div', 'told');
        told.append(element('span', 'kind', row.word));
        for (const number of row.numbers) told.append(element('span', 'amount', number));
        drawn.append(told);
      }
      if (row.under) drawn.append(element('div', 'under quiet', row.under));
      const pair = element('div', 'pair');
      pair.append(side(row.old, 'old', section.n, row.n), side(row.new, 'new', section.n, row.n));
      drawn.append(pair);
      root.append(drawn);
    }
  }
  if (data.sections.length === 0) root.append(element('p', 'nothing quiet', 'Nothing here differs so.'));
  parentElement.append(root);
}
