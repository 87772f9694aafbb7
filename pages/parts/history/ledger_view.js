export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.querySelector('.ledger')?.remove();
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    made.className = className;
    if (text) made.textContent = text;
    return made;
  };
  const button = (className, clicked) => {
    const made = element('button', className);
    made.type = 'button';
    made.onclick = () => setTriggerValue('clicked', { ...clicked, at: Date.now() });
    return made;
  };
  const root = element('div', 'ledger');
  for (const turn of data.questions) {
    const head = element('h3', 'question', turn.number + '. ' + turn.question);
    head.append(element('span', 'quiet', [turn.asked, turn.confidence].filter(Boolean).join(' · ')));
    root.append(head);
    for (const claim of turn.claims) {
      const drawn = element('div', 'claim ' + claim.basis);
      const said = button('said', { claim: claim.number });
      const basis = element('span', 'basis', claim.word);
      if (claim.caution) basis.append(element('span', 'caution', claim.caution));
      said.append(basis, claim.text);
      for (const problem of claim.problems) said.append(element('span', 'problem', problem));
      const sources = element('div', 'sources');
      for (const one of claim.sources) {
        const source = button('source', { claim: claim.number, n: one.n });
        source.append(element('span', 'place', one.n + ' · ' + one.place), element('span', 'quote', one.said));
        if (one.changed) source.append(element('span', 'changed', one.changed));
        sources.append(source);
      }
      if (claim.sources.length === 0) sources.append(element('span', 'nothing', 'Nothing is cited.'));
      drawn.append(element('span', 'number quiet', claim.number), said, sources);
      root.append(drawn);
    }
  }
  if (data.questions.length === 0) root.append(element('p', 'quiet', 'No claim is like this. Take a filter away.'));
  parentElement.append(root);
}
