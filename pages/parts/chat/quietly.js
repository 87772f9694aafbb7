// What a part of the panel tells the server by itself waits for a quiet moment. The browser sends all that happens
// in one turn of its loop as one message, for one part of the page: told together with a click on the page, it
// would draw the panel alone, and the click would lead nowhere. On a busy machine that turn is long.
const QUIET = 300; // milliseconds since the last press or key
const lastInput = (window.materiaInput ??= (() => {
  const last = { at: -Infinity };
  for (const kind of ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup', 'change', 'drop'])
    addEventListener(kind, () => { last.at = performance.now(); }, { capture: true, passive: true });
  return last;
})());

function quietly(tell) {
  const idle = window.requestIdleCallback ?? ((run) => setTimeout(run, 50));
  const look = () => {
    const left = QUIET - (performance.now() - lastInput.at);
    if (left > 0) setTimeout(() => idle(look), left);
    else if (navigator.scheduling?.isInputPending?.()) idle(look);
    else tell();
  };
  idle(look);
}

