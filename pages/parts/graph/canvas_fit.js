// vis-network fits a drawing once, when its frame is loaded. A frame whose width has changed for good is
// loaded anew: Streamlit hands it the same drawing again.
const STILL = 300; // milliseconds without another change
const SLIGHT = 24; // pixels that a scroll bar or a gap may take

export default function () {
  window.materiaFits ??= new WeakMap();
  const watch = (frame) => {
    if (window.materiaFits.has(frame)) return;
    const fitted = { width: 0, timer: 0 };
    window.materiaFits.set(frame, fitted);
    new ResizeObserver(() => {
      clearTimeout(fitted.timer);
      fitted.timer = setTimeout(() => {
        const width = frame.clientWidth;
        const changed = width > 0 && fitted.width > 0 && Math.abs(width - fitted.width) > SLIGHT;
        if (width > 0 && (changed || fitted.width === 0)) fitted.width = width;
        if (changed && frame.isConnected) frame.contentWindow.location.reload();
      }, STILL);
    }).observe(frame);
  };
  const look = () => document.querySelectorAll('iframe[title*="agraph"]').forEach(watch);
  look();
  const seen = new MutationObserver(look);
  seen.observe(document.body, { childList: true, subtree: true });
  return () => seen.disconnect();
}
