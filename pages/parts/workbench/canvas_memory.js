// What the tab remembers of the explorer's canvas over a reload; it goes with the tab.
const CANVAS = 'materia-canvas';

export default function ({ data, setTriggerValue }) {
  if (data.fresh) {
    const kept = sessionStorage.getItem(CANVAS);
    if (kept) setTriggerValue('kept', kept);
  } else if (data.canvas) {
    try { sessionStorage.setItem(CANVAS, data.canvas); } catch { sessionStorage.removeItem(CANVAS); }
  } else {
    sessionStorage.removeItem(CANVAS);
  }
}
