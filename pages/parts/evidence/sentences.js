export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.querySelector('.sentences')?.remove();
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    made.className = className;
    if (text) made.textContent = text;
    return made;
  };
  const root = element('div', 'sentences');
  root.append(element('p', 'summary', data.summary));
  for (const row of data.rows) {
    const drawn = element('div', 'row ' + row.support);
    const said = element('div', 'said', row.text);
    for (const problem of row.problems) said.append(element('span', 'problem', problem));
    const rests = element('div', 'rests');
    for (const one of row.evidence) {
      const button = element('button', 'evidence');
      button.type = 'button';
      button.append(element('span', 'place', one.n + ' · ' + one.place), element('span', 'quote', one.said));
      button.onclick = () => setTriggerValue('clicked', { n: one.n });
      rests.append(button);
    }
    if (row.evidence.length === 0) {
      // "The graph has no ..." rests on what is not there.
      const none = row.support === 'unsupported' ? 'Nothing was cited.' : 'Looked up; there is nothing to cite.';
      rests.append(element('span', 'nothing', none));
    }
    drawn.append(said, rests);
    root.append(drawn);
  }
  parentElement.append(root);
}
