export default function ({ data, parentElement, setTriggerValue }) {
  // The same answer stays as it is, so that a mark keeps the keyboard's focus while the panel is drawn anew.
  const content = JSON.stringify(data);
  const present = parentElement.querySelector('.answer');
  if (present && present.dataset.content === content) return;
  if (present) present.remove();
  const root = document.createElement('div');
  root.dataset.content = content;
  root.className = 'answer ' + data.state;
  root.setAttribute('role', 'article');
  root.setAttribute('aria-label', 'Answer');
  const cite = (n, label) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cite';
    button.textContent = String(n);
    button.title = label;
    button.setAttribute('aria-label', 'Evidence ' + n + ': ' + label);
    button.onclick = () => setTriggerValue('clicked', { kind: 'citation', n });
    return button;
  };
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    made.className = className;
    if (text) made.textContent = text;
    return made;
  };
  // No line begins with what ends a clause: it stays with the mark before it. Gives what is left of the text.
  const withMark = (place, text) => {
    const mark = place.lastChild;
    const ending = mark?.className === 'cite' ? text.match(/^[,.;:!?)]+/)?.[0] : '';
    if (!ending) return text;
    const kept = element('span', 'kept');
    mark.replaceWith(kept);
    kept.append(mark, ending);
    return text.slice(ending.length);
  };
  const fill = (place, parts) => {
    for (const part of parts) {
      if (part.cite) {
        place.append(cite(part.cite, data.labels[part.cite] || ''));
      } else if (part.entity) {
        const button = element('button', 'entity', part.text);
        button.type = 'button';
        button.title = 'Open in the explorer';
        button.onclick = () => setTriggerValue('clicked', { kind: 'entity', id: part.entity });
        place.append(button);
      } else if (part.rest !== undefined) {
        const button = element('button', 'rest', part.text);
        button.type = 'button';
        button.title = 'Open the whole list as a table';
        button.onclick = () => setTriggerValue('clicked', { kind: 'rest', sentence: part.rest });
        place.append(button);
      } else if (part.wrong) {
        place.append(element('span', 'wrong', part.text));
      } else {
        place.append(document.createTextNode(withMark(place, part.text)));
      }
    }
  };
  const problems = (sentence) => {
    const isWrong = sentence.support === 'unsupported';
    return sentence.problems.map((problem, i) => {
      const head = i > 0 ? '' : isWrong ? '\u26a0 Not supported: ' : '\u2139 Note: ';
      return element('span', isWrong ? 'problem' : 'note', head + problem);
    });
  };
  const tell = (sentence, inBlock) => {
    const isList = sentence.items.length > 0;
    const told = element(isList ? 'div' : inBlock ? 'span' : 'p', 'sentence ' + sentence.support);
    if (sentence.decisive) told.classList.add('decisive');
    if (isList) told.classList.add('list');
    if (sentence.row) told.classList.add('row');
    if (sentence.title) {
      told.title = sentence.title;
      told.setAttribute('role', 'group');
      told.setAttribute('aria-label', sentence.title);
    }
    if (isList) {
      if (!sentence.again) {
        const lead = element('div', 'lead');
        fill(lead, sentence.lead);
        told.append(lead);
      }
      const items = element('ul', 'items');
      for (const parts of sentence.items) {
        const item = element('li', '');
        fill(item, parts);
        items.append(item);
      }
      told.append(items);
    } else {
      fill(told, sentence.parts);
    }
    if (!inBlock) told.append(...problems(sentence));
    return told;
  };
  // What is told with a decisive sentence is folded away where it is long; a note on it never is.
  const foldable = (sentence) => !sentence.stays && sentence.problems.length === 0;
  // Items of a list for other patients are a click away.
  const ofOthers = (told, sentence) => {
    const count = sentence.items.length;
    const button = element('button', 'fold');
    button.type = 'button';
    const show = (open) => {
      told.hidden = !open;
      button.setAttribute('aria-expanded', String(open));
      button.textContent = (open ? 'Hide ' : 'Show ') + count + (count > 1 ? ' items' : ' item') + ' on other patients';
    };
    button.onclick = () => show(told.hidden);
    show(false);
    return [button, told];
  };
  const tellBlock = (block) => {
    const decisive = block.sentences.find((one) => one.decisive) || block.sentences[0];
    const drawn = element('div', 'block ' + decisive.support + (block.boxed ? ' boxed' : ''));
    if (block.place) drawn.append(element('div', 'place', block.place));
    const folded = [];
    const gaps = [];
    let paragraph = null;
    block.sentences.forEach((sentence, i) => {
      const told = tell(sentence, true);
      if (sentence.items.length > 0) {
        if (block.boxed) folded.push(told);
        drawn.append(...(sentence.others && !block.boxed ? ofOthers(told, sentence) : [told]), ...problems(sentence));
        paragraph = null;
        return;
      }
      if (!paragraph) drawn.append(paragraph = element('p', 'paragraph'));
      if (block.folds && foldable(sentence)) {
        folded.push(told);
        if (!block.boxed && (i === 0 || !foldable(block.sentences[i - 1]))) {
          const gap = element('span', 'gap', '\u2026 ');
          gap.setAttribute('aria-hidden', 'true');
          gaps.push(gap);
          paragraph.append(gap);
        }
      }
      paragraph.append(told, ' ', ...problems(sentence));
    });
    if (folded.length > 0) {
      const button = element('button', 'fold');
      button.type = 'button';
      const more = block.boxed
        ? 'Show the boxed warning' : 'Show all ' + block.sentences.length + ' sentences';
      const show = (open) => {
        folded.forEach((one) => { one.hidden = !open; });
        gaps.forEach((one) => { one.hidden = open; });
        button.setAttribute('aria-expanded', String(open));
        button.textContent = open ? 'Show less' : more;
      };
      button.onclick = () => show(button.getAttribute('aria-expanded') !== 'true');
      show(block.opened);
      drawn.append(button);
    }
    return drawn;
  };
  if (data.banner) {
    const banner = element('p', 'banner', data.banner);
    banner.setAttribute('role', 'note');
    root.append(banner);
  }
  for (const source of data.sources) {
    if (!source.subject) {
      for (const block of source.blocks)
        for (const sentence of block.sentences) root.append(tell(sentence, false));
      continue;
    }
    const section = element('section', 'source');
    section.setAttribute('aria-label', source.subject);
    const subject = element('div', 'subject', source.subject);
    subject.title = source.file;
    subject.setAttribute('role', 'heading');
    subject.setAttribute('aria-level', '4');
    section.append(subject);
    for (const block of source.blocks) section.append(tellBlock(block));
    root.append(section);
  }
  parentElement.append(root);
}
