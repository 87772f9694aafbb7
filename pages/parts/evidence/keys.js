const LONGEST = 2000; // milliseconds until another page shows in the address

// The marks of what is shown, in its answer; answers stand in shadow trees of their own.
function light(answer, n) {
  for (const host of document.querySelectorAll('.st-key-chat_log [class*="st-key-answer_"]')) {
    const isShown = Boolean(answer) && host.classList.contains('st-key-' + answer);
    for (const inner of [host, ...host.querySelectorAll('*')]) {
      for (const mark of inner.shadowRoot?.querySelectorAll('button.cite') ?? []) {
        if (isShown && mark.textContent === String(n)) mark.setAttribute('aria-current', 'true');
        else mark.removeAttribute('aria-current');
      }
    }
  }
}

// The panel is out of sight at once, and closed when the other page is there: closing asks the server for a
// part of the page that is left, which would call that page back.
function give(panel, close) {
  const [path, since] = [location.pathname, performance.now()];
  panel.dataset.leaving = 'yes';
  const look = setInterval(() => {
    const drawn = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === 'notRunning';
    const elsewhere = location.pathname !== path || performance.now() - since > LONGEST;
    if (!drawn || !elsewhere) return;
    clearInterval(look);
    close();
  }, 100);
}

export default function ({ data }) {
  light(data.answer, data.n);
  const panel = document.querySelector('.st-key-evidence_panel');
  if (!panel) return;
  const state = window.materiaEvidence ??= { time: 0, place: '', before: null };
  const paper = getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor;
  panel.style.setProperty('--evidence-paper', paper);
  panel.tabIndex = -1;
  panel.setAttribute('role', 'region');
  panel.setAttribute('aria-label', 'Evidence');
  const press = (name) => {
    const button = panel.querySelector(`.st-key-${name} button`);
    if (button && !button.disabled) button.click();
    return Boolean(button);
  };
  const keys = {
    '[': 'evidence_previous', ArrowLeft: 'evidence_previous',
    ']': 'evidence_next', ArrowRight: 'evidence_next', Escape: 'evidence_close',
  };
  panel.onkeydown = (event) => {
    const name = keys[event.key];
    const typing = event.target.closest?.('input, textarea, [role=slider], [role=combobox]');
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    if (typing && event.key !== 'Escape') return;
    if (press(name)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  // Where it covers the page, whoever goes to another page wants to see that one.
  state.leave?.abort();
  state.leave = new AbortController();
  document.addEventListener('click', (event) => {
    const covers = panel.offsetWidth >= window.innerWidth - panel.getBoundingClientRect().left - 1
      && panel.getBoundingClientRect().left < window.innerWidth / 2;
    const link = event.target.closest?.('[data-testid="stHeader"] a, [data-testid="stTopNavLink"]');
    if (link && covers) give(panel, () => press('evidence_close'));
  }, { signal: state.leave.signal });
  if (data.time !== state.time) delete panel.dataset.leaving;
  if (data.time && data.time !== state.time) {
    // Marks stand in shadow trees: the innermost element that has the keyboard is where it comes back to.
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    if (active && !panel.contains(document.activeElement)) state.before = active;
    panel.focus({ preventScroll: true });
    panel.scrollTop = 0;
  } else if (data.time && data.place !== state.place) {
    panel.scrollTop = 0;
  } else if (!data.time && state.time) {
    if (state.before?.isConnected) state.before.focus({ preventScroll: true });
    state.before = null;
  }
  state.time = data.time;
  state.place = data.place;
}
