export default function ({ data, parentElement, setTriggerValue }) {
  // The same answer stays as it is, so that a mark keeps the keyboard's focus while the panel is drawn anew.
  const { intoView, ...shown } = data;
  const content = JSON.stringify(shown);
  const present = parentElement.querySelector('.answer');
  if (present && present.dataset.content === content) return;
  if (present) present.remove();
  const root = document.createElement('div');
  root.dataset.content = content;
  root.className = data.refused ? 'answer refused' : 'answer';
  root.setAttribute('role', 'article');
  root.setAttribute('aria-label', 'Answer');
  // The evidence opens in a dialog; when it closes, the keyboard is where it was.
  const comeBack = (button) => {
    let opened = false;
    if (root.watch) root.watch.disconnect();
    root.watch = new MutationObserver(() => {
      const dialog = document.querySelector('[role="dialog"]');
      opened = opened || Boolean(dialog);
      if (!opened || dialog) return;
      root.watch.disconnect();
      setTimeout(() => button.focus({ preventScroll: true }), 100);
    });
    root.watch.observe(document.body, { childList: true, subtree: true });
  };
  const cite = (n, label) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cite';
    button.textContent = String(n);
    button.title = label;
    button.setAttribute('aria-label', 'Evidence ' + n + ': ' + label);
    button.onclick = () => {
      comeBack(button);
      setTriggerValue('clicked', { kind: 'citation', n });
    };
    return button;
  };
  for (const sentence of data.sentences) {
    const paragraph = document.createElement('p');
    paragraph.className = 'sentence ' + sentence.support;
    if (sentence.title) {
      paragraph.title = sentence.title;
      paragraph.setAttribute('role', 'group');
      paragraph.setAttribute('aria-label', sentence.title);
    }
    for (const part of sentence.parts) {
      if (part.cite) {
        paragraph.append(cite(part.cite, data.labels[part.cite] || ''));
      } else if (part.entity) {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'entity';
        button.textContent = part.text;
        button.title = 'Open in the explorer';
        button.onclick = () => setTriggerValue('clicked', { kind: 'entity', id: part.entity });
        paragraph.append(button);
      } else if (part.wrong) {
        const wrong = document.createElement('span');
        wrong.className = 'wrong';
        wrong.textContent = part.text;
        paragraph.append(wrong);
      } else {
        paragraph.append(document.createTextNode(part.text));
      }
    }
    const isWrong = sentence.support === 'unsupported';
    sentence.problems.forEach((problem, i) => {
      const told = document.createElement('span');
      told.className = isWrong ? 'problem' : 'note';
      const head = i > 0 ? '' : isWrong ? '\u26a0 Not supported: ' : '\u2139 Note: ';
      told.textContent = head + problem;
      paragraph.append(told);
    });
    root.append(paragraph);
  }
  parentElement.append(root);
  if (intoView) {
    // A new answer is read from its beginning: the log has followed its end while it grew. Only the
    // log is scrolled, never the sidebar around it.
    const host = parentElement.host || parentElement;
    const log = host.closest('.st-key-chat_log');
    const message = host.closest('[data-testid="stChatMessage"]') || host;
    const toTop = () => {
      log.scrollTop += message.getBoundingClientRect().top - log.getBoundingClientRect().top - 8;
    };
    if (log) setTimeout(toTop, 150);
  }
}
