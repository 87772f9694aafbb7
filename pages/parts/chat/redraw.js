// Between a part of the panel that refreshes itself and the panel that is to be drawn anew: the event is the
// panel's own, so that it never stands in the place of what somebody clicked at the same moment.
const AGAIN = 3000; // milliseconds after which what was asked for, and did not come, is asked for once more

export default function ({ data, setTriggerValue }) {
  if (!data.ended) {
    window.materiaRedraw = (ended) => quietly(() => setTriggerValue('wanted', ended));
    return;
  }
  const last = (window.materiaRedrawn ??= { ended: '', at: 0 });
  if (!window.materiaRedraw || (last.ended === data.ended && performance.now() - last.at < AGAIN)) return;
  window.materiaRedrawn = { ended: data.ended, at: performance.now() };
  window.materiaRedraw(data.ended);
}
