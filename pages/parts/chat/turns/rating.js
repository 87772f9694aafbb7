// What is asked of a rating comes below the answer, often out of sight: scrolled to, when it comes. Only the log is
// scrolled, never what stands around it, and nothing once the reader scrolls.
const LOOKS = [60, 300, 800]; // milliseconds: what stands above is drawn by and by

export default function ({ data, parentElement }) {
  if (window.materiaRated === data.rated) return;
  window.materiaRated = data.rated;
  const place = parentElement.host ?? parentElement;
  const log = place.closest('.st-key-chat_log');
  if (!log) return;
  let left = false;
  for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    log.addEventListener(kind, () => { left = true; }, { once: true, passive: true });
  for (const after of LOOKS)
    setTimeout(() => {
      const below = place.getBoundingClientRect().bottom - log.getBoundingClientRect().bottom + 8;
      if (!left && below > 0) log.scrollTop += below;
    }, after);
}
