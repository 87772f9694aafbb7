// What is asked of a rating comes below the answer, often out of sight: scrolled to once, when it comes. Only the
// log is scrolled, never what stands around it.
export default function ({ data, parentElement }) {
  if (window.materiaRated === data.rated) return;
  window.materiaRated = data.rated;
  const place = parentElement.host ?? parentElement;
  const log = place.closest('.st-key-chat_log');
  if (!log) return;
  requestAnimationFrame(() => {
    const below = place.getBoundingClientRect().bottom - log.getBoundingClientRect().bottom + 8;
    if (below > 0) log.scrollBy({ top: below, behavior: 'smooth' });
  });
}
